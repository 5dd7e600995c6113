"""Control limits for values of unequal precision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

N_LIMITS = 8  # minimum number of points for limits
_SIGMAS = 3.0
_OF_A_RANGE = 1.128  # d2: the mean range of two standard normal values


@dataclass(frozen=True, slots=True)
class Limits:
    """Mean, and (lower, upper) at each point; (nan, nan) at a point without a standard error."""

    mean: float
    bounds: list[tuple[float, float]]


def control_limits(
    values: Sequence[float], standard_errors: Sequence[float], n_baseline: int
) -> Limits | None:
    """Return limits of an individuals chart for values divided by their standard errors.

    The mean weights values by precision. The spread between points is estimated from the mean
    moving range of (value − mean) / standard error (Laney 2002, Quality Engineering 14, 531–537).
    It is at least 1 here, because sampling alone causes a spread of 1, and values that share
    documents differ less from one to the next.

    n_baseline  number of first points used for mean and spread

    Returns None with fewer than `N_LIMITS` of these points with a value and a standard error.
    """
    known = [
        (value, error)
        for value, error in list(zip(values, standard_errors, strict=True))[:n_baseline]
        if math.isfinite(value) and error > 0
    ]
    if len(known) < N_LIMITS:
        return None
    mean = sum(x / e**2 for x, e in known) / sum(1 / e**2 for _, e in known)
    standardised = [(x - mean) / e for x, e in known]
    ranges = [abs(b - a) for a, b in pairwise(standardised)]
    spread = _SIGMAS * max(1.0, sum(ranges) / len(ranges) / _OF_A_RANGE)
    halves = [spread * e if e > 0 else math.nan for e in standard_errors]
    return Limits(mean, [(mean - half, mean + half) for half in halves])
