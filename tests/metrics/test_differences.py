"""Differences from replicates and from posterior draws, and p-values of several."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from accordeur.metrics.differences import (
    holm,
    posterior_difference,
    range_of_difference,
    resampled_difference,
)
from accordeur.metrics.reason import ReasonCode
from accordeur.reports.cell_texts import p_text

HOW = {"method": "m", "over": "items", "n_groups": 40}


def test_a_difference_of_normal_draws_has_their_quantiles_and_p_value() -> None:
    draws = norm.ppf((np.arange(4000) + 0.5) / 4000, loc=1.5)
    found = posterior_difference(1.5, draws, level=0.9, prior="p", **HOW)
    half = student.ppf(0.95, 39)
    assert (found.lower, found.upper) == pytest.approx((1.5 - half, 1.5 + half), abs=2e-3)
    assert found.p_value == pytest.approx(2 * student.sf(1.5, 39), abs=2e-3)
    assert found.p_value == posterior_difference(-1.5, -draws, level=0.9, prior="p", **HOW).p_value
    assert found.standard_error == pytest.approx(1, abs=2e-3)


def test_no_draw_beyond_zero_leaves_the_least_p_value_of_so_many_draws() -> None:
    """(b + 1)/(B + 1) on each side (Davison & Hinkley 1997, section 4.2), as a quantile of t."""
    alike: dict[str, Any] = {"level": 0.95, "prior": "p", "within": (-2, 2), **HOW}
    found = posterior_difference(1.0, np.full(99, 1.0), **alike)
    assert found.p_value == pytest.approx(2 * student.cdf(norm.ppf(1 / 100), 39))
    assert found.least_p == found.p_value
    assert p_text(found.p_value, found.least_p) == "< 0.026"
    assert p_text(0.0301, found.least_p) == "0.030"
    assert posterior_difference(0.0, np.zeros(99), **alike).p_value == 1


def test_equal_draws_end_where_the_engine_says() -> None:
    """(1 − .95)/2 ≥ (1 − q)⁴⁰: the share q that 40 alike units cannot exclude."""
    share = 1 - 0.025 ** (1 / 40)
    for found in (
        resampled_difference(0.5, np.full(99, 0.5), level=0.95, within=(-2, 2), **HOW),
        posterior_difference(0.5, np.full(99, 0.5), level=0.95, within=(-2, 2), prior="p", **HOW),
    ):
        assert (found.lower, found.upper) == pytest.approx((0.5 - 2.5 * share, 0.5 + 1.5 * share))
    boundless = resampled_difference(0.5, np.full(99, 0.5), level=0.95, **HOW)
    assert boundless.value == 0.5
    assert math.isnan(boundless.lower)
    assert math.isnan(boundless.p_value)
    assert boundless.reason is not None
    assert boundless.reason.code is ReasonCode.UNITS_ALIKE


def test_a_difference_lies_between_those_of_the_ends_of_its_measures() -> None:
    assert range_of_difference((0, 1), (-1, 1)) == (-1, 2)
    draws = np.linspace(0.5, 3, 200)
    found = resampled_difference(1.4, draws, level=0.95, within=(-1.5, 1.5), **HOW)
    assert found.upper == 1.5


def test_undefined_draws_are_counted_and_half_of_them_leave_no_interval() -> None:
    draws = np.linspace(0.1, 0.3, 100)
    for n, is_known in ((50, True), (51, False)):
        draws[:n] = math.nan
        found = resampled_difference(0.2, draws, level=0.95, **HOW)
        assert found.value == 0.2
        assert math.isfinite(found.lower) == math.isfinite(found.p_value) == is_known


def test_an_interval_of_a_posterior_contains_the_value() -> None:
    draws = np.linspace(0.2, 0.4, 101)
    assert posterior_difference(0.9, draws, level=0.9, prior="p", **HOW).upper == 0.9
    assert posterior_difference(0.1, draws, level=0.9, prior="p", **HOW).lower == 0.1


def test_the_standard_error_of_few_replicates_is_unbiased_in_squares() -> None:
    replicates = np.array([0.1, 0.3])
    for found in (
        resampled_difference(0.2, replicates, level=0.95, **HOW),
        posterior_difference(0.2, replicates, level=0.95, prior="p", **HOW),
    ):
        assert found.standard_error == pytest.approx(0.2 / math.sqrt(2))


def test_the_p_value_of_replicates_is_one_minus_the_level_of_the_interval_that_ends_at_zero() -> (
    None
):
    replicates = np.random.default_rng(1).normal(0.8, 0.5, 20_000)
    p_value = resampled_difference(0.8, replicates, level=0.95, **HOW).p_value
    found = resampled_difference(0.8, replicates, level=1 - p_value, **HOW)
    assert found.lower == pytest.approx(0, abs=0.005)


def test_holms_p_values() -> None:
    """By hand: the k-th smallest times the number of hypotheses not yet rejected, never falling."""
    found = holm([0.01, math.nan, 0.04, 0.03, 0.5])
    assert found[[0, 2, 3, 4]] == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert math.isnan(found[1])
    assert holm([0.6, 0.7]).tolist() == [1.0, 1.0]
