"""Size of the search space of alignments: Mathet & Widlöcher (2011), section 5.1 and table 2.

A unitary alignment of a best alignment costs at most n·Δ∅ (equation 8), because its units could
stand alone. The greedy algorithm of 2011 sorts the unitary alignments within this bound; the exact
alignment uses a sharper one (`candidates`).
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from .continuum import Continuum
from .dissimilarity import Dissimilarity, pair_costs

MOST_COUNTED = 20_000_000  # unitary alignments of a document
_ROUNDING = 1e-9


def search_space_size(continuum: Continuum, dissimilarity: Dissimilarity) -> tuple[int, int | None]:
    """Return the number of unitary alignments, ∏ (units of an annotator + 1) − 1, and within n·Δ∅.

    The second is None beyond `MOST_COUNTED`. Pairs with an empty unit cost Δ∅.
    """
    n, empty = continuum.n_annotators, dissimilarity.delta_empty
    units = [np.append(np.flatnonzero(continuum.owners == a), -1) for a in range(n)]
    shape = tuple(one.size for one in units)
    in_all = math.prod(shape) - 1
    if in_all > MOST_COUNTED or n < 2:
        return in_all, None
    disorders = np.zeros(shape)
    for a, b in combinations(range(n), 2):
        costs = pair_costs(continuum, units[a][:, None], units[b][None, :], dissimilarity)
        axes = [1] * n
        axes[a], axes[b] = shape[a], shape[b]
        disorders += costs.reshape(axes)
    bound = n * empty * math.comb(n, 2)
    return in_all, int((disorders <= bound * (1 + _ROUNDING)).sum()) - 1
