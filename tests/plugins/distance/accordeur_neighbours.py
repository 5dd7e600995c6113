"""Half a disagreement between neighbours on a scale, a whole one between all others."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.agreement.category_distance import CategoryDistance, Needs
from accordeur.metrics.arrays import Floats


def neighbours(values: Floats) -> Floats:
    ranks = np.argsort(np.argsort(values))
    return np.minimum(np.abs(np.subtract.outer(ranks, ranks)), 2) / 2


NEIGHBOURS = CategoryDistance(
    name="neighbours", table=neighbours, needs=Needs.NUMBERS_OR_RANKS, ordered=True
)
