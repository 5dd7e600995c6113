"""A campaign's distances between categories as direct distances in [0, 1], for scores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.distances import distance_table


def direct_distances(
    distance: str, tagset: Sequence[str], marginals: NDArray[np.generic]
) -> NDArray[np.float64] | None:
    """The named distance, divided by its largest value: float64 (K, K); None for nominal.

    marginals  (K,): the reference's counts; only `ordinal` needs them. They are the same for every
               system, so that their scores can be compared.
    """
    if distance == "nominal":
        return None
    table = distance_table(distance, tagset=tagset, marginals=marginals)  # type: ignore[arg-type]  # the campaign file and the command check it
    largest = float(table.max(initial=0.0))
    return table / largest if largest else table
