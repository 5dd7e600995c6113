"""Distribution of M over subsets of annotators: spread, worst subset, relation to the coefficient.

`modification_rate` gives the mean exactly. The variation between subsets, and the relation of M to
the coefficient of the same subset, require the subsets themselves: all of them if their number is
at most `most`, else a seeded sample (drawn with replacement).

The work is divided into parts of fixed size, each a pure function of (campaign, part); a sampled
part has its own seed. Parts may be distributed over any number of threads or machines; `collect`
adds them in a fixed order, so the numbers do not depend on the distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...agreement.distances import Distance
from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints, divide
from ...errors import MetricsError
from ...options import Ties
from ..majority import scale_positions
from .revolving_door import subset_at_rank
from .subset_coefficients import (
    CountsForSubsets,
    coefficients_in_order,
    coefficients_of_subsets,
    counts_for_subsets,
)
from .subset_totals import (
    BINS,
    SubsetPart,
    SubsetTotals,
    coefficient_bin,
)
from .subset_votes import VoteRows, modified_items_in_order, modified_items_of_subsets, vote_rows
from .vote_kernels import UNITS

PART = 1 << 18  # subsets in one part of a complete enumeration
SAMPLE_PART = 1 << 10  # sampled subsets in one part
_MOST_STEPS = 60_000  # steps of the histogram for the quantiles
_MOST_ENUMERABLE = 60  # annotators; ranks stay within 64 bits


@dataclass(frozen=True, slots=True)
class SubsetWork:
    """Data that a part needs of the campaign: plain arrays, built once and sent to every worker."""

    votes: VoteRows
    coefficients: CountsForSubsets | None
    steps: int
    seed: int


def prepare_subset_work(
    matrix: LabelMatrix,
    *,
    ties: Ties,
    values: Floats | None = None,
    ordered: bool = False,
    coefficient: str | None = None,
    distance: Distance | None = None,
    seed: int = 0,
) -> SubsetWork:
    """Convert the campaign for the kernels. Raises MetricsError above 255 labels per item."""
    matrix.require_humans("the distribution over subsets")
    positions = scale_positions(len(matrix.tagset), ties=ties, values=values, ordered=ordered)
    busiest = int(matrix.n_labels.max(initial=0))
    if busiest > np.iinfo(np.uint8).max:
        raise MetricsError(
            f"an item has {busiest} labels; the distribution over subsets counts up to 255. "
            "modification_rate has no such limit"
        )
    votes = vote_rows(matrix, ties=ties, values=positions)
    rows = (
        None
        if coefficient is None
        else counts_for_subsets(matrix, coefficient=coefficient, distance=distance)
    )
    steps = min(max(UNITS * votes.n_items, 1), _MOST_STEPS)
    return SubsetWork(votes=votes, coefficients=rows, steps=steps, seed=seed)


def plan_parts(n: int, sizes: Ints, *, most: int, samples: int) -> tuple[SubsetPart, ...]:
    """Return the parts of the work: complete enumeration if C(n, k) ≤ most, else the sample."""
    parts = []
    for k in sizes.tolist():
        total = math.comb(n, k)
        sampled = total > most or n > _MOST_ENUMERABLE
        total, size = (samples, SAMPLE_PART) if sampled else (total, PART)
        parts += [
            SubsetPart(k, first, min(size, total - first), sampled)
            for first in range(0, total, size)
        ]
    return tuple(parts)


def total_of_part(work: SubsetWork, part: SubsetPart) -> SubsetTotals:
    """Return the sums of one part, which do not depend on where it runs."""
    subsets = None
    values = None
    if part.sampled:
        subsets = _sample_subsets(work.votes.n_annotators, part, work.seed)
        modified, compared = modified_items_of_subsets(work.votes, subsets)
        if work.coefficients is not None:
            values = coefficients_of_subsets(work.coefficients, subsets)
    else:
        modified, compared = modified_items_in_order(
            work.votes, part.k, first=part.first, count=part.count
        )
        if work.coefficients is not None:
            values = coefficients_in_order(
                work.coefficients, part.k, first=part.first, count=part.count
            )
    rate = divide(modified, compared)
    found = np.isfinite(rate)
    rated = rate[found]
    steps = np.rint(rated * work.steps).astype(np.int64)
    binned, moments = _histogram_by_coefficient(rate, values)
    worst = math.nan
    members: tuple[int, ...] = ()
    if rated.size:
        at = int(np.nanargmax(rate))
        worst = float(rate[at])
        members = _subset_members(work.votes.n_annotators, part, at, subsets)
    return SubsetTotals(
        part=part,
        n=int(rated.size),
        rate=float(rated.sum()),
        rate_squared=float((rated * rated).sum()),
        modified=float(modified.sum()),
        compared=float(compared.sum()),
        histogram=np.bincount(steps, minlength=work.steps + 1),
        worst=worst,
        worst_members=members,
        binned=binned,
        coefficient=moments,
    )


def _sample_subsets(n: int, part: SubsetPart, seed: int) -> Ints:
    """Draw a range of the sample, int64 (count, k), with its own seed from (seed, k, first)."""
    rng = np.random.default_rng((seed, part.k, part.first))
    keys = rng.random((part.count, n))
    if part.k == n:
        return np.tile(np.arange(n), (part.count, 1))
    return np.sort(np.argpartition(keys, part.k, axis=1)[:, : part.k], axis=1).astype(np.int64)


def _subset_members(n: int, part: SubsetPart, at: int, subsets: Ints | None) -> tuple[int, ...]:
    if subsets is not None:
        return tuple(subsets[at].tolist())
    members = np.zeros(part.k + 1, np.int64)
    subset_at_rank(part.first + at, n, members)
    return tuple(members[: part.k].tolist())


def _histogram_by_coefficient(
    rate: Floats, values: Floats | None
) -> tuple[Floats, tuple[int, float, float]]:
    """Return n, Σ rate, Σ rate² (bins, 3) by coefficient, and n, Σ, Σ² of the coefficients."""
    if values is None:
        return np.zeros((BINS.size, 3)), (0, 0.0, 0.0)
    known = np.isfinite(values) & np.isfinite(rate)
    place, rated, valued = coefficient_bin(values[known]), rate[known], values[known]
    binned = np.column_stack(
        [
            np.bincount(place, minlength=BINS.size),
            np.bincount(place, weights=rated, minlength=BINS.size),
            np.bincount(place, weights=rated * rated, minlength=BINS.size),
        ]
    ).astype(np.float64)
    return binned, (valued.size, float(valued.sum()), float((valued * valued).sum()))
