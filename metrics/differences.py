"""Difference of two values of a measure, with its interval and p-value."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .arrays import Floats
from .bootstrap import p_value_of_zero, percentile_probabilities, student_p_value
from .intervals.interval import ANY, Interval, Range, interval_of_draws
from .quantiles import student_tails
from .reason import Reason

Tails = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Difference:
    """Value 1 minus value 2, its interval and a two-sided p-value.

    The bounds and the p-value are nan, with a reason, if there is no interval; the value is nan as
    well if one of the two is undefined. Only the p-value is nan, with `p_reason`, if its test would
    reject too often. `prior` has the pseudo-items of a posterior. `least_p` is the p-value of draws
    that are all on one side of 0: the smallest that so many draws can give.
    """

    value: float
    lower: float
    upper: float
    level: float
    p_value: float
    standard_error: float
    method: str
    over: str
    n_groups: int
    reason: Reason | None = None
    p_reason: Reason | None = None
    prior: str | None = None
    least_p: float = 0.0


def range_of_difference(first: Range, second: Range) -> Range:
    """Return the range of a value in the first range minus one in the second."""
    return (first[0] - second[1], first[1] - second[0])


def difference_of(interval: Interval, value: float, p_value: float) -> Difference:
    """Return the difference of a closed interval; without a p-value where there is no interval."""
    return Difference(
        value,
        *interval.bounds,
        interval.level,
        math.nan if interval.reason else p_value,
        interval.standard_error,
        interval.method,
        interval.over,
        interval.n_units,
        interval.reason,
        prior=interval.prior,
    )


def no_difference(
    reason: Reason, *, level: float, method: str, over: str, n_groups: int
) -> Difference:
    """Return an undefined difference with its reason."""
    settings = Interval(level=level, method=method, over=over, n_units=n_groups, reason=reason)
    return difference_of(settings, math.nan, math.nan)


def resampled_difference(
    value: float,
    replicates: Floats,
    *,
    level: float,
    method: str,
    over: str,
    n_groups: int,
    within: Range = ANY,
) -> Difference:
    """Return a difference from its bootstrap replicates, float64 (B,), nan where undefined.

    within  range of the difference

    The interval is an expanded percentile interval; the p-value is 1 minus the level of the
    interval that ends at 0.
    """
    settings = Interval(level=level, method=method, over=over, n_units=n_groups)
    tails = percentile_probabilities(level, max(n_groups, 2))
    return _of_draws(value, replicates, tails, settings, within, p_value_of_zero)


def posterior_difference(
    value: float,
    draws: Floats,
    *,
    level: float,
    method: str,
    over: str,
    n_groups: int,
    prior: str,
    within: Range = ANY,
) -> Difference:
    """Return a difference from draws of its posterior, float64 (B,), nan where undefined.

    within  range of the difference

    The interval has the tails of Student's t with n − 1 degrees of freedom for n units; the p-value
    is 1 minus the level of the interval that ends at 0.
    """
    settings = Interval(level=level, method=method, over=over, n_units=n_groups, prior=prior)
    tails = student_tails(max(n_groups, 2) - 1, level)
    return _of_draws(
        value, draws, tails, settings, within, lambda drawn, n: student_p_value(drawn, n - 1)
    )


def _of_draws(
    value: float,
    draws: Floats,
    tails: Tails,
    settings: Interval,
    within: Range,
    p_value_of: Callable[[Floats, int], float],
) -> Difference:
    interval = interval_of_draws(draws, tails, settings, value, within=within)
    if interval.reason is not None:
        return difference_of(interval, value, math.nan)
    drawn = draws[np.isfinite(draws)]
    p_value, least = (p_value_of(one, interval.n_units) for one in (drawn, np.ones_like(drawn)))
    return replace(difference_of(interval, value, p_value), least_p=least)


def holm(p_values: Sequence[float] | Floats) -> Floats:
    """Return Holm's step-down adjusted p-values, in the given order; nan stays nan, uncounted."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, math.nan)
    tested = np.nonzero(~np.isnan(p))[0]
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted
