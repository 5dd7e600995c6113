"""Intervals for new annotators of the same pool: annotators are a sample, too.

The usual interval takes the annotators as they are: it says what other documents or items would
give. Here the error of leaving out one annotator after the other (jackknife) is added to it:

    variance = variance over items + (A − 1)/A Σ (value without annotator a − their mean)²

with Student's t by Satterthwaite's degrees of freedom. What annotators and items have in common is
in both terms, so that the interval is wide rather than narrow. Of more than `MOST` annotators,
random groups of about equal size are left out in place of single annotators. Sources: Gwet (2008),
British Journal of Mathematical and Statistical Psychology 61: 29–48, for an unconditional variance
as the sum of both; Efron & Stein (1981), Annals of Statistics 9(3): 586–596, for the jackknife's
bias.

The jackknife of few annotators misses types of annotators that are not among them, so that the
interval is too narrow (`benchmarks/results/coverage-annotators.md`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from ..arrays import Floats
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..reason import Reason, ReasonCode
from .interval import ANY, Interval, Range, add_interval, symmetric_interval

FEWEST, MOST = 3, 100  # annotators or groups of them that are left out
METHOD = "jackknife-annotators"

_Annotator = TypeVar("_Annotator")


def annotator_groups_without_each(annotators: Sequence[_Annotator]) -> list[list[_Annotator]]:
    """Return the annotators without each one in turn, or each group of more than `MOST`.

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


def jackknife_variance(values_without: Floats) -> float:
    """Return (A − 1)/A Σ (value without annotator a − their mean)² of values float64 (A,)."""
    n = values_without.size
    return float(((values_without - values_without.mean()) ** 2).sum() * (n - 1) / n)


def widen_by_left_out_values(
    estimate: Estimate,
    values_without: Floats,
    *,
    error: float,
    n_drawn: int,
    drawn: str,
    noise: float = 0.0,
    within: Range = ANY,
) -> Estimate:
    """Return an estimate with the interval for new annotators in place of the one over `drawn`.

    values_without  float64 (A,): the value without each annotator
    error    standard error over `drawn` (items, documents), of which there are `n_drawn`
    noise    what the sampling of chance is expected to add to the variance of the jackknife
    within   range of the measure
    """
    if math.isnan(estimate.interval[0]):
        return estimate
    n_annotators, of_annotators, reason = values_without.size, math.nan, None
    if n_annotators < FEWEST:
        reason = Reason(ReasonCode.FEW_ANNOTATORS_TO_DRAW, fewest=FEWEST)
    elif np.isnan(values_without).any():
        reason = Reason(ReasonCode.UNDEFINED_WITHOUT_ANNOTATOR)
    else:
        of_annotators = max(0.0, jackknife_variance(values_without) - noise)
    df = 1
    if reason is None:
        df = satterthwaite_df(of_annotators, n_annotators - 1, error**2, n_drawn - 1)
    settings = Interval(
        level=estimate.confidence_level,
        method=METHOD,
        over=f"{drawn} and annotators",
        standard_error=math.sqrt(of_annotators + error**2),
        n_units=max(n_drawn, 2),
        n_replicates=estimate.how.replicates or 0,
        seed=estimate.how.seed,
        prior=estimate.how.prior,
        reason=reason,
    )
    interval = symmetric_interval(settings, estimate.value, df=df, within=within)
    found = add_interval(estimate, interval)
    of_pool = Detail(standard_error_annotators=math.sqrt(of_annotators))
    return replace(found, detail=found.detail | of_pool)


def satterthwaite_df(first: float, df_first: int, second: float, df_second: int) -> int:
    """Return Satterthwaite's degrees of freedom of a sum of two variances, at least 1."""
    below = first**2 / max(df_first, 1) + second**2 / max(df_second, 1)
    return max(1, math.floor((first + second) ** 2 / below)) if below > 0 else max(df_first, 1)
