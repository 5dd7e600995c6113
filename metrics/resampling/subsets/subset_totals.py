"""Additive sums over subsets, and the distribution derived from them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ...arrays import Flags, Floats, Ints, divide

BIN_WIDTH = 0.05
BINS = np.round(np.arange(-1.0, 1.0 + BIN_WIDTH / 2, BIN_WIDTH), 2)  # left edges; 1.0: own bin


@dataclass(frozen=True, slots=True)
class SubsetPart:
    """Some k-subsets: ranks `[first, first + count)`, or this range of the sample."""

    k: int
    first: int
    count: int
    sampled: bool


@dataclass(frozen=True, slots=True)
class SubsetTotals:
    """Additive sums over the subsets of a part.

    n            subsets with a rate
    rate, rate_squared  Σ rate, Σ rate²
    modified, compared  Σ of items
    histogram    int64 (steps + 1,): rates to the nearest 1/steps
    worst        largest rate, and the members of the first subset that has it
    binned       float64 (B, 3): subsets, Σ rate, Σ rate² by bin of the coefficient
    coefficient  (subsets with a value, Σ, Σ²)
    """

    part: SubsetPart
    n: int
    rate: float
    rate_squared: float
    modified: float
    compared: float
    histogram: Ints
    worst: float
    worst_members: tuple[int, ...]
    binned: Floats
    coefficient: tuple[int, float, float]


@dataclass(frozen=True, slots=True)
class SubsetDistribution:
    """Rates of single subsets, for Q sizes. Arrays (Q,) unless stated; `nan` without subsets.

    k, n_subsets      subset sizes; number of subsets evaluated
    enumerated        whether these are all subsets of this size
    rate              Σ modified / Σ compared: M(k) itself if enumerated
    mean, sd          mean and standard deviation of the subsets' rates (of the population if
                      enumerated)
    quantiles         float64 (Q, P) at `probabilities`, to 1/(2·steps)
    worst, worst_members  the largest rate and a subset that has it (indices of annotators)
    coefficient_mean, coefficient_sd  for the coefficient of the subsets; `nan` if not requested
    bin_edges         float64 (B + 1,)
    bin_n, bin_mean, bin_sd  (Q, B): the subsets' rate by bin of their own coefficient
    """

    k: Ints
    n_subsets: Ints
    enumerated: Flags
    rate: Floats
    mean: Floats
    sd: Floats
    probabilities: tuple[float, ...]
    quantiles: Floats
    worst: Floats
    worst_members: tuple[tuple[int, ...], ...]
    coefficient_mean: Floats
    coefficient_sd: Floats
    bin_edges: Floats
    bin_n: Ints
    bin_mean: Floats
    bin_sd: Floats
    signature: str


def collect_distribution(
    totals: Iterable[SubsetTotals], *, probabilities: tuple[float, ...], signature: str = ""
) -> SubsetDistribution:
    """Add the parts, in the order of k and rank, and derive the distribution from the sums."""
    ordered = sorted(totals, key=lambda total: (total.part.k, total.part.first))
    by_size: dict[int, list[SubsetTotals]] = {}
    for total in ordered:
        by_size.setdefault(total.part.k, []).append(total)
    groups = list(by_size.values())
    n = np.array([sum(t.n for t in g) for g in groups], dtype=np.float64)
    mean, sd = _mean_and_sd(
        n, _exact_sums([[t.rate for t in g] for g in groups]),
        _exact_sums([[t.rate_squared for t in g] for g in groups]),
    )  # fmt: skip
    with_value = np.array([sum(t.coefficient[0] for t in g) for g in groups], dtype=np.float64)
    coefficient_mean, coefficient_sd = _mean_and_sd(
        with_value, _exact_sums([[t.coefficient[1] for t in g] for g in groups]),
        _exact_sums([[t.coefficient[2] for t in g] for g in groups]),
    )  # fmt: skip
    binned = np.array([np.sum([t.binned for t in g], axis=0) for g in groups])
    bin_mean, bin_sd = _mean_and_sd(binned[..., 0], binned[..., 1], binned[..., 2])
    worst = [max(g, key=lambda t: -1.0 if math.isnan(t.worst) else t.worst) for g in groups]
    compared = _exact_sums([[t.compared for t in g] for g in groups])
    modified = _exact_sums([[t.modified for t in g] for g in groups])
    return SubsetDistribution(
        k=np.array(list(by_size), dtype=np.int64),
        n_subsets=np.array([sum(t.part.count for t in g) for g in groups], dtype=np.int64),
        enumerated=np.array([not g[0].part.sampled for g in groups]),
        rate=divide(modified, compared),
        mean=mean,
        sd=sd,
        probabilities=probabilities,
        quantiles=np.array(
            [_quantiles(np.sum([t.histogram for t in g], axis=0), probabilities) for g in groups]
        ),
        worst=np.array([w.worst for w in worst]),
        worst_members=tuple(w.worst_members for w in worst),
        coefficient_mean=coefficient_mean,
        coefficient_sd=coefficient_sd,
        bin_edges=np.append(BINS, BINS[-1] + BIN_WIDTH),
        bin_n=binned[..., 0].astype(np.int64),
        bin_mean=bin_mean,
        bin_sd=bin_sd,
        signature=signature,
    )


def coefficient_bin(values: Floats) -> Ints:
    """Index of the 0.05-wide bin of each coefficient, -1 for `nan`; below -1 the first bin."""
    known = np.isfinite(values)
    place = np.floor(np.where(known, values, 0.0) / BIN_WIDTH + 1e-9).astype(np.int64)
    return np.where(known, np.clip(place + BINS.size // 2, 0, BINS.size - 1), -1)


def _exact_sums(rows: list[list[float]]) -> Floats:
    return np.array([math.fsum(row) for row in rows])


def _mean_and_sd(n: Floats, total: Floats, squares: Floats) -> tuple[Floats, Floats]:
    mean = divide(total, n)
    square = divide(squares, n)
    return mean, np.sqrt(np.maximum(square - mean * mean, 0.0))


def _quantiles(histogram: Ints, probabilities: tuple[float, ...]) -> Floats:
    """Smallest rate that is not exceeded by at least a share p of the subsets."""
    cumulated = np.cumsum(histogram)
    if cumulated[-1] == 0:
        return np.full(len(probabilities), np.nan)
    wanted = np.maximum(np.ceil(np.array(probabilities) * cumulated[-1] - 1e-9), 1)
    return np.searchsorted(cumulated, wanted) / (histogram.size - 1)
