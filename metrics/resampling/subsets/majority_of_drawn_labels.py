"""Kernel: which category wins the majority among j labels drawn from an item's labels, for every j.

For counts c_1..c_K the drawn labels are multivariate hypergeometric, that is, independent binomials
given their sum, so the weights with which category b comes first with t labels are the coefficients
of C(c_b, t) z^t · Π_{a≠b} (Σ_{s<t} C(c_a, s) z^s + y · C(c_a, t) z^t), where y marks a tie. A tie
of 1 + r categories counts 1/(1 + r) = ∫_0^1 y^r dy, which Gauss–Legendre nodes give exactly; y = 0
excludes ties. Every term is positive, so nothing cancels, and relative errors stay near 1e-14. The
cost is about t² K² per level t up to the second largest count, compared with Π (c_k + 1) count
vectors.

`nearest_mean` needs the mean at each tie: `metrics.resampling.subsets.ties_to_mean` adds these.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Floats, Ints
from ...compiling import njit
from ...threads import map_in_threads, split_ranges
from ..majority import EQUALLY_NEAR
from .ties_to_mean import add_mean_ties
from .tilted_binomials import (
    TILTS,
    fill_binomial,
    fill_tilted_sums,
    keep_tilted_shares,
    sort_largest_first,
)

_BLOCK = 64  # count vectors per call of the kernel


def majority_probabilities_by_size(
    counts: Ints,
    *,
    most: int,
    ties: str,
    values: Floats,
    threads: int | None = None,
) -> Floats:
    """Probability that each category is the majority of j labels drawn without replacement.

    counts  (G, K)
    most    the largest j

    Returns float64 (G, most + 1, K), 0 for j = 0 and for j above the number of labels. Rows sum to
    1, minus the probability of a tie under `abstain`.
    """
    n_groups, n_categories = counts.shape
    shares = np.zeros((n_groups, most + 1, n_categories))
    if ties == "random":
        n_used = int((counts > 0).sum(axis=1).max(initial=1))  # the degree in y is n_used - 1
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
        scratch = np.empty((4, max(n_categories, 2), width))
        places = np.empty((3, width), np.int64)
        add_majority_shares(
            counts[first:last], nodes, weights, values, TILTS, scratch, places, shares[first:last]
        )
        if ties == "nearest_mean":
            add_mean_ties(
                counts[first:last], values, slack, TILTS, scratch, places, shares[first:last]
            )

    map_in_threads(work, split_ranges(n_groups, _BLOCK), threads=threads)
    return shares


@njit(cache=True, nogil=True)
def _multiply(
    a: Floats, degree: int, b: Floats, b_degree: int,
    last: float, most: int, out: Floats,
) -> int:  # fmt: skip
    """out = a · b up to z^most, with b's last coefficient scaled by `last`; return the degree."""
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
def _add_top_count_weights(
    b: int, t: int, c: Ints, w: Floats, n_used: int,
    y: float, weight: float, most: int, work: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add to out[j] the weight of: b has t of the j labels, every other category at most t."""
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
def _strict_and_lot(
    c: Ints, n_used: int, n_labels: int, p: float, nodes: Floats,
    weights: Floats, most: int, w: Floats, work: Floats,
    out: Floats,
) -> None:  # fmt: skip
    """out[b, j] = weight of the vectors that b wins, alone or by its share of a tie."""
    for a in range(n_used):
        fill_binomial(c[a], p, w[a])
        for j in range(most + 1):
            out[a, j] = 0.0
    second = c[1] if n_used > 1 else 0
    for t in range(1, min(second, most) + 1):
        for b in range(n_used):
            if c[b] < t:
                break
            if b > 0 and c[b] == c[b - 1]:
                continue  # equal counts have equal shares, copied below
            for q in range(nodes.shape[0]):
                _add_top_count_weights(b, t, c, w, n_used, nodes[q], weights[q], most, work, out[b])
    # above the second largest count only the first category can win, without ties
    others = n_labels - c[0]
    fill_binomial(others, p, work[0])
    for t in range(second + 1, min(c[0], most) + 1):
        for r in range(min(others, most - t) + 1):
            out[0, t + r] += w[0, t] * work[0, r]
    for b in range(1, n_used):
        if c[b] == c[b - 1]:
            for j in range(most + 1):
                out[b, j] = out[b - 1, j]


@njit(cache=True, nogil=True)
def add_majority_shares(
    counts: Ints, nodes: Floats, weights: Floats,
    values: Floats, tilts: Floats, scratch: Floats,
    places: Ints, shares: Floats,
) -> None:  # fmt: skip
    """Fill shares[g, j, b] for counts[g, b]; ties are random or excluded."""
    w, work, out, sums = scratch[0], scratch[1], scratch[2], scratch[3, 0]
    c, order, done = places[0], places[1], places[2]
    for g in range(counts.shape[0]):
        n_used, n_labels = sort_largest_first(counts[g], values, c, scratch[3, 1], order)
        most = min(n_labels, shares.shape[1] - 1)
        for j in range(most + 1):
            done[j] = j == 0
        for i in range(tilts.shape[0]):
            if fill_tilted_sums(tilts[i], n_labels, most, done, sums):
                _strict_and_lot(c, n_used, n_labels, tilts[i], nodes, weights, most, w, work, out)
                keep_tilted_shares(out, sums, n_used, most, order, done, shares[g])
