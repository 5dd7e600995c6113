"""Quantiles of samples, and of the normal and Student's t distribution, without slow imports.

Importing `scipy.special` takes a quarter of a second of CPU, more than all else that a small
agreement needs; `np.quantile` imports masked arrays. Arrays of probabilities, p-values and other
distributions use SciPy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from .arrays import Floats

_STANDARD = NormalDist()
_DIRECT = 50.0  # below, the gamma function itself is used instead of the series of its ratio
_RATIO = (-1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304)


def sample_quantiles(values: Floats, probabilities: Iterable[float]) -> list[float]:
    """Return quantiles of a sample (n,) without nan, interpolated linearly as by `np.quantile`.

    All are nan without a value.

    >>> sample_quantiles(np.array([3.0, 1.0, 2.0]), [0.5, 0.75])
    [2.0, 2.5]
    """
    wanted, last = [*probabilities], values.size - 1
    if last < 0:
        return [math.nan] * len(wanted)
    places = [min(max(p, 0.0), 1.0) * last for p in wanted]
    ranks = {min(math.floor(place) + k, last) for place in places for k in (0, 1)}
    ordered = np.partition(values, sorted(ranks))
    found = []
    for place in places:
        below = math.floor(place)
        low, high = float(ordered[below]), float(ordered[min(below + 1, last)])
        share, step = place - below, high - low
        found.append(high - step * (1 - share) if share >= 0.5 else low + step * share)
    return found


def normal_probability(z: float) -> float:
    """Return P(Z ≤ z) of a standard normal variable."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_quantile(probability: float) -> float:
    """Return z with P(Z ≤ z) = probability; ±inf for 0 and 1, nan outside [0, 1]."""
    if 0 < probability < 1:
        return _STANDARD.inv_cdf(probability)
    return {0.0: -math.inf, 1.0: math.inf}.get(probability, math.nan)


def two_sided_normal_quantile(level: float) -> float:
    """Return z for a two-sided interval of the level.

    >>> round(two_sided_normal_quantile(0.95), 4)
    1.96
    """
    return normal_quantile((1 + level) / 2)


@lru_cache
def t_quantile(df: float, probability: float) -> float:
    """Return t with P(T ≤ t) = probability for `df` degrees of freedom.

    ±inf for 0 and 1, nan outside [0, 1] or if df is not positive. The relative error is below
    1e-13 for intervals of up to 99 %, and below 1e-11 up to 99.99 %.

    Newton's method starts at the normal quantile, which is nearer to 0: the tail is convex, so no
    step is too large.
    """
    if not df > 0 or not 0 < probability < 1:
        return normal_quantile(probability) if df > 0 else math.nan
    if probability < 0.5:
        return -t_quantile(df, 1 - probability)
    t = normal_quantile(probability)
    for _ in range(100):
        step = (_upper_tail(df, t) - (1 - probability)) / _density(df, t)
        t += step
        if abs(step) <= 4e-16 * t:
            break
    return t


@lru_cache
def student_tails(df: float, level: float, scale: float = 1.0) -> tuple[float, float]:
    """Return the probabilities of percentiles of normal draws that bound what Student's t would.

    scale  factor on the quantile of Student's t with `df` degrees of freedom
    """
    t = t_quantile(df, (1 + level) / 2) * scale
    return normal_probability(-t), normal_probability(t)


def _density(df: float, t: float) -> float:
    power = math.exp(-(df + 1) / 2 * math.log1p(t * t / df))
    return _gamma_ratio(df / 2) / math.sqrt(df * math.pi) * power


def _upper_tail(df: float, t: float) -> float:
    """P(T > t) for t ≥ 0, half of an incomplete beta function (Abramowitz & Stegun 26.7.1).

    Its series have positive terms only, and one of them has an argument of at most one half.
    """
    ratio = t * t / df
    sine, cosine = ratio / (1 + ratio), 1 / (1 + ratio)  # squares, of an angle of tangent t/√df
    front = _gamma_ratio(df / 2) * math.sqrt(sine / math.pi)
    front *= math.exp(-df / 2 * math.log1p(ratio))
    if ratio <= 1:
        return 0.5 - front * _series(df / 2, 0.5, sine)
    return front / df * _series(0.5, df / 2, cosine)


def _series(other: float, own: float, x: float) -> float:
    """Σ (own + other)_k / (own + 1)_k xᵏ for 0 ≤ x ≤ ½ (Abramowitz & Stegun 26.5.4)."""
    term = total = 1.0
    k = 0
    while term > 1e-17 * total:
        term *= (own + other + k) / (own + 1 + k) * x
        total += term
        k += 1
    return total


def _gamma_ratio(a: float) -> float:
    """Γ(a + ½) / Γ(a)."""
    if a < _DIRECT:
        return math.gamma(a + 0.5) / math.gamma(a)
    return math.sqrt(a) * (1 + sum(c / a ** (k + 1) for k, c in enumerate(_RATIO)))
