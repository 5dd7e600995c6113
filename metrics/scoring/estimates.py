"""Estimate of a score: a statistic of counts, with its interval."""

from __future__ import annotations

import math
from typing import Unpack

from ..bootstrap import Counts, Sampling, Statistic, bootstrap_intervals, ratio, total
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..reason import Reason
from ..signature import How, interval_settings


def estimate_of_counts(
    how: How,
    counts: Counts,
    statistic: Statistic = ratio,
    *,
    reason: Reason | None,
    n_items: int,
    detail: dict[str, float | int | str],
    rows: str = "documents",
    interval: tuple[float, float] | None = None,
    **sampling: Unpack[Sampling],
) -> Estimate:
    """Return statistic(Σ counts) with its interval over `rows`; `reason` is used only if it is nan.

    interval  an interval that was already computed with the same sampling
    """
    n_replicates, level = sampling.get("n_replicates", 0), sampling.get("level", 0.95)
    value = float(statistic(total(counts))[0])
    if interval is None:
        interval = (
            bootstrap_intervals(counts, [statistic], **sampling)[0] if n_replicates else NO_INTERVAL
        )
    return estimate(
        how.adding(
            **interval_settings(n_replicates, rows, level, n_drawn=counts.shape[0]),
            seed=sampling.get("seed", 0) if n_replicates and counts.shape[0] > 1 else None,
        ),
        value,
        reason if math.isnan(value) else None,
        interval,
        level=level,
        n_items=n_items,
        detail=detail,
    )
