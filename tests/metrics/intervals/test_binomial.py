"""Intervals of a share, against other programs' code for the same published formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import beta, binomtest

from accordeur.metrics.intervals.binomial import (
    Bounds,
    clopper_pearson,
    clopper_pearson_limits,
    jeffreys,
    wilson,
)

CASES = [(0, 10), (1, 10), (2, 10), (9, 10), (10, 10), (37, 120)]
LEVELS = [0.95, 0.8]


@pytest.mark.parametrize("level", LEVELS)
def test_exact_and_score_intervals_are_those_of_scipy(level: float) -> None:
    hits, sizes = np.array(CASES, dtype=np.float64).T
    for interval, method in ((clopper_pearson, "exact"), (wilson, "wilson")):
        found = interval(hits, sizes, level)
        for k, (hit, size) in enumerate(CASES):
            expected = binomtest(hit, size).proportion_ci(level, method=method)
            assert (found.lower[k], found.upper[k]) == pytest.approx(
                (expected.low, expected.high), abs=1e-9
            )


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("hits", "size"), CASES)
def test_jeffreys_interval_has_the_quantiles_of_its_posterior(
    hits: int, size: int, level: float
) -> None:
    """Brown, Cai & DasGupta 2001: Beta(hits + ½, misses + ½), and 0 and 1 at the extremes."""
    found = jeffreys(np.array(float(hits)), np.array(float(size)), level)
    posterior = beta(hits + 0.5, size - hits + 0.5)
    lower = posterior.ppf((1 - level) / 2) if hits else 0.0
    upper = posterior.ppf((1 + level) / 2) if hits < size else 1.0
    assert (float(found.lower), float(found.upper)) == pytest.approx((lower, upper))


def test_limits_of_one_share() -> None:
    expected = binomtest(3, 17).proportion_ci(0.9)
    assert clopper_pearson_limits(3, 17, 0.9) == pytest.approx((expected.low, expected.high))
    assert all(map(math.isnan, clopper_pearson_limits(0, 0)))


def test_an_envelope_encloses_both_intervals() -> None:
    one = Bounds(np.array([0.1, 0.2]), np.array([0.5, 0.9]))
    other = Bounds(np.array([0.2, 0.1]), np.array([0.6, 0.8]))
    both = one.envelope(other)
    assert both.lower.tolist() == [0.1, 0.1]
    assert both.upper.tolist() == [0.6, 0.9]
    assert both.width == pytest.approx([0.5, 0.8])
