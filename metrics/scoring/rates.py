"""Precision, recall and F from counts by document and category.

Rates of labels and of units come from the same four counts (`category_counts`), so that this module
serves both.

Source: van Rijsbergen 1979, chapter 7 (F_β).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from ..estimate import NO_INTERVAL, Estimate
from ..reason import Reason, ReasonCode
from .bootstrap import Statistic, bootstrap_intervals, total
from .category_counts import CategoryCounts
from .ratio import divide, estimate, mean_defined

Average = Literal["micro", "macro"]
Rate = Literal["precision", "recall", "f"]
_RATES: tuple[Rate, ...] = ("precision", "recall", "f")


@dataclass(frozen=True, slots=True)
class PrecisionRecallF:
    precision: Estimate
    recall: Estimate
    f: Estimate


def precision_recall_f(
    counts: CategoryCounts,
    *,
    average: Average = "micro",
    category: str | None = None,
    beta: float = 1.0,
    n_replicates: int = 0,
    level: float = 0.95,
    seed: int = 0,
    input_digest: str | None = None,
) -> PrecisionRecallF:
    """Precision, recall and F_β, each in [0, 1], of all categories or of one.

    micro      units of all categories together
    macro      mean over categories, each rate over the categories where it is defined (precision:
               the system has a unit of it; recall: the reference has; F: either has)
    category   this category alone (`average` then does not matter)
    n_replicates  of a bootstrap over documents for the intervals; 0: no interval
    input_digest  put in the signatures instead of the counts' own

    Precision is nan without a unit of the system, recall without a unit of the reference, F only
    without both: F = (1 + β²)·tp / ((1 + β²)·tp + β²·fn + fp). Raises MetricsError for a category
    outside the tagset, an unknown average or β ≤ 0.
    """
    if average not in ("micro", "macro"):
        raise MetricsError(f"average is {average!r}; it must be 'micro' or 'macro'")
    _require_beta(beta)
    stacked = counts.stacked(pooled=category is None and average == "micro")
    if category is not None:
        column = _column(category, counts.tagset)
        stacked = stacked[:, :, column : column + 1]
    statistics = [partial(_mean_rate, rate=rate, beta=beta) for rate in _RATES]
    intervals = (
        bootstrap_intervals(stacked, statistics, n_replicates=n_replicates, level=level, seed=seed)
        if n_replicates
        else [NO_INTERVAL] * len(statistics)
    )
    return _rates(
        counts,
        stacked,
        statistics,
        intervals,
        average=average,
        category=category,
        beta=beta,
        n_replicates=n_replicates,
        level=level,
        seed=seed,
        input_digest=input_digest,
    )


def rates_by_category(
    counts: CategoryCounts,
    *,
    beta: float = 1.0,
    n_replicates: int = 0,
    level: float = 0.95,
    seed: int = 0,
    input_digest: str | None = None,
) -> dict[str, PrecisionRecallF]:
    """`precision_recall_f` of each category of the tagset, all from the same replicates."""
    _require_beta(beta)
    stacked = counts.stacked(pooled=False)
    statistics = [
        rate_statistic(rate, tagset=counts.tagset, category=category, beta=beta)
        for category in counts.tagset
        for rate in _RATES
    ]
    intervals = (
        bootstrap_intervals(stacked, statistics, n_replicates=n_replicates, level=level, seed=seed)
        if n_replicates
        else [NO_INTERVAL] * len(statistics)
    )
    of_one = [partial(_mean_rate, rate=rate, beta=beta) for rate in _RATES]
    n = len(_RATES)
    return {
        category: _rates(
            counts,
            stacked[:, :, k : k + 1],
            of_one,
            intervals[k * n : (k + 1) * n],
            average="micro",
            category=category,
            beta=beta,
            n_replicates=n_replicates,
            level=level,
            seed=seed,
            input_digest=input_digest,
        )
        for k, category in enumerate(counts.tagset)
    }


def _rates(
    counts: CategoryCounts,
    stacked: NDArray[np.integer | np.floating],
    statistics: Sequence[Statistic],
    intervals: Sequence[tuple[float, float]],
    *,
    average: Average,
    category: str | None,
    beta: float,
    n_replicates: int,
    level: float,
    seed: int,
    input_digest: str | None,
) -> PrecisionRecallF:
    """The three estimates of stacked counts (D, 4, columns), with the intervals found for them."""
    found, right, reference, system = total(stacked)[0].sum(axis=1)
    estimates = [
        estimate(
            rate,
            stacked,
            statistic,
            reason=_reason(rate, category),
            n_items=int(reference),
            detail={
                "tp": float(found),
                "fp": float(system - right),
                "fn": float(reference - found),
                "n_reference": int(reference),
                "n_system": int(system),
                f"n_{counts.rows}": counts.n_documents,
            },
            settings={
                "match": counts.match,
                "average": average if category is None else None,
                "undefined": "left-out" if average == "macro" and category is None else None,
                "category": category,
                "beta": float(beta) if rate == "f" else None,
                "input": input_digest or counts.input_digest or None,
            },
            rows=counts.rows,
            n_replicates=n_replicates,
            level=level,
            seed=seed,
            interval=interval,
        )
        for rate, statistic, interval in zip(_RATES, statistics, intervals, strict=True)
    ]
    return PrecisionRecallF(*estimates)


def rate_statistic(
    rate: Rate,
    *,
    tagset: Sequence[str],
    average: Average = "micro",
    category: str | None = None,
    beta: float = 1.0,
) -> Statistic:
    """The rate as a function of summed counts (B, 4, K) → (B,), for `metrics.scoring.compare`."""
    _require_beta(beta)
    column = None if category is None else _column(category, tagset)

    def statistic(sums: NDArray[np.float64]) -> NDArray[np.float64]:
        if column is not None:
            sums = sums[:, :, column : column + 1]
        elif average == "micro":
            sums = sums.sum(axis=2, keepdims=True)
        return _mean_rate(sums, rate=rate, beta=beta)

    return statistic


def _require_beta(beta: float) -> None:
    if not beta > 0:
        raise MetricsError(f"beta is {beta}; it must be above 0 (1 weighs both the same)")


def _column(category: str, tagset: Sequence[str]) -> int:
    if category not in tagset:
        raise MetricsError(
            f"category {category!r} is not in the tagset ({', '.join(tagset)}): nothing to score"
        )
    return list(tagset).index(category)


def _mean_rate(sums: NDArray[np.float64], *, rate: Rate, beta: float) -> NDArray[np.float64]:
    """Mean over the columns of sums (B, 4, columns) of their rate: (B,)."""
    found, right, reference, system = sums[:, 0], sums[:, 1], sums[:, 2], sums[:, 3]
    if rate == "precision":
        values = divide(right, system)
    elif rate == "recall":
        values = divide(found, reference)
    else:
        # With found = right = tp this is the F_β of the docstring; where the match ignores
        # categories each side counts its own matches, and (found + β² right) keeps F symmetric.
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
