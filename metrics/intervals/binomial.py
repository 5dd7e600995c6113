"""Confidence intervals of a share from independent items; sizes may be fractional."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..quantiles import two_sided_normal_quantile


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lower and upper bounds of confidence intervals, arrays of one shape."""

    lower: Floats
    upper: Floats

    @property
    def width(self) -> Floats:
        return self.upper - self.lower

    def envelope(self, other: Bounds) -> Bounds:
        """Return the smaller of the lower and the larger of the upper bounds."""
        return Bounds(
            np.minimum(self.lower, other.lower),
            np.maximum(self.upper, other.upper),
        )


def clopper_pearson(hits: Floats, sizes: Floats, level: float = 0.95) -> Bounds:
    """Exact interval of a share; covers it at least with the level.

    hits, sizes  float64, one shape; sizes above 0

    Clopper & Pearson (1934), Biometrika 26(4); for effective sizes Korn & Graubard (1998), Survey
    Methodology 24(2).
    """
    return _beta_bounds(hits, sizes - hits + 1, hits + 1, sizes - hits, level)


def clopper_pearson_limits(hits: int, size: int, level: float = 0.95) -> tuple[float, float]:
    """Return `clopper_pearson` of one share; (nan, nan) without an item.

    >>> [round(limit, 4) for limit in clopper_pearson_limits(30, 30)]
    [0.8843, 1.0]
    """
    if not size:
        return math.nan, math.nan
    found = clopper_pearson(np.array(float(hits)), np.array(float(size)), level)
    return float(found.lower), float(found.upper)


def jeffreys(hits: Floats, sizes: Floats, level: float = 0.95) -> Bounds:
    """Jeffreys' interval: quantiles of Beta(hits + ½, misses + ½); 0 and 1 at the extremes.

    A share without items has the interval 0 to 1. Brown, Cai & DasGupta (2001), Statistical
    Science 16(2).
    """
    misses = sizes - hits
    found = _beta_bounds(hits + 0.5, misses + 0.5, hits + 0.5, misses + 0.5, level)
    return Bounds(np.where(hits <= 0, 0.0, found.lower), np.where(misses <= 0, 1.0, found.upper))


def wilson(hits: Floats, sizes: Floats, level: float = 0.95) -> Bounds:
    """Wilson's score interval. Wilson (1927), Journal of the American Statistical Assoc. 22."""
    z2 = two_sided_normal_quantile(level) ** 2
    share = hits / sizes
    middle = (share + z2 / (2 * sizes)) / (1 + z2 / sizes)
    half = np.sqrt(z2 * (share * (1 - share) / sizes + z2 / (4 * sizes**2))) / (1 + z2 / sizes)
    return Bounds(np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0))


def _beta_bounds(a: Floats, b: Floats, a_upper: Floats, b_upper: Floats, level: float) -> Bounds:
    """Return quantiles of two beta distributions; 0 and 1 where a parameter is not positive."""
    from scipy.special import betaincinv

    tail = (1 - level) / 2
    has_lower, has_upper = a > 0, b_upper > 0
    lower = betaincinv(np.where(has_lower, a, 1.0), b, tail)
    upper = betaincinv(a_upper, np.where(has_upper, b_upper, 1.0), 1 - tail)
    return Bounds(np.where(has_lower, lower, 0.0), np.where(has_upper, upper, 1.0))
