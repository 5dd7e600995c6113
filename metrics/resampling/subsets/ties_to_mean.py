"""Kernel: ties that go to the category nearest the mean of the drawn labels.

The mean of a vector does not depend on its largest count alone, so ties are processed one by one:
for each level t and each set of categories tied on it, every other category has 0..t - 1 labels.
The nearest position of the scale changes where Σ x_a (v_a - middle) changes its sign. For a given s
= x_1 + x_2 this is a half-line of x_1, so prefix sums over x_1 replace its enumeration: three
further categories cost about t² instead of t³. Above three, the others are enumerated.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints
from ...compiling import njit
from .tilted_binomials import (
    fill_binomial,
    fill_tilted_sums,
    keep_tilted_shares,
    sort_largest_first,
)

_INNER = 3  # categories besides the tied ones that need no enumeration


@njit(cache=True, nogil=True)
def add_mean_ties(
    counts: Ints, values: Floats, slack: float,
    tilts: Floats, scratch: Floats, places: Ints,
    shares: Floats,
) -> None:  # fmt: skip
    """Add to shares[g, j, b] the probability of a tie of counts[g] that b wins by the mean."""
    w, out, sums, v = scratch[0], scratch[2], scratch[3, 0], scratch[3, 1]
    c, order, done = places[0], places[1], places[2]
    for g in range(counts.shape[0]):
        n_used, n_labels = sort_largest_first(counts[g], values, c, v, order)
        most = min(n_labels, shares.shape[1] - 1)
        for j in range(most + 1):
            done[j] = j == 0
        for i in range(tilts.shape[0]):
            if n_used > 1 and fill_tilted_sums(tilts[i], n_labels, most, done, sums):
                for a in range(n_used):
                    fill_binomial(c[a], tilts[i], w[a])
                    for j in range(most + 1):
                        out[a, j] = 0.0
                _add_all_ties(c, w, v, n_used, most, slack, out)
                keep_tilted_shares(out, sums, n_used, most, order, done, shares[g])


@njit(cache=True, nogil=True)
def _add_all_ties(
    c: Ints, w: Floats, v: Floats, n_used: int,
    most: int, slack: float, out: Floats,
) -> None:  # fmt: skip
    """Add to out[b, j] the weight of the tied vectors whose mean is nearest b."""
    group = np.empty(n_used, np.int64)  # tied category: index of its position on the scale
    rest = np.empty(n_used, np.int64)
    position, middle, below, tied_sum = np.empty((4, n_used))
    size = np.zeros(n_used, np.int64)
    won = np.zeros((n_used, most + 1))
    for tied in range(3, 1 << n_used):
        n_tied, n_rest, least, total = 0, 0, c[0], 0.0
        for a in range(n_used):
            if (tied >> a) & 1:
                n_tied += 1
                least = c[a]  # counts are in decreasing order
                total += v[a]
            else:
                rest[n_rest] = a
                n_rest += 1
        if n_tied < 2:
            continue
        n_groups = _positions_of_tied(tied, n_used, v, slack, position, size, group)
        for p in range(n_groups - 1):
            middle[p] = (position[p] + position[p + 1]) / 2
            below[p] = size[p] / (size[p] + size[p + 1])  # for a mean half-way between
        for t in range(1, min(least, most // n_tied) + 1):
            weight = 1.0
            for a in range(n_used):
                if (tied >> a) & 1:
                    weight *= w[a, t]
            for p in range(n_groups - 1):
                tied_sum[p] = t * (total - n_tied * middle[p])
            _add_weight_of_tie(
                c, w, v, rest, n_rest, t, n_tied * t, weight, most, slack, middle, tied_sum,
                below, n_groups, won,
            )  # fmt: skip
        for a in range(n_used):
            if (tied >> a) & 1:
                for j in range(n_tied, most + 1):
                    out[a, j] += max(won[group[a], j], 0.0) / size[group[a]]
        won[:n_groups] = 0.0


@njit(cache=True, nogil=True)
def _positions_of_tied(
    tied: int, n_used: int, v: Floats, slack: float, position: Floats,
    size: Ints, group: Ints,
) -> int:  # fmt: skip
    """Find the distinct positions of the tied categories, sorted, with sizes; return how many.

    group[a] is the index of category a's position among them.
    """
    n_groups = 0
    for a in range(n_used):
        if not (tied >> a) & 1:
            continue
        p = 0
        while p < n_groups and position[p] < v[a] - slack:
            p += 1
        if p < n_groups and abs(position[p] - v[a]) <= slack:
            size[p] += 1
            continue
        for q in range(n_groups, p, -1):
            position[q], size[q] = position[q - 1], size[q - 1]
        position[p], size[p] = v[a], 1
        n_groups += 1
    for a in range(n_used):
        if (tied >> a) & 1:
            for p in range(n_groups):
                if abs(position[p] - v[a]) <= slack:
                    group[a] = p
    return n_groups


@njit(cache=True, nogil=True)
def _add_weight_of_tie(
    c: Ints, w: Floats, v: Floats,
    rest: Ints, n_rest: int, t: int, labels: int, weight: float, most: int,
    slack: float, middle: Floats, tied_sum: Floats,
    below: Floats, n_groups: int, won: Floats,
) -> None:  # fmt: skip
    """Add to won[p, j] the weight of one tied set, for the positions p of its categories."""
    # x_1 and x_2: the two largest of the others; z: the third; a missing one has no label
    one = np.ones(1)
    w1, w2, w3, v3 = one, one, one, 0.0
    top1, top2, top3, v1, v2 = 0, 0, 0, 1.0, 0.0
    if n_rest > 0:
        w1, top1, v1 = w[rest[0]], min(t - 1, c[rest[0]]), v[rest[0]]
        v2 = v1 - 1.0
    if n_rest > 1:
        w2, top2, v2 = w[rest[1]], min(t - 1, c[rest[1]]), v[rest[1]]
        if v2 > v1:
            w1, top1, v1, w2, top2, v2 = w2, top2, v2, w1, top1, v1
    if n_rest > 2:
        w3, top3, v3 = w[rest[2]], min(t - 1, c[rest[2]]), v[rest[2]]
    step = v1 - v2  # ≥ 0: for a given s, the sum of the labels grows with x_1
    inverse = 1.0 / step if step > slack else 0.0
    prefix = np.empty(min(top1, top2) + 2)
    n_listed = max(n_rest - _INNER, 0)
    listed = np.zeros(n_listed + 1, np.int64)
    for s in range(min(top1 + top2, most - labels) + 1):
        low, high = max(0, s - top2), min(top1, s)
        prefix[0] = 0.0
        for x in range(low, high + 1):
            prefix[x - low + 1] = prefix[x - low] + w1[x] * w2[s - x]
        last = high - low + 1
        for d in range(n_listed):
            listed[d] = 0
        while True:
            scale, given, moved = weight, labels + s, s * v2
            for d in range(n_listed):
                a = rest[_INNER + d]
                scale *= w[a, listed[d]]
                given += listed[d]
                moved += listed[d] * v[a]
            for p in range(n_groups - 1):
                away = tied_sum[p] + moved - (given - labels) * middle[p]
                further = v3 - middle[p]
                for x3 in range(min(top3, most - given) + 1):
                    weight_below = _weight_below(
                        away + x3 * further, step, inverse, slack, below[p], low, last, prefix
                    )
                    here = scale * w3[x3] * weight_below
                    won[p, given + x3] += here
                    won[p + 1, given + x3] -= here
            for x3 in range(min(top3, most - given) + 1):
                won[n_groups - 1, given + x3] += scale * w3[x3] * prefix[last]
            d = 0
            while d < n_listed:
                a = rest[_INNER + d]
                listed[d] += 1
                if listed[d] <= min(t - 1, c[a]):
                    break
                listed[d] = 0
                d += 1
            if d == n_listed:
                break


@njit(cache=True, nogil=True)
def _weight_below(
    away: float, step: float, inverse: float, slack: float, share: float, low: int, last: int,
    prefix: Floats,
) -> float:  # fmt: skip
    """Weight of the x_1 ≥ low with away + step · x_1 < 0, plus `share` of a value where it is 0.

    inverse  1 / step, or 0 if x_1 has no effect
    prefix   prefix[i]: weight of the first i of the `last` values of x_1
    """
    if inverse == 0.0:
        if abs(away) <= slack:
            return share * prefix[last]
        return prefix[last] if away < 0 else 0.0
    turn = -away * inverse - low
    if turn < -0.5:
        return 0.0
    if turn >= last - 0.5:
        return prefix[last]
    nearest = int(turn + 0.5)
    off = (turn - nearest) * step
    if off > slack:
        return prefix[nearest + 1]
    if off < -slack:
        return prefix[nearest]
    return prefix[nearest] + share * (prefix[nearest + 1] - prefix[nearest])
