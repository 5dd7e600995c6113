"""Percentiles of a bootstrap, wider for few units."""

import math

import numpy as np
import pytest

from accordeur.metrics.bootstrap import (
    p_value_of_zero,
    percentile_probabilities,
)
from accordeur.metrics.quantiles import sample_quantiles

# Student's t at .975 with 4, 9 and 29 degrees of freedom and Φ, from printed tables
PRINTED = [(5, 2.7764), (10, 2.2622), (30, 2.0452)]


@pytest.mark.parametrize(("n_units", "t"), PRINTED)
def test_tails_are_those_of_student_by_n_over_n_minus_1(n_units: int, t: float) -> None:
    z = t * math.sqrt(n_units / (n_units - 1))
    lower, upper = percentile_probabilities(0.95, n_units)
    assert lower == pytest.approx(0.5 * math.erfc(z / math.sqrt(2)), rel=1e-3)
    assert upper == pytest.approx(1 - lower)


def test_with_many_units_they_are_plain_percentiles() -> None:
    replicates = np.random.default_rng(1).normal(size=1000)
    found = sample_quantiles(replicates, percentile_probabilities(0.9, 10_000_000))
    assert found == pytest.approx(np.quantile(replicates, [0.05, 0.95]), abs=1e-5)


def test_means_of_a_few_normal_values_are_held_as_often_as_said() -> None:
    """8 values, 95 %: plain percentiles hold .87 of the time."""
    rng = np.random.default_rng(2)
    held = plain = 0
    for values in rng.normal(size=(2000, 8)):
        means = values[rng.integers(0, 8, (1000, 8))].mean(axis=1)
        lower, upper = sample_quantiles(means, percentile_probabilities(0.95, 8))
        held += lower <= 0 <= upper
        lower, upper = np.quantile(means, [0.025, 0.975])
        plain += lower <= 0 <= upper
    assert 0.91 < held / 2000 < 0.97
    assert plain / 2000 < 0.89


@pytest.mark.parametrize("n_units", [4, 9, 200])
def test_the_p_value_is_that_of_the_interval_that_ends_at_zero(n_units: int) -> None:
    replicates = np.random.default_rng(3).normal(loc=1.2, size=20_000)
    p = p_value_of_zero(replicates, n_units)
    lower, _ = sample_quantiles(replicates, percentile_probabilities(1 - p, n_units))
    assert lower == pytest.approx(0, abs=0.02)
    assert p_value_of_zero(-replicates, n_units) == pytest.approx(p)


def test_replicates_around_zero_tell_nothing() -> None:
    assert p_value_of_zero(np.zeros(99), 5) == 1
    assert p_value_of_zero(np.array([-1.0, 1.0]), 5) == 1


def test_replicates_that_are_zero_but_for_rounding_count_as_zero():
    assert p_value_of_zero(np.full(99, 1e-17), 5) == p_value_of_zero(np.full(99, -1e-17), 5) == 1
