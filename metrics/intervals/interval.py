"""An interval, and the only place that decides whether there is one and where it ends.

Every method of an interval (draws, a standard error, a published rule) ends here. An interval needs
a value, as many units with content as its measure declares, and enough defined replicates. It lies
in the range of its measure and contains its value, and it has no width only where the measure has
no range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Floats
from ..bootstrap import ROUNDING
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..quantiles import sample_quantiles, t_quantile
from ..reason import Reason, ReasonCode
from ..signature import IntervalMethod

Range = tuple[float, float]
"""Lowest and highest value of a measure, ±inf without a bound."""
ANY: Range = (-math.inf, math.inf)
FEWEST = 2  # resampled units with content, where a measure does not declare more


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """An interval at confidence `level`, with the method and the data that it is based on.

    standard_error  standard error of the value; nan if the method gives none
    over            what was resampled, such as `documents` or `items`
    n_units         documents or items that were resampled (or omitted one by one)
    n_undefined     replicates with an undefined value, which are excluded
    prior           for a posterior: its agreeing and disagreeing pseudo-items
    reason          why lower and upper are nan
    """

    lower: float = math.nan
    upper: float = math.nan
    level: float
    method: str
    over: str
    standard_error: float = math.nan
    n_units: int
    n_replicates: int = 0
    n_undefined: int = 0
    seed: int | None = None
    reason: Reason | None = None
    prior: str | None = None

    @property
    def bounds(self) -> tuple[float, float]:
        return (self.lower, self.upper)

    def without_bounds(self, reason: Reason) -> Interval:
        """Return the interval without bounds, for a reason."""
        return replace(self, lower=math.nan, upper=math.nan, standard_error=math.nan, reason=reason)


def close_interval(
    interval: Interval,
    value: float,
    *,
    within: Range = ANY,
    n_content: int | None = None,
    fewest: int = FEWEST,
) -> Interval:
    """Return the interval as it is reported for a value, or without bounds and with the reason.

    interval   bounds as the method gives them; nan bounds with enough units mean that too few
               replicates are defined
    within     range of the measure, to which the interval is cut
    n_content  resampled units with content; None: all of them
    fewest     units with content that are needed, as the measure declares

    An interval without width is extended by what the units cannot show: all n units can be alike
    with a probability of (1 − level)/2 if others have a share q = 1 − ((1 − level)/2)^(1/n)
    (Clopper & Pearson 1934). Each such unit can move the value to an end of the range, so that the
    interval is extended by the share q of the distance to each end.
    """
    n = interval.n_units if n_content is None else min(n_content, interval.n_units)
    reason = why_no_interval(value, n, interval.n_replicates, interval.n_undefined, fewest)
    if reason is None or reason.code is not ReasonCode.COEFFICIENT_UNDEFINED:
        reason = interval.reason or reason
    if reason is None and not math.isfinite(interval.lower):
        reason = Reason(ReasonCode.REPLICATES_UNDEFINED)
    if reason is not None:
        return interval.without_bounds(reason)
    lower = min(max(interval.lower, within[0]), value)
    upper = max(min(interval.upper, within[1]), value)
    if upper - lower <= ROUNDING and within[0] < within[1]:
        if not (math.isfinite(within[0]) and math.isfinite(within[1])):
            return interval.without_bounds(Reason(ReasonCode.UNITS_ALIKE))
        share = 1 - ((1 - interval.level) / 2) ** (1 / n)
        lower -= share * (lower - min(within[0], lower))
        upper += share * (max(within[1], upper) - upper)
    return replace(interval, lower=lower, upper=upper)


def close_bounds(
    bounds: tuple[float, float],
    value: float,
    *,
    level: float,
    n_units: int,
    within: Range,
    reason: Reason | None = None,
) -> tuple[tuple[float, float], Reason | None]:
    """Close the bounds of a published interval; return them and the reason why there are none.

    reason  why the rule gives no bounds
    """
    given = Interval(
        lower=bounds[0],
        upper=bounds[1],
        level=level,
        method="exact",
        over="items",
        n_units=n_units,
        reason=reason,
    )
    closed = close_interval(given, value, within=within)
    return closed.bounds, closed.reason


def why_no_interval(
    value: float,
    n_units: int,
    n_replicates: int = 0,
    n_undefined: int = 0,
    fewest: int = FEWEST,
) -> Reason | None:
    """Return the reason why a value has no interval, or None.

    n_units  resampled units with content
    fewest   how many of them are needed
    """
    if math.isnan(value):
        return Reason(ReasonCode.COEFFICIENT_UNDEFINED)
    if n_units < fewest:
        return Reason(ReasonCode.FEW_TO_DRAW, fewest=fewest)
    if 2 * n_undefined > n_replicates:
        return Reason(ReasonCode.REPLICATES_UNDEFINED)
    return None


def interval_of_draws(
    draws: Floats,
    tails: tuple[float, float],
    interval: Interval,
    value: float,
    *,
    within: Range = ANY,
    n_content: int | None = None,
    fewest: int = FEWEST,
) -> Interval:
    """Close the interval between two percentiles of draws of a value, float64 (B,), nan undefined.

    interval  the settings of the draws, without bounds
    tails     probabilities of the lower and the upper percentile
    """
    defined = draws[np.isfinite(draws)]
    found = replace(interval, n_replicates=draws.size, n_undefined=draws.size - defined.size)
    if defined.size > 1:
        lower, upper = sample_quantiles(defined, tails)
        error = float(defined.std(ddof=1))
        found = replace(found, lower=lower, upper=upper, standard_error=error)
    return close_interval(found, value, within=within, n_content=n_content, fewest=fewest)


def symmetric_interval(
    interval: Interval,
    value: float,
    *,
    df: int | None = None,
    within: Range = ANY,
    n_content: int | None = None,
    fewest: int = FEWEST,
) -> Interval:
    """Close the interval value ± t · standard error.

    interval  with its standard error, without bounds
    df        degrees of freedom of t; None: units − 1
    """
    df = interval.n_units - 1 if df is None else df
    half = t_quantile(df, (1 + interval.level) / 2) * interval.standard_error
    found = replace(interval, lower=value - half, upper=value + half)
    return close_interval(found, value, within=within, n_content=n_content, fewest=fewest)


def add_interval(estimate: Estimate, interval: Interval) -> Estimate:
    """Add an interval to an estimate, and the interval's settings to its own.

    An undefined value gets no bounds. No settings are added if there was nothing to resample.
    """
    if estimate.reason is not None and interval.reason is None:
        interval = interval.without_bounds(Reason(ReasonCode.COEFFICIENT_UNDEFINED))
    how = estimate.how
    if interval.n_units > 1:
        how = how.add_settings(
            interval=IntervalMethod(interval.method, interval.over, interval.level),
            prior=interval.prior,
            replicates=interval.n_replicates or None,
            **({"seed": interval.seed} if interval.n_replicates else {}),
        )
    return replace(
        estimate,
        interval=interval.bounds,
        confidence_level=interval.level,
        how=how,
        detail=estimate.detail
        | Detail(
            standard_error=interval.standard_error,
            interval_reason=str(interval.reason or ""),
            n_undefined_replicates=interval.n_undefined,
        ),
    )
