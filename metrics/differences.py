"""Difference of two values of a measure, with its interval and p-value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import Floats
from .bootstrap import expanded_percentile, p_value_of_zero, student_p_value
from .quantiles import normal_probability, t_quantile
from .reason import Reason


@dataclass(frozen=True, slots=True)
class Difference:
    """Value 1 minus value 2, its interval and a two-sided p-value.

    The value and the bounds are nan, with a reason, if one of the two is undefined. Only the
    p-value is nan, with `p_reason`, if its test would reject too often. `prior` has the
    pseudo-items of a posterior.
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


def no_difference(
    reason: Reason, *, level: float, method: str, over: str, n_groups: int
) -> Difference:
    """Return an undefined difference with its reason."""
    nothing = (math.nan, math.nan, math.nan, level, math.nan, math.nan)
    return Difference(*nothing, method=method, over=over, n_groups=n_groups, reason=reason)


def resampled_difference(
    value: float,
    replicates: Floats,
    *,
    level: float,
    method: str,
    over: str,
    n_groups: int,
) -> Difference:
    """Return a difference from its bootstrap replicates (at least two), float64 (B,), all defined.

    The interval is an expanded percentile interval; the p-value is 1 minus the level of the
    interval that ends at 0.
    """
    lower, upper = expanded_percentile(replicates, level, n_groups)
    p_value = p_value_of_zero(replicates, n_groups)
    error = float(replicates.std(ddof=1))
    return Difference(value, lower, upper, level, p_value, error, method, over, n_groups)


def posterior_difference(
    value: float,
    draws: Floats,
    *,
    level: float,
    method: str,
    over: str,
    n_groups: int,
    prior: str,
) -> Difference:
    """Return a difference from draws of its posterior (at least two), float64 (B,), all defined.

    The interval has the tails of Student's t with n − 1 degrees of freedom for n units, and is
    extended to contain the value; the p-value is 1 minus the level of the interval that ends at 0.
    """
    t = t_quantile(n_groups - 1, (1 + level) / 2)
    lower, upper = np.quantile(draws, [normal_probability(-t), normal_probability(t)]).tolist()
    p_value = student_p_value(draws, n_groups - 1)
    return Difference(
        value,
        min(lower, value),
        max(upper, value),
        level,
        p_value,
        float(draws.std(ddof=1)),
        method,
        over,
        n_groups,
        prior=prior,
    )


def holm(p_values: Sequence[float] | Floats) -> Floats:
    """Return Holm's step-down adjusted p-values, in the given order; nan stays nan, uncounted."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, math.nan)
    tested = np.nonzero(~np.isnan(p))[0]
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted
