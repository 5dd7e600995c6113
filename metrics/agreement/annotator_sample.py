"""Intervals of coefficients for new annotators of the same pool: annotators are a sample, too.

The usual interval takes the annotators as they are: it says what other items would give. Here the
error of leaving out one annotator after the other (jackknife) is added to the error over items:

    variance = variance over items + (A − 1)/A Σ (value without annotator a − their mean)²

with Student's t by Satterthwaite's degrees of freedom. What annotators and items have in common is
in both terms, so that the interval is wide rather than narrow. Of more than `MOST` annotators,
random groups of about equal size are left out in place of single annotators. Sources: Gwet (2008),
British Journal of Mathematical and Statistical Psychology 61: 29–48, for an unconditional variance
as the sum of both; Efron & Stein (1981), Annals of Statistics 9(3): 586–596, for the jackknife's
bias. Measures on units: `metrics.unitizing.annotator_sample`.

The jackknife of few annotators misses types of annotators that the crew happens not to have, so
that the interval is too narrow (`benchmarks/results/coverage-annotators.md`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..arrays import Floats
from ..coded_warning import Finding
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..reason import Reason, ReasonCode
from .coefficients import coefficient_from_counts, resolve_set_distance
from .counts import count
from .distances import Distance
from .interval import Interval, add_interval, symmetric_interval
from .label_matrix import LabelMatrix

FEWEST, MOST = 3, 100  # annotators or groups of them that are left out
METHOD = "jackknife-annotators"
HOLDS_FROM = 10  # annotators, from which intervals at 95 % contain the value in .87 or more
COVERAGE = {3: 0.55, 4: 0.65, 5: 0.72, 6: 0.78, 8: 0.87}
"""Least coverage of intervals at 95 % in simulated pools, by the number of annotators."""

_Annotator = TypeVar("_Annotator")


def widen_for_new_annotators(
    estimates: Sequence[Estimate], matrix: LabelMatrix, *, distance: Distance = "nominal"
) -> list[Estimate]:
    """The estimates of a matrix with intervals for new annotators in place of those they have.

    An estimate without an interval over items keeps none; with fewer than three annotators there
    is none, and `interval_reason` in the detail says so.
    """
    table = resolve_set_distance(distance, matrix)
    names = [one.measure for one in estimates]
    rows = []
    for kept in annotator_groups_without_each(
        np.flatnonzero((matrix.codes >= 0).any(axis=0)).tolist()
    ):
        counts = count(matrix.select_annotators(kept))
        rows.append([coefficient_from_counts(name, counts, distance=table).value for name in names])
    without = np.array(rows, dtype=np.float64).reshape(-1, len(names))
    documents = matrix.documents_to_resample
    n_documents = 0 if documents is None else np.unique(documents).size
    return [
        widen_by_left_out_values(
            one,
            without[:, m],
            error=one.detail.standard_error,
            n_drawn=n_documents or one.n_items,
            drawn="documents" if n_documents else "items",
        )
        for m, one in enumerate(estimates)
    ]


def few_annotators_finding(estimate: Estimate) -> Finding | None:
    """Finding on an interval for new annotators that too few of them support; None otherwise."""
    n = estimate.n_compared_annotators
    if not estimate.is_for_new_annotators or n >= HOLDS_FROM:
        return None
    least = COVERAGE[max(fewest for fewest in COVERAGE if fewest <= max(n, FEWEST))]
    figures = {"n_annotators": n, "fewest": HOLDS_FROM, "least": least}
    return Finding("few_for_new_annotators", figures)


def why_no_gate_decided(estimate: Estimate) -> Reason | None:
    """Reason why no gate is decided on a value whose interval is to hold for new annotators."""
    n = estimate.n_compared_annotators
    if estimate.error_of_annotators is None or n >= HOLDS_FROM:
        return None
    return Reason(ReasonCode.FEW_ANNOTATORS_TO_DECIDE, n=n, fewest=HOLDS_FROM)


def annotator_groups_without_each(annotators: Sequence[_Annotator]) -> list[list[_Annotator]]:
    """The annotators without each one in turn, or without each group of more than `MOST`.

    [] of fewer than three.

    >>> annotator_groups_without_each("abc")
    [['b', 'c'], ['a', 'c'], ['a', 'b']]
    """
    n = len(annotators)
    if n < FEWEST:
        return []
    order = np.arange(n) if n <= MOST else np.random.default_rng(0).permutation(n)
    groups = (set(group.tolist()) for group in np.array_split(order, min(n, MOST)))
    return [[one for a, one in enumerate(annotators) if a not in group] for group in groups]


def widen_by_left_out_values(
    estimate: Estimate,
    values_without: Floats,
    *,
    error: float,
    n_drawn: int,
    drawn: str,
    noise: float = 0.0,
    lowest: float = -1.0,
    highest: float = 1.0,
) -> Estimate:
    """An estimate with the interval for new annotators in place of the one over `drawn`.

    values_without  float64 (A,): the value without each annotator
    error    standard error over `drawn` (items, documents), of which there are `n_drawn`
    noise    what the sampling of chance is expected to add to the variance of the jackknife
    lowest, highest  ends of the measure's range
    """
    if math.isnan(estimate.interval[0]):
        return estimate
    n_annotators, of_annotators, reason = values_without.size, math.nan, None
    if n_annotators < FEWEST:
        reason = Reason(ReasonCode.FEW_ANNOTATORS_TO_DRAW, fewest=FEWEST)
    elif np.isnan(values_without).any():
        reason = Reason(ReasonCode.UNDEFINED_WITHOUT_ANNOTATOR)
    else:
        squares = ((values_without - values_without.mean()) ** 2).sum()
        of_annotators = max(0.0, float(squares * (n_annotators - 1) / n_annotators) - noise)
    total = of_annotators + error**2
    df = 1 if reason else _satterthwaite_df(of_annotators, n_annotators - 1, error**2, n_drawn - 1)
    interval = symmetric_interval(
        estimate.value, math.sqrt(total), estimate.level, METHOD, f"{drawn} and annotators",
        df + 1, reason,
        lowest=lowest, highest=highest,
    )  # fmt: skip
    found = add_interval(estimate, _with_source_settings(estimate, interval))
    error = math.sqrt(of_annotators)
    return replace(found, detail=found.detail | Detail(standard_error_annotators=error))


def _with_source_settings(one: Estimate, interval: Interval) -> Interval:
    """The interval with the draws that the error over items came from."""
    return replace(
        interval,
        n_groups=max(interval.n_groups, 2),
        n_replicates=one.how.replicates or 0,
        seed=one.how.seed,
        prior=one.how.prior,
    )


def _satterthwaite_df(first: float, df_first: int, second: float, df_second: int) -> int:
    """Satterthwaite's degrees of freedom of a sum of two variances, at least 1."""
    below = first**2 / max(df_first, 1) + second**2 / max(df_second, 1)
    return max(1, math.floor((first + second) ** 2 / below)) if below > 0 else max(df_first, 1)
