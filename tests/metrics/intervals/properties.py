"""What every interval of every measure and every sampling has in common."""

from __future__ import annotations

import math

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.measures import measure_of

_ROUNDING = 1e-12


def assert_interval_holds(estimate: Estimate, n_content: int) -> None:
    """The interval contains its value, lies in the range and has a width; else it has a reason.

    n_content  resampled units with content, of which an interval needs those of its measure
    """
    lower, upper = estimate.interval
    name = f"{estimate.measure} {estimate.value} {estimate.interval} {estimate.signature}"
    assert math.isnan(lower) == math.isnan(upper), name
    if math.isnan(lower):
        assert estimate.reason or estimate.detail.interval_reason, name
        return
    assert n_content >= measure_of(estimate.measure).fewest, name
    assert estimate.reason is None, name
    value, error = estimate.value, _ROUNDING * max(1.0, abs(estimate.value))
    assert lower - error <= value <= upper + error, name
    lowest, highest = measure_of(estimate.measure).range
    assert min(lowest, value) - error <= lower < upper <= max(highest, value) + error, name
