"""Interval of a coefficient, how it was computed, and its settings among those of an estimate."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ..estimate import Estimate
from ..estimate_detail import Detail
from ..quantiles import t_quantile
from ..reason import Reason, ReasonCode
from ..signature import IntervalMethod


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval at confidence `level`, with the method and the data that it is based on.

    standard_error  standard error of the coefficient
    n_groups        documents or items that were resampled (or omitted one by one)
    n_undefined     replicates with an undefined coefficient, which are excluded
    prior           for a posterior: its agreeing and disagreeing pseudo-items

    lower and upper are nan, with a reason, if fewer than two groups or replicates are usable.
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
    reason: Reason | None = None
    prior: str | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        return (self.lower, self.upper)


def symmetric_interval(
    value: float,
    error: float,
    level: float,
    method: str,
    over: str,
    n_groups: int,
    reason: Reason | None = None,
    *,
    lowest: float = -1.0,
    highest: float = 1.0,
) -> Interval:
    """value ± t(n − 1) · standard error, cut to [lowest, highest]."""
    if reason:
        return Interval(math.nan, math.nan, level, method, over, math.nan, n_groups, reason=reason)
    half = t_quantile(n_groups - 1, (1 + level) / 2) * error
    return Interval(
        max(lowest, value - half), min(highest, value + half), level, method, over, error, n_groups
    )


def why_no_interval(n_units: int, n_usable: int, point: float) -> Reason | None:
    """Return the reason why there is no interval, or None."""
    if math.isnan(point):
        return Reason(ReasonCode.COEFFICIENT_UNDEFINED)
    if n_units < 2:
        return Reason(ReasonCode.NOTHING_TO_DRAW)
    if n_usable < 2:
        return Reason(ReasonCode.REPLICATES_UNDEFINED)
    return None


def add_interval(estimate: Estimate, interval: Interval) -> Estimate:
    """Add an interval to an estimate, and the interval's settings to its own.

    An undefined value gets no bounds, even if there are draws. No settings are added if there
    was nothing to resample.
    """
    if estimate.reason is not None:
        reason = interval.reason or Reason(ReasonCode.COEFFICIENT_UNDEFINED)
        nan = math.nan
        interval = replace(interval, lower=nan, upper=nan, standard_error=nan, reason=reason)
    how = estimate.how
    if interval.n_groups > 1:
        how = how.add_settings(
            interval=IntervalMethod(interval.method, interval.over, interval.level),
            prior=interval.prior,
            replicates=interval.n_replicates or None,
            seed=interval.seed if interval.n_replicates else None,
        )
    return replace(
        estimate,
        interval=interval.bounds,
        level=interval.level,
        how=how,
        detail=estimate.detail
        | Detail(
            standard_error=interval.standard_error,
            interval_reason=str(interval.reason or ""),
            n_undefined_replicates=interval.n_undefined,
        ),
    )
