"""Precision, recall and F from counts by document and category.

Rates of labels and of units come from the same four counts (`category_counts`).

Source: van Rijsbergen 1979, chapter 7 (F_β).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, divide
from ..bootstrap import Statistic, bootstrap_intervals, mean_defined, total_over_documents
from ..errors import MetricsError
from ..estimate import NO_INTERVAL, Estimate
from ..estimate_detail import Detail
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .category_counts import CategoryCounts
from .score_estimates import estimate_of_counts

Average = Literal["micro", "macro"]
Rate = Literal["precision", "recall", "f"]
AVERAGES: tuple[Average, ...] = get_args(Average)
RATES: tuple[Rate, ...] = get_args(Rate)


@dataclass(frozen=True, slots=True)
class PrecisionRecallF:
    precision: Estimate
    recall: Estimate
    f: Estimate


def precision_recall_f(
    counts: CategoryCounts,
    *,
    average: Average = "micro",
    beta: float = 1.0,
    sampling: Sampling = NO_INTERVALS,
) -> PrecisionRecallF:
    """Return precision, recall and F_β, each in [0, 1], over all categories.

    micro      units of all categories together
    macro      mean over categories, each rate over the categories where it is defined (precision:
               the system has a unit of it; recall: the reference has; F: either has)
    sampling   options of a bootstrap over documents for the intervals

    Precision is nan without a unit of the system, recall without a unit of the reference, F only
    without both: F = (1 + β²)·tp / ((1 + β²)·tp + β²·fn + fp). Raises MetricsError for an unknown
    average or β ≤ 0.
    """
    if average not in AVERAGES:
        raise MetricsError(f"average is {average!r}; it must be 'micro' or 'macro'")
    stacked = counts.stacked(pooled=average == "micro")
    statistics = [rate_statistic(rate, average=average, beta=beta) for rate in RATES]
    intervals = _intervals(stacked, statistics, sampling)
    return _rates(counts, stacked, intervals, average=average, beta=beta, sampling=sampling)


def rates_by_category(
    counts: CategoryCounts, *, beta: float = 1.0, sampling: Sampling = NO_INTERVALS
) -> dict[str, PrecisionRecallF]:
    """Apply `precision_recall_f` to each category of the tagset, all with the same replicates."""
    stacked = counts.stacked()
    columns = [slice(k, k + 1) for k in range(len(counts.tagset))]
    statistics = [
        rate_statistic(rate, column=column, beta=beta) for column in columns for rate in RATES
    ]
    intervals = iter(_intervals(stacked, statistics, sampling))
    return {
        category: _rates(
            counts,
            stacked[:, :, column],
            [next(intervals) for _ in RATES],
            category=category,
            beta=beta,
            sampling=sampling,
        )
        for category, column in zip(counts.tagset, columns, strict=True)
    }


def rate_statistic(
    rate: Rate, *, average: Average = "micro", column: slice | None = None, beta: float = 1.0
) -> Statistic:
    """Return the rate as a function of summed counts (B, 4, K) → (B,), also for comparisons.

    column  the category of the rate; None: all categories
    """
    if not beta > 0:
        raise MetricsError(
            f"beta is {beta}; it must be above 0 (1 gives both rates the same weight)"
        )

    def statistic(sums: Floats) -> Floats:
        if column is not None:
            sums = sums[:, :, column]
        elif average == "micro":
            sums = sums.sum(axis=2, keepdims=True)
        return _mean_rate(sums, rate=rate, beta=beta)

    return statistic


def _intervals(
    stacked: NDArray[np.integer | np.floating], statistics: Sequence[Statistic], sampling: Sampling
) -> list[tuple[float, float]]:
    if not sampling.replicates:
        return [NO_INTERVAL] * len(statistics)
    return bootstrap_intervals(stacked, statistics, **sampling.arguments)


def _rates(
    counts: CategoryCounts,
    stacked: NDArray[np.integer | np.floating],
    intervals: Sequence[tuple[float, float]],
    *,
    average: Average = "micro",
    category: str | None = None,
    beta: float,
    sampling: Sampling,
) -> PrecisionRecallF:
    """Return the three estimates of stacked counts (D, 4, columns), with their intervals."""
    found, right, reference, system = total_over_documents(stacked)[0].sum(axis=1)
    estimates = [
        estimate_of_counts(
            How(
                measure=rate,
                match=counts.match,
                average=average if category is None else None,
                undefined="left-out" if average == "macro" else None,
                category=category,
                beta=float(beta) if rate == "f" else None,
                input=counts.input_digest or None,
            ),
            stacked,
            partial(_mean_rate, rate=rate, beta=beta),
            reason=_reason(rate, category),
            n_items=int(reference),
            detail=Detail(
                tp=float(found),
                fp=float(system - right),
                fn=float(reference - found),
                n_reference=int(reference),
                n_system=int(system),
            )
            | counts.row_count,
            rows=counts.rows,
            interval=interval,
            sampling=sampling,
        )
        for rate, interval in zip(RATES, intervals, strict=True)
    ]
    return PrecisionRecallF(*estimates)


def _mean_rate(sums: Floats, *, rate: Rate, beta: float) -> Floats:
    """Mean rate (B,) over the columns of sums (B, 4, columns)."""
    found, right, reference, system = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3]
    if rate == "precision":
        values = divide(right, system)
    elif rate == "recall":
        values = divide(found, reference)
    else:
        # With found = right = tp this is the F_β of the docstring. If the match ignores categories,
        # each side counts its own matches, and (found + β² right) keeps F symmetric.
        weight = beta * beta
        credit = right + weight * found
        values = divide(credit, system + weight * reference)
    return mean_defined(values)


def _reason(rate: Rate, category: str | None) -> Reason:
    of_all, of_category = _REASONS[rate]
    return Reason(of_all) if category is None else Reason(of_category, category=category)


_REASONS: dict[Rate, tuple[ReasonCode, ReasonCode]] = {
    "precision": (ReasonCode.NO_SYSTEM_UNIT, ReasonCode.NO_SYSTEM_UNIT_OF_CATEGORY),
    "recall": (ReasonCode.NO_REFERENCE_UNIT, ReasonCode.NO_REFERENCE_UNIT_OF_CATEGORY),
    "f": (ReasonCode.NO_UNIT_OF_EITHER, ReasonCode.NO_UNIT_OF_EITHER_OF_CATEGORY),
}
