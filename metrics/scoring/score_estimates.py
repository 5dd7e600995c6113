"""Estimate of a score: a statistic of counts, with its interval."""

from __future__ import annotations

import math

from ..bootstrap import Counts, Statistic, bootstrap_intervals, ratio_of_sums, total_over_documents
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..estimate_detail import Detail
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason
from ..signature import How, interval_settings


def estimate_of_counts(
    how: How,
    counts: Counts,
    statistic: Statistic = ratio_of_sums,
    *,
    reason: Reason | None,
    n_items: int,
    detail: Detail,
    rows: str = "documents",
    interval: tuple[float, float] | None = None,
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return statistic(Σ counts) with its interval over `rows`; `reason` is used only if it is nan.

    interval  an interval that was already computed with the same sampling
    """
    n_replicates, level, n_drawn = sampling.replicates, sampling.level, counts.shape[0]
    value = float(statistic(total_over_documents(counts))[0])
    if interval is None:
        interval = (
            bootstrap_intervals(counts, [statistic], **sampling.arguments)[0]
            if n_replicates
            else NO_INTERVAL
        )
    return estimate(
        how.add_settings(
            **interval_settings(n_replicates, rows, level, n_drawn=n_drawn),
            seed=sampling.seed if n_replicates and n_drawn > 1 else None,
        ),
        value,
        reason if math.isnan(value) else None,
        interval,
        level=level,
        n_items=n_items,
        detail=detail,
    )
