"""How sure a coefficient is: bootstrap, jackknife, Gwet's linearised variance, paired differences.

The unit that is drawn again is the document, because labels of one document are not independent
(cluster bootstrap, Davison & Hinkley 1997, section 3.8); the item where there are no documents.
A resample is a vector of weights, so all replicates of all coefficients are one matrix product:
weights (B, G) times the sums of the G groups; items with the same row of labels are one group.

Every random draw comes from NumPy's PCG64 seeded with `seed`: same seed, same interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from metrics.agreement.counts import AgreementCounts, count
from metrics.agreement.distances import Distance
from metrics.agreement.label_matrix import LabelMatrix
from metrics.agreement.registry import (
    DEFAULT_MEASURES,
    CoefficientSpec,
    disagreements,
    resolve_sets,
    specification,
)
from metrics.agreement.sums import Sums, distinct_rows, sums_of, sums_of_rows
from metrics.errors import MetricsError
from metrics.estimate import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Over = Literal["documents", "items", "auto"]

BATCH = 256  # replicates computed together: keeps the weights in a few megabytes


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval at `level` and what it rests on.

    standard_error  of the coefficient; n_groups: documents or items drawn (or left out one by one)
    n_undefined     replicates where the coefficient was undefined; they are left out
    lower and upper are nan, with a reason, when fewer than two groups or replicates are usable
    """

    lower: float
    upper: float
    level: float
    method: str
    over: str
    standard_error: float
    n_groups: int
    n_replicates: int = 0
    n_undefined: int = 0
    seed: int | None = None
    reason: str = ""

    @property
    def bounds(self) -> tuple[float, float]:
        return (self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Groups:
    """G kinds of resampling unit: their sums (B = G) and how many units of each kind there are."""

    sums: Sums
    multiplicity: Ints
    tagset: tuple[str, ...]
    over: str

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())


def groups_of(
    matrix: LabelMatrix,
    *,
    over: Over = "auto",
    confusions: bool = False,
    distinct: bool = True,
) -> Groups:
    """The resampling units of a matrix: its documents when it has two or more, else its items.

    Items with the same row of labels are one kind of unit, unless `distinct` is false.
    """
    if over == "auto":
        has_documents = matrix.documents is not None and np.unique(matrix.documents).size > 1
        over = "documents" if has_documents else "items"
    if over == "documents":
        return groups_of_counts(count(matrix, by="documents", confusions=confusions))
    if not distinct:
        sums = sums_of_rows(matrix.codes, len(matrix.tagset), confusions=confusions)
        return Groups(sums, np.ones(matrix.n_items, dtype=np.int64), matrix.tagset, "items")
    rows, row_of = distinct_rows(matrix)
    sums = sums_of_rows(rows, len(matrix.tagset), confusions=confusions)
    return Groups(sums, np.bincount(row_of, minlength=rows.shape[0]), matrix.tagset, "items")


def groups_of_counts(counts: AgreementCounts) -> Groups:
    """The documents of added counts as resampling units."""
    ones = np.ones(counts.n_documents, dtype=np.int64)
    return Groups(sums_of(counts), ones, counts.tagset, "documents")


def coefficient_values(
    specs: Sequence[CoefficientSpec],
    sums: Sums,
    distance: Distance,
    tagset: Sequence[str],
    values: Floats | None = None,
) -> Floats:
    """Values of M coefficients for B batch elements, (B, M); nan where undefined."""
    out = np.full((sums.n_paired.shape[0], len(specs)), np.nan)
    for j, spec in enumerate(specs):
        observed, expected, _ = disagreements(spec, sums, distance, tagset, values)
        # Sums of fractions may leave 1e-17 where one category is used: nothing is expected there.
        defined = expected > 1e-12
        out[defined, j] = 1 - observed[defined] / expected[defined]
    return out


def resampling_weights(
    groups: Groups, n_replicates: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """Weights (≤ BATCH, G) of the replicates, in order: how often each kind of unit is drawn."""
    generator = np.random.default_rng(seed)
    n_units, n_kinds = groups.n_units, groups.multiplicity.shape[0]
    few_kinds = n_kinds * 4 < n_units
    unit_kind = np.repeat(np.arange(n_kinds), groups.multiplicity)
    for start in range(0, n_replicates, BATCH):
        size = min(BATCH, n_replicates - start)
        if few_kinds:
            shares = groups.multiplicity / n_units
            yield generator.multinomial(n_units, shares, size=size).astype(np.float64)
        else:
            weights = np.empty((size, n_kinds))
            for b in range(size):
                drawn = generator.integers(0, n_units, n_units)
                weights[b] = np.bincount(unit_kind[drawn], minlength=n_kinds)
            yield weights


def replicates(
    groups: Groups,
    *,
    measures: Sequence[str],
    n_replicates: int = 1000,
    seed: int,
    distance: Distance = "nominal",
    values: Floats | None = None,
) -> Floats:
    """Bootstrap replicates of M coefficients, (n_replicates, M), all from the same resamples."""
    specs = [specification(measure) for measure in measures]
    flat = groups.sums.flat()
    parts = [
        coefficient_values(specs, groups.sums.like(weights @ flat), distance, groups.tagset, values)
        for weights in resampling_weights(groups, n_replicates, seed)
    ]
    return np.concatenate(parts) if parts else np.empty((0, len(specs)))


def bootstrap(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = DEFAULT_MEASURES,
    n_replicates: int = 1000,
    seed: int,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
    values: Floats | None = None,
    method: Literal["percentile", "basic", "bca"] = "percentile",
) -> dict[str, Interval]:
    """A bootstrap interval of each measure, from the same resamples of documents or items.

    `percentile` and `basic`: Davison & Hinkley 1997, chapter 5; `bca`: Efron 1987, with the
    acceleration from the jackknife. Raises RoleError for systems and references.
    """
    specs = [checked(measure, matrix) for measure in measures]
    groups = groups_of(matrix, over=over, confusions=any(spec.confusions for spec in specs))
    return bootstrap_groups(
        groups,
        measures=measures,
        n_replicates=n_replicates,
        seed=seed,
        level=level,
        distance=resolve_sets(distance, matrix),
        values=values,
        method=method,
    )


def bootstrap_groups(
    groups: Groups,
    *,
    measures: Sequence[str],
    n_replicates: int = 1000,
    seed: int,
    level: float = 0.95,
    distance: Distance = "nominal",
    values: Floats | None = None,
    method: Literal["percentile", "basic", "bca"] = "percentile",
) -> dict[str, Interval]:
    """As `bootstrap`, from resampling units that are already counted (`groups_of_counts`)."""
    specs = [specification(measure) for measure in measures]
    drawn = replicates(
        groups,
        measures=measures,
        n_replicates=n_replicates,
        seed=seed,
        distance=distance,
        values=values,
    )
    weights = groups.multiplicity[None, :].astype(np.float64)
    point = coefficient_values(
        specs, groups.sums.resampled(weights), distance, groups.tagset, values
    )[0]
    left_out = None
    if method == "bca":
        left_out = _leave_one_out_values(groups, specs, distance, values)
    out = {}
    for j, spec in enumerate(specs):
        defined = drawn[~np.isnan(drawn[:, j]), j]
        reason = why_no_interval(groups.n_units, defined.size, float(point[j]))
        lower = upper = error = math.nan
        if not reason:
            tails = np.array([(1 - level) / 2, (1 + level) / 2])
            if left_out is not None:
                tails = _bca_tails(
                    tails, defined, float(point[j]), left_out[:, j], groups.multiplicity
                )
            lower, upper = (float(bound) for bound in np.quantile(defined, tails))
            if method == "basic":
                lower, upper = 2 * float(point[j]) - upper, 2 * float(point[j]) - lower
            error = float(defined.std(ddof=1))
        out[spec.name] = Interval(
            lower,
            upper,
            level,
            f"bootstrap-{method}",
            groups.over,
            error,
            groups.n_units,
            n_replicates=n_replicates,
            n_undefined=n_replicates - defined.size,
            seed=seed,
            reason=reason,
        )
    return out


def jackknife(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = DEFAULT_MEASURES,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
    values: Floats | None = None,
) -> dict[str, Interval]:
    """Delete-one-document (or item) intervals: estimate ± t · standard error (Efron 1982)."""
    specs = [checked(measure, matrix) for measure in measures]
    groups = groups_of(matrix, over=over, confusions=any(spec.confusions for spec in specs))
    distance = resolve_sets(distance, matrix)
    left_out = _leave_one_out_values(groups, specs, distance, values)
    point = coefficient_values(
        specs,
        groups.sums.resampled(groups.multiplicity[None, :].astype(np.float64)),
        distance,
        groups.tagset,
        values,
    )[0]
    out = {}
    for j, spec in enumerate(specs):
        usable = ~np.isnan(left_out[:, j])
        n = int(groups.multiplicity[usable].sum())
        reason = why_no_interval(groups.n_units, n, float(point[j]))
        error = math.nan
        if not reason:
            kept = groups.multiplicity[usable]
            mean = float((left_out[usable, j] * kept).sum() / n)
            spread = float((kept * (left_out[usable, j] - mean) ** 2).sum())
            error = math.sqrt((n - 1) / n * spread)
        out[spec.name] = symmetric_interval(
            float(point[j]), error, level, "jackknife", groups.over, groups.n_units, reason
        )
    return out


def symmetric_interval(
    value: float,
    error: float,
    level: float,
    method: str,
    over: str,
    n_groups: int,
    reason: str = "",
) -> Interval:
    """value ± t(n − 1) · standard error, cut to [−1, 1]."""
    if reason:
        return Interval(math.nan, math.nan, level, method, over, math.nan, n_groups, reason=reason)
    from scipy.special import stdtrit

    half = float(stdtrit(n_groups - 1, (1 + level) / 2)) * error
    return Interval(
        max(-1.0, value - half), min(1.0, value + half), level, method, over, error, n_groups
    )


def _leave_one_out_values(
    groups: Groups, specs: Sequence[CoefficientSpec], distance: Distance, values: Floats | None
) -> Floats:
    """Values (G, M) with one unit of each kind left out."""
    flat = groups.sums.flat()
    total = groups.multiplicity.astype(np.float64) @ flat
    out = []
    for start in range(0, flat.shape[0], BATCH):
        some = groups.sums.like(total - flat[start : start + BATCH])
        out.append(coefficient_values(specs, some, distance, groups.tagset, values))
    return np.concatenate(out) if out else np.empty((0, len(specs)))


def _bca_tails(
    tails: Floats, drawn: Floats, point: float, left_out: Floats, multiplicity: Ints
) -> Floats:
    """The quantiles that bias and acceleration move the tails to (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    below = (drawn < point).mean() + (drawn == point).mean() / 2
    bias = float(ndtri(np.clip(below, 1 / (drawn.size + 1), drawn.size / (drawn.size + 1))))
    usable = ~np.isnan(left_out)
    weights = multiplicity[usable]
    influence = (left_out[usable] * weights).sum() / weights.sum() - left_out[usable]
    squares = (weights * influence**2).sum()
    acceleration = (weights * influence**3).sum() / (6 * squares**1.5) if squares > 0 else 0.0
    z = bias + ndtri(tails)
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))


def why_no_interval(n_units: int, n_usable: int, point: float) -> str:
    """The reason why there is no interval, or nothing."""
    if math.isnan(point):
        return "the coefficient is undefined"
    if n_units < 2:
        return "fewer than two documents or items to draw"
    if n_usable < 2:
        return "the coefficient is undefined in nearly every replicate"
    return ""


def checked(measure: str, matrix: LabelMatrix) -> CoefficientSpec:
    """The spec of a measure that can be computed on this matrix, else MetricsError."""
    spec = specification(measure)
    matrix.require_humans(spec.label)
    if spec.annotators == "two" and matrix.n_annotators != 2:
        raise MetricsError(
            f"{spec.label} compares two annotators and there are {matrix.n_annotators}: "
            f"use {spec.generalisation}"
        )
    return spec


def with_interval(estimate: Estimate, interval: Interval) -> Estimate:
    """The estimate with its interval, and the interval's settings in its signature."""
    settings = f"{interval.method}/{interval.over}/{interval.level:g}"
    if interval.n_replicates:
        settings += f"/{interval.n_replicates}/seed {interval.seed}"
    body, version = estimate.signature.rsplit("|", 1)
    return replace(
        estimate,
        interval=interval.bounds,
        level=interval.level,
        signature=f"{body}|interval:{settings}|{version}",
        detail={
            **estimate.detail,
            "standard_error": interval.standard_error,
            "interval_reason": interval.reason,
            "n_undefined_replicates": interval.n_undefined,
        },
    )
