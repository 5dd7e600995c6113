"""Control limits of values with their own standard errors."""

from __future__ import annotations

import math

import pytest

from accordeur.reports.views.control_limits import N_LIMITS, control_limits


def test_equal_errors_give_the_limits_of_an_individuals_chart():
    values = [10.0, 12.0, 11.0, 13.0, 10.0, 12.0, 9.0, 11.0, 30.0]
    limits = control_limits(values, [0.5] * 9, n_baseline=8)
    assert limits is not None
    assert limits.mean == pytest.approx(11)
    # Shewhart: 2.66 × the mean of the moving ranges 2, 1, 2, 3, 2, 3, 2
    half = 3 / 1.128 * 15 / 7
    assert limits.bounds[0] == pytest.approx((11 - half, 11 + half))
    assert not limits.bounds[8][0] < values[8] < limits.bounds[8][1]


def test_limits_are_as_wide_as_each_value_is_uncertain():
    errors = [0.01, 0.02] * 4
    limits = control_limits([0.8] * 8, errors, n_baseline=8)
    assert limits is not None
    # equal values vary less than sampling explains: ± 3 standard errors
    for (low, high), error in zip(limits.bounds, errors, strict=True):
        assert (low, high) == pytest.approx((0.8 - 3 * error, 0.8 + 3 * error))


def test_imprecise_values_count_less_towards_the_mean():
    limits = control_limits([0.8] * 8 + [0.2], [0.01] * 8 + [0.1], n_baseline=9)
    assert limits is not None
    assert limits.mean == pytest.approx((8 * 0.8 * 1e4 + 0.2 * 1e2) / (8 * 1e4 + 1e2))


def test_points_without_an_interval_neither_count_nor_have_limits():
    values, errors = [0.7, math.nan, *[0.8] * N_LIMITS], [math.nan, 0.1, *[0.02] * N_LIMITS]
    limits = control_limits(values, errors, n_baseline=len(values))
    assert limits is not None
    assert limits.mean == pytest.approx(0.8)
    assert all(map(math.isnan, limits.bounds[0]))
    assert control_limits(values, errors, n_baseline=len(values) - 1) is None
