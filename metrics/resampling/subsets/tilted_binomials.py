"""Kernel parts: binomial weights that cover every number of labels, and sorted counts.

The distribution of independent binomials with the same probability p, given their sum j, is
hypergeometric for any p. One p is sufficient for all j whose probabilities are far above the
smallest double; with many labels, further values cover the tails.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints
from ...compiling import njit

TILTS = np.array([0.5, 0.1, 0.9, 0.02, 0.98, 0.002, 0.998])  # the first is enough up to 650 labels
_SMALLEST = 1e-200  # a sum with a smaller tilted probability is left to another tilt


@njit(cache=True, nogil=True)
def fill_binomial(c: int, p: float, out: Floats) -> None:
    """Write Binomial(c, p) probabilities to out[0..c], outwards from the mode."""
    mode = min(int((c + 1) * p), c)
    out[mode] = 1.0
    total = 1.0
    odds = p / (1.0 - p)
    for s in range(mode, c):
        out[s + 1] = out[s] * odds * (c - s) / (s + 1)
        total += out[s + 1]
    for s in range(mode, 0, -1):
        out[s - 1] = out[s] / odds * s / (c - s + 1)
        total += out[s - 1]
    for s in range(c + 1):
        out[s] /= total


@njit(cache=True, nogil=True)
def sort_largest_first(
    counts: Ints, values: Floats, c: Ints,
    v: Floats, order: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Sort positive counts into c, with values and places; return their number and their sum."""
    n_used, n_labels = 0, 0
    for a in range(counts.shape[0]):
        if counts[a] > 0:
            place = n_used
            while place > 0 and c[place - 1] < counts[a]:
                c[place], v[place] = c[place - 1], v[place - 1]
                order[place] = order[place - 1]
                place -= 1
            c[place], v[place], order[place] = counts[a], values[a], a
            n_used += 1
            n_labels += counts[a]
    return n_used, n_labels


@njit(cache=True, nogil=True)
def fill_tilted_sums(p: float, n_labels: int, most: int, done: Ints, sums: Floats) -> bool:
    """Fill sums[j] = P(j of n_labels) under the tilt p; return whether it covers a new j."""
    fill_binomial(n_labels, p, sums)
    wanted = False
    for j in range(1, most + 1):
        wanted |= done[j] == 0 and sums[j] >= _SMALLEST
    return wanted


@njit(cache=True, nogil=True)
def keep_tilted_shares(
    out: Floats, sums: Floats, n_used: int, most: int,
    order: Ints, done: Ints, shares: Floats,
) -> None:  # fmt: skip
    """shares[j, b] += out[b, j] / sums[j] for every j that this tilt is the first to cover."""
    for j in range(1, most + 1):
        if done[j] == 0 and sums[j] >= _SMALLEST:
            done[j] = 1
            for b in range(n_used):
                shares[j, order[b]] += out[b, j] / sums[j]
