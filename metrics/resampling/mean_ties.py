"""Kernel: ties that go to the category nearest the mean of the labels drawn.

The mean of a vector is not a matter of its largest count alone, so the count vectors that tie are
listed: for each level t and each set of categories tied on it, all counts below t of the others.
Where two tie, the sum of the labels tells which is nearer and goes up or down with the last
category of the list: it is added in two runs instead of one by one.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from metrics.resampling.tilted_binomials import binomial, keep, largest_first, reaches


@njit(cache=True, nogil=True)
def add_mean_ties(
    counts: NDArray[np.int64], values: NDArray[np.float64], slack: float,
    tilts: NDArray[np.float64], scratch: NDArray[np.float64], places: NDArray[np.int64],
    shares: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add to shares[g, j, b] the probability of a tie of counts[g] that b wins by the mean."""
    w, out, sums, v = scratch[0], scratch[2], scratch[3, 0], scratch[3, 1]
    c, order, done = places[0], places[1], places[2]
    for g in range(counts.shape[0]):
        n_used, n_labels = largest_first(counts[g], values, c, v, order)
        most = min(n_labels, shares.shape[1] - 1)
        for j in range(most + 1):
            done[j] = j == 0
        for i in range(tilts.shape[0]):
            if n_used > 1 and reaches(tilts[i], n_labels, most, done, sums):
                for a in range(n_used):
                    binomial(c[a], tilts[i], w[a])
                    for j in range(most + 1):
                        out[a, j] = 0.0
                _tied_by_mean(c, w, v, n_used, most, slack, out)
                keep(out, sums, n_used, most, order, done, shares[g])


@njit(cache=True, nogil=True)
def _add_run(
    out: NDArray[np.float64], w: NDArray[np.float64], weight: float, labels: int,
    first: int, stop: int,
) -> None:  # fmt: skip
    """out[labels + x] += weight · w[x] for first ≤ x < stop."""
    for x in range(first, stop):
        out[labels + x] += weight * w[x]


@njit(cache=True, nogil=True)
def _pair_by_mean(
    low: int, high: int, w: NDArray[np.float64], most_given: int, step: float, away: float,
    weight: float, labels: int, slack: float, out: NDArray[np.float64],
) -> None:  # fmt: skip
    """A tie of two categories, one other category left to list: x = 0..most_given of its labels.

    `away` + step · x is the sum of the labels less what it would be if their mean were half-way
    between `low` and `high`: its sign says which one is nearer, so x splits into two runs.
    """
    if step == 0.0:
        turn = 0.0 if abs(away) <= slack else np.inf
        rising = away < 0
    else:
        turn = -away / step
        rising = step > 0
    turn = min(max(turn, -1.0), most_given + 1.0)
    nearest = round(turn)
    even = 0 <= nearest <= most_given and abs(away + step * nearest) <= slack
    if step == 0.0 and even:
        for x in range(most_given + 1):
            out[low, labels + x] += 0.5 * weight * w[x]
            out[high, labels + x] += 0.5 * weight * w[x]
        return
    before = nearest if even else int(np.floor(turn)) + 1
    before = min(max(before, 0), most_given + 1)
    after = before + 1 if even else before
    first, second = (low, high) if rising else (high, low)
    _add_run(out[first], w, weight, labels, 0, before)
    _add_run(out[second], w, weight, labels, after, most_given + 1)
    if even:
        out[low, labels + nearest] += 0.5 * weight * w[nearest]
        out[high, labels + nearest] += 0.5 * weight * w[nearest]


@njit(cache=True, nogil=True)
def _tied_by_mean(
    c: NDArray[np.int64], w: NDArray[np.float64], v: NDArray[np.float64], n_used: int,
    most: int, slack: float, out: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add to out[b, j] the weight of the vectors that tie and whose mean is nearest b."""
    rest = np.empty(n_used, np.int64)
    x = np.zeros(n_used + 1, np.int64)
    weight = np.empty(n_used + 1)
    labels = np.empty(n_used + 1, np.int64)
    total = np.empty(n_used + 1)
    for t in range(1, c[1] + 1):
        n_able = 0
        while n_able < n_used and c[n_able] >= t:
            n_able += 1
        for tied in range(3, 1 << n_able):
            n_rest = 0
            weight[0], labels[0], total[0] = 1.0, 0, 0.0
            n_tied = 0
            for a in range(n_used):
                if (tied >> a) & 1:
                    n_tied += 1
                    weight[0] *= w[a, t]
                    labels[0] += t
                    total[0] += t * v[a]
            for a in range(n_used - 1, -1, -1):  # the largest count last: the longest runs
                if not (tied >> a) & 1:
                    rest[n_rest] = a
                    n_rest += 1
            if n_tied < 2 or labels[0] > most:
                continue
            pair = n_tied == 2 and n_rest > 0
            if pair:
                low, high = -1, -1
                for a in range(n_used):
                    if (tied >> a) & 1:
                        low, high = (a, high) if low < 0 else (low, a)
                if v[low] > v[high]:
                    low, high = high, low
                pair = v[high] - v[low] > slack
            if pair:  # the last category of the list goes by runs, not one by one
                n_rest -= 1
                last = rest[n_rest]
                middle = (v[low] + v[high]) / 2
            depth = 0
            x[0] = -1
            while depth >= 0:
                if depth == n_rest:
                    if pair:
                        given = min(min(t - 1, c[last]), most - labels[depth])
                        _pair_by_mean(
                            low, high, w[last], given, v[last] - middle,
                            total[depth] - labels[depth] * middle, weight[depth],
                            labels[depth], slack, out,
                        )  # fmt: skip
                    else:
                        _share_by_mean(
                            tied, n_used, v, labels[depth], total[depth], weight[depth], slack, out
                        )
                    depth -= 1
                    continue
                a = rest[depth]
                x[depth] += 1
                if x[depth] > min(t - 1, c[a]) or labels[depth] + x[depth] > most:
                    depth -= 1
                    continue
                weight[depth + 1] = weight[depth] * w[a, x[depth]]
                labels[depth + 1] = labels[depth] + x[depth]
                total[depth + 1] = total[depth] + x[depth] * v[a]
                depth += 1
                x[depth] = -1


@njit(cache=True, nogil=True)
def _share_by_mean(
    tied: int, n_used: int, v: NDArray[np.float64], labels: int, total: float, weight: float,
    slack: float, out: NDArray[np.float64],
) -> None:  # fmt: skip
    mean = total / labels
    nearest = np.inf
    for a in range(n_used):
        if (tied >> a) & 1:
            nearest = min(nearest, abs(v[a] - mean))
    n_near = 0
    for a in range(n_used):
        if (tied >> a) & 1 and abs(v[a] - mean) <= nearest + slack:
            n_near += 1
    for a in range(n_used):
        if (tied >> a) & 1 and abs(v[a] - mean) <= nearest + slack:
            out[a, labels] += weight / n_near
