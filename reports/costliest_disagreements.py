"""A selection of disagreements in which no layer crowds out the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from .results import Disagreement

MOST_DISAGREEMENTS = 200  # in the results
MOST_DISCUSSED = 100  # documents of units whose disagreements are listed, of highest disorder


def most_costly(found: Sequence[Disagreement], most: int) -> list[Disagreement]:
    """Select the costliest of each layer in turn until there are `most`, the costliest first.

    Costs of different layers have different scales: costs of labels are at most 1, disorders are
    unbounded.
    """
    rank: Counter[str] = Counter()
    turns = []
    for one in sorted(found, key=_sort_key):
        turns.append((rank[one.layer], one))
        rank[one.layer] += 1
    chosen = sorted(turns, key=lambda turn: turn[0])[:most]
    return sorted((one for _, one in chosen), key=_sort_key)


def _sort_key(one: Disagreement) -> tuple[float, str, str, str]:
    cost = -one.cost if math.isfinite(one.cost) else math.inf
    return cost, one.layer, one.document, one.where
