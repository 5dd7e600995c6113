"""Quantiles without SciPy are those of SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri, stdtrit

from accordeur.metrics.quantiles import (
    normal_probability,
    normal_quantile,
    sample_quantiles,
    t_quantile,
)

LEVELS = (0.025, 0.1, 0.6, 0.9, 0.975, 0.995)


@pytest.mark.parametrize("df", [0.7, 1, 2, 2.5, 3, 10, 49, 99, 100, 101, 1000, 1e6])
def test_quantiles_of_t_are_those_of_scipy(df: float) -> None:
    for probability in LEVELS:
        assert t_quantile(df, probability) == pytest.approx(stdtrit(df, probability), rel=1e-13)
    assert t_quantile(df, 0.99995) == pytest.approx(stdtrit(df, 0.99995), rel=1e-11)


def test_tabled_quantiles_of_t() -> None:
    """Table 26.10 of Abramowitz & Stegun, to its five digits."""
    for df, value in ((1, 12.706), (10, 2.228), (30, 2.042), (120, 1.980)):
        assert t_quantile(df, 0.975) == pytest.approx(value, abs=5e-4)


def test_normal_quantiles_and_probabilities_are_those_of_scipy() -> None:
    for probability in LEVELS:
        assert normal_quantile(probability) == pytest.approx(ndtri(probability), rel=1e-14)
    for z in (-8.0, -1.96, 0.0, 0.3, 5.0):
        assert normal_probability(z) == pytest.approx(ndtr(z), rel=5e-14)


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, 1.1])
def test_quantiles_at_the_ends(probability: float) -> None:
    for found in (normal_quantile(probability), t_quantile(5, probability)):
        assert found == pytest.approx(float(ndtri(probability)), nan_ok=True)


@pytest.mark.parametrize("df", [0, -1, math.nan])
def test_t_needs_degrees_of_freedom(df: float) -> None:
    assert math.isnan(t_quantile(df, 0.975))


@given(
    st.lists(st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0]), min_size=1, max_size=40),
    st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.025, 0.5, 1.0]), min_size=1, max_size=4),
)
def test_quantiles_of_samples_are_those_of_numpy(
    values: list[float], probabilities: list[float]
) -> None:
    sample = np.array(values)
    found = sample_quantiles(sample, probabilities)
    assert found == np.quantile(sample, probabilities).tolist()
    assert sample.tolist() == values


def test_quantiles_of_no_values_are_undefined() -> None:
    assert all(map(math.isnan, sample_quantiles(np.empty(0), (0.025, 0.975))))
