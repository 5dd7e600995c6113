"""Estimate of a score: a statistic of counts, with its interval."""

from __future__ import annotations

import math

from ..bootstrap import Counts
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..intervals.evaluate import Share, Statistic, evaluate, ratio_of_columns
from ..intervals.interval import add_interval
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason
from ..signature import How

SHARE_OF_COLUMNS = Share(ratio_of_columns(0, 1))
"""The share of successes, of counts (D, 2): successes and trials."""


def estimate_of_counts(
    how: How,
    counts: Counts,
    statistic: Statistic = SHARE_OF_COLUMNS,
    *,
    reason: Reason | None,
    n_items: int,
    detail: Detail,
    rows: str = "documents",
    sampling: Sampling = NO_INTERVALS,
) -> Estimate:
    """Return the statistic of Σ counts with its interval; `reason` is used only if it is nan.

    counts  (D, …), one row per unit
    rows    what a unit is: `documents`, or `items` without documents
    """
    [found] = evaluate(counts, [statistic], sampling, over=rows)
    result = estimate(
        how,
        found.value,
        reason if math.isnan(found.value) else None,
        confidence_level=sampling.confidence_level,
        n_items=n_items,
        detail=detail,
    )
    return result if found.interval is None else add_interval(result, found.interval)
