"""The kernel of Kendall's distance, compiled when it is first used."""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints
from ...compiling import njit


@njit(cache=True, nogil=True, error_model="numpy")
def shares_of_pairs(pairs: Ints, starts: Ints, places: Ints) -> Floats:
    """Return Kendall's distances between pairs of rankings.

    pairs   the two rankings of each pair (n_pairs, 2)
    starts  first row of each ranking in `places`, and their end
    places  code of a candidate and its place, the candidates of a ranking in the order of codes
    """
    shares = np.zeros(pairs.shape[0])
    for k in range(pairs.shape[0]):
        one = places[starts[pairs[k, 0]] : starts[pairs[k, 0] + 1]]
        two = places[starts[pairs[k, 1]] : starts[pairs[k, 1] + 1]]
        joined = _places_of_union(one, two)
        n = joined.shape[0]
        halves = 0
        for a in range(n):
            for b in range(a):
                in_one = np.sign(joined[a, 0] - joined[b, 0])
                in_two = np.sign(joined[a, 1] - joined[b, 1])
                halves += abs(in_one - in_two)
        if n > 1:
            shares[k] = halves / (n * (n - 1))
    return shares


@njit(cache=True, nogil=True, error_model="numpy")
def _places_of_union(one: Ints, two: Ints) -> Ints:
    """Return both places of each candidate of either ranking; the last where it is not named."""
    joined = np.empty((one.shape[0] + two.shape[0], 2), dtype=np.int64)
    i = j = n = 0
    while i < one.shape[0] or j < two.shape[0]:
        joined[n, 0], joined[n, 1] = one.shape[0], two.shape[0]
        has_one = i < one.shape[0] and (j == two.shape[0] or one[i, 0] <= two[j, 0])
        has_two = j < two.shape[0] and (i == one.shape[0] or two[j, 0] <= one[i, 0])
        if has_one:
            joined[n, 0] = one[i, 1]
            i += 1
        if has_two:
            joined[n, 1] = two[j, 1]
            j += 1
        n += 1
    return joined[:n]
