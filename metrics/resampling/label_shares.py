"""Kernel: who wins the majority among j labels drawn from an item's labels, for every j.

For counts c_1..c_K the labels drawn are multivariate hypergeometric, that is independent
binomials given their sum, so the ways in which category b comes first with t labels are the
coefficients of C(c_b, t) z^t · Π_{a≠b} (Σ_{s<t} C(c_a, s) z^s + y · C(c_a, t) z^t),
where y marks a tie. A tie of 1 + r categories is worth 1/(1 + r) = ∫_0^1 y^r dy, which
Gauss–Legendre nodes give exactly; y = 0 leaves the ties out. Every term is positive: nothing
cancels, relative errors stay near 1e-14. Cost about t² K² per level t up to the second largest
count, instead of the Π (c_k + 1) count vectors.

`nearest_mean` needs the mean at each tie, so the vectors that tie, and only those, are listed.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from metrics.resampling.majority import EQUALLY_NEAR
from metrics.resampling.threads import cut, spread

_BLOCK = 64  # count vectors per call of the kernel
# Binomial tilts: the first alone up to about 650 labels, the others for the tails beyond.
_TILTS = np.array([0.5, 0.1, 0.9, 0.02, 0.98, 0.002, 0.998])
_SMALLEST = 1e-200  # a sum whose tilted probability is below this waits for another tilt


def label_shares(
    counts: NDArray[np.int64],
    *,
    most: int,
    ties: str,
    values: NDArray[np.float64],
    threads: int | None = None,
) -> NDArray[np.float64]:
    """Probability that each category is the majority of j labels drawn without replacement.

    counts (G, K), `most` the largest j; returns float64 (G, most + 1, K), 0 for j = 0 and for j
    above the number of labels. Rows sum to 1, less the probability of a tie under `abstain`.
    """
    n_groups, n_categories = counts.shape
    shares = np.zeros((n_groups, most + 1, n_categories))
    if ties == "random":
        n_used = int((counts > 0).sum(axis=1).max(initial=1))  # degree n_used - 1 in y
        nodes, weights = np.polynomial.legendre.leggauss(max((n_used + 1) // 2, 1))
        nodes, weights = (nodes + 1) / 2, weights / 2
    else:
        nodes, weights = np.zeros(1), np.ones(1)
    counts = np.ascontiguousarray(counts, dtype=np.int64)
    values = np.ascontiguousarray(values, dtype=np.float64)
    width = max(int(counts.sum(axis=1).max(initial=0)) + 1, n_categories)
    slack = EQUALLY_NEAR * (float(np.ptp(values)) + 1.0)

    def work(part: tuple[int, int]) -> None:
        first, last = part
        add_shares(
            counts[first:last], nodes, weights, values, ties == "nearest_mean", slack, _TILTS,
            np.empty((4, max(n_categories, 2), width)), np.empty((3, width), np.int64),
            shares[first:last],
        )  # fmt: skip

    spread(work, cut(n_groups, _BLOCK), threads=threads)
    return shares


@njit(cache=True, nogil=True)
def _binomial(c: int, p: float, out: NDArray[np.float64]) -> None:
    """Binomial(c, p) probabilities into out[0..c], outwards from the mode."""
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
def _multiply(
    a: NDArray[np.float64], degree: int, b: NDArray[np.float64], b_degree: int,
    last: float, most: int, out: NDArray[np.float64],
) -> int:  # fmt: skip
    """out = a · b up to z^most, b's last coefficient scaled by `last`; returns the degree."""
    total = min(degree + b_degree, most)
    for r in range(total + 1):
        out[r] = 0.0
    for s in range(min(b_degree, most) + 1):
        factor = b[s] * last if s == b_degree else b[s]
        if factor != 0.0:
            upto = min(degree, most - s) + 1
            for r in range(upto):
                out[s + r] += factor * a[r]
    return total


@njit(cache=True, nogil=True)
def _level(
    b: int, t: int, c: NDArray[np.int64], w: NDArray[np.float64], n_used: int,
    y: float, weight: float, most: int, work: NDArray[np.float64], out: NDArray[np.float64],
) -> None:  # fmt: skip
    """Add to out[j] the weight of: b has t labels of j, every other category at most t."""
    here = 0
    work[0, 0] = 1.0
    degree = 0
    for a in range(n_used):
        if a != b:
            top = min(t, c[a])
            last = y if c[a] >= t else 1.0
            if last == 0.0:
                top, last = t - 1, 1.0
            degree = _multiply(work[here], degree, w[a], top, last, most, work[1 - here])
            here = 1 - here
    factor = w[b, t] * weight
    for r in range(min(degree, most - t) + 1):
        out[t + r] += factor * work[here, r]


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


@njit(cache=True, nogil=True)
def _strict_and_lot(
    c: NDArray[np.int64], n_used: int, n_labels: int, p: float, nodes: NDArray[np.float64],
    weights: NDArray[np.float64], most: int, w: NDArray[np.float64], work: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:  # fmt: skip
    """out[b, j] = weight of the vectors that b wins, alone or by its part of a tie."""
    for a in range(n_used):
        _binomial(c[a], p, w[a])
        for j in range(most + 1):
            out[a, j] = 0.0
    second = c[1] if n_used > 1 else 0
    for t in range(1, min(second, most) + 1):
        for b in range(n_used):
            if c[b] < t:
                break
            if b > 0 and c[b] == c[b - 1]:
                continue  # equal counts win equally often: copied below
            for q in range(nodes.shape[0]):
                _level(b, t, c, w, n_used, nodes[q], weights[q], most, work, out[b])
    # above the second largest count the first category is alone: no tie is possible
    others = n_labels - c[0]
    _binomial(others, p, work[0])
    for t in range(second + 1, min(c[0], most) + 1):
        for r in range(min(others, most - t) + 1):
            out[0, t + r] += w[0, t] * work[0, r]
    for b in range(1, n_used):
        if c[b] == c[b - 1]:
            for j in range(most + 1):
                out[b, j] = out[b - 1, j]


@njit(cache=True, nogil=True)
def add_shares(
    counts: NDArray[np.int64], nodes: NDArray[np.float64], weights: NDArray[np.float64],
    values: NDArray[np.float64], by_mean: bool, slack: float, tilts: NDArray[np.float64],
    scratch: NDArray[np.float64], places: NDArray[np.int64], shares: NDArray[np.float64],
) -> None:  # fmt: skip
    """Fill shares[g, j, b] for counts[g, b]: see `label_shares`."""
    n_categories = counts.shape[1]
    w, work, out, sums = scratch[0], scratch[1], scratch[2], scratch[3, 0]
    v = scratch[3, 1]
    c, order = places[0], places[1]
    for g in range(counts.shape[0]):
        n_used = 0
        n_labels = 0
        for a in range(n_categories):  # insertion: largest counts first
            if counts[g, a] > 0:
                place = n_used
                while place > 0 and c[place - 1] < counts[g, a]:
                    c[place], v[place] = c[place - 1], v[place - 1]
                    order[place] = order[place - 1]
                    place -= 1
                c[place], v[place], order[place] = counts[g, a], values[a], a
                n_used += 1
                n_labels += counts[g, a]
        most = min(n_labels, shares.shape[1] - 1)
        done = places[2]
        for j in range(most + 1):
            done[j] = j == 0
        for i in range(tilts.shape[0]):
            p = tilts[i]
            _binomial(n_labels, p, sums)
            wanted = False
            for j in range(1, most + 1):
                wanted |= done[j] == 0 and sums[j] >= _SMALLEST
            if not wanted:
                continue
            _strict_and_lot(c, n_used, n_labels, p, nodes, weights, most, w, work, out)
            if by_mean and n_used > 1:
                _tied_by_mean(c, w, v, n_used, most, slack, out)
            for j in range(1, most + 1):
                if done[j] == 0 and sums[j] >= _SMALLEST:
                    done[j] = 1
                    for b in range(n_used):
                        shares[g, j, order[b]] = out[b, j] / sums[j]
