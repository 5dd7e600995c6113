"""Distances between the categories of units that stand on a scale, in [0, 1]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..agreement.distances import category_values
from ..alignment.dissimilarity import numerical_distances, ordinal_distances
from ..errors import MetricsError

SCALES = ("nominal", "ordinal", "interval")


def scale_distances(distance: str, tagset: Sequence[str]) -> NDArray[np.float64] | None:
    """float64 (K, K): by ranks in the tagset (`ordinal`) or by numbers (`interval`); None: nominal.

    Each is divided by its largest, so that the ends of the scale are as far apart as two nominal
    categories. Raises MetricsError for another distance, and for an interval without numbers.
    """
    if distance == "nominal":
        return None
    if distance == "ordinal":
        return ordinal_distances(len(tagset)) if len(tagset) > 1 else None
    if distance != "interval":
        raise MetricsError(
            f"units have no {distance} distance: choose one of {', '.join(SCALES)}, or give the "
            "distances of pairs of categories"
        )
    values = category_values(tagset)
    if values is None:
        raise MetricsError(
            f"the interval distance needs numbers, and the categories ({', '.join(tagset)}) are "
            "not all numbers: use ordinal, with the tagset in the scale's order"
        )
    return numerical_distances(values)
