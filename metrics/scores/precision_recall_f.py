"""Precision, recall and F from counts by document and category.

Rates of labels and of units come from the same four counts (`category_counts`).

Source: van Rijsbergen 1979, chapter 7 (F_β).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..bootstrap import total_over_documents
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import MeanOfShares, Share
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
    sampling   options of the intervals

    Precision is nan without a unit of the system, recall without a unit of the reference, F only
    without both: F = (1 + β²)·tp / ((1 + β²)·tp + β²·fn + fp). Raises MetricsError for an unknown
    average or β ≤ 0.
    """
    if average not in AVERAGES:
        raise MetricsError(f"average is {average!r}; it must be 'micro' or 'macro'")
    stacked = counts.stacked(pooled=average == "micro")
    return _rates(counts, stacked, average=average, beta=beta, sampling=sampling)


def rates_by_category(
    counts: CategoryCounts, *, beta: float = 1.0, sampling: Sampling = NO_INTERVALS
) -> dict[str, PrecisionRecallF]:
    """Apply `precision_recall_f` to each category of the tagset."""
    stacked = counts.stacked()
    return {
        category: _rates(
            counts, stacked[:, :, k : k + 1], category=category, beta=beta, sampling=sampling
        )
        for k, category in enumerate(counts.tagset)
    }


def rate_statistic(
    rate: Rate, *, average: Average = "micro", beta: float = 1.0
) -> Share | MeanOfShares:
    """Return the rate as a statistic of counts (B, 4, K), also for comparisons."""
    if not beta > 0:
        raise MetricsError(
            f"beta is {beta}; it must be above 0 (1 gives both rates the same weight)"
        )
    parts = partial(_matched_and_all, rate=rate, beta=beta)
    worth = 1 / (1 + beta * beta) if rate == "f" else 1.0
    paired = rate == "f" and beta == 1
    if average == "macro":
        return MeanOfShares(parts, worth, paired)
    return Share(lambda rows: parts(rows.sum(axis=2)), worth, paired)


def _rates(
    counts: CategoryCounts,
    stacked: NDArray[np.integer | np.floating],
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
            rate_statistic(rate, average=average, beta=beta),
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
            sampling=sampling,
        )
        for rate in RATES
    ]
    return PrecisionRecallF(*estimates)


def _matched_and_all(rows: Floats, *, rate: Rate, beta: float) -> tuple[Floats, Floats]:
    """Return what matches, and what could match, of rows (B, 4, …), each (B, …)."""
    found, right, reference, system = rows[:, 0], rows[:, 1], rows[:, 2], rows[:, 3]
    if rate == "precision":
        return right, system
    if rate == "recall":
        return found, reference
    # With found = right = tp this is the F_β of the docstring. If the match ignores categories,
    # each side counts its own matches, and (found + β² right) keeps F symmetric.
    weight = beta * beta
    return right + weight * found, system + weight * reference


def _reason(rate: Rate, category: str | None) -> Reason:
    of_all, of_category = _REASONS[rate]
    return Reason(of_all) if category is None else Reason(of_category, category=category)


_REASONS: dict[Rate, tuple[ReasonCode, ReasonCode]] = {
    "precision": (ReasonCode.NO_SYSTEM_UNIT, ReasonCode.NO_SYSTEM_UNIT_OF_CATEGORY),
    "recall": (ReasonCode.NO_REFERENCE_UNIT, ReasonCode.NO_REFERENCE_UNIT_OF_CATEGORY),
    "f": (ReasonCode.NO_UNIT_OF_EITHER, ReasonCode.NO_UNIT_OF_EITHER_OF_CATEGORY),
}
