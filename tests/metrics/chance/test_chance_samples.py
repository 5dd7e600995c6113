"""Standard error of the mean disorder of chance samples, against formulas and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.chance.chance_samples import ChanceSample, Weighting


def sample(totals, weights, weighting: Weighting = "units") -> ChanceSample:
    counts = np.column_stack([totals, weights, np.zeros(len(totals))])
    return ChanceSample("shuffle", 3, counts, weighting)


def test_with_equal_weights_the_error_is_that_of_a_mean():
    """Three samples: the divisor n − 1 in place of n makes a difference of a fifth."""
    totals = np.array([1.0, 2.0, 6.0])
    error = math.sqrt(((1 - 3) ** 2 + (2 - 3) ** 2 + (6 - 3) ** 2) / 2) / math.sqrt(3)
    for weighting in ("units", "equal"):
        assert sample(totals, np.ones(3), weighting).standard_error == pytest.approx(error)
    doubled = sample(2 * totals, np.full(3, 2.0))
    assert doubled.standard_error == pytest.approx(error)


def test_the_error_of_a_ratio_is_its_standard_deviation_over_repeated_samples():
    """Samples of unequal weight: Σ total / Σ weight of 40 samples, repeated 4,000 times."""
    rng = np.random.default_rng(1)
    weights = rng.integers(1, 9, (4000, 40)).astype(float)
    totals = weights * rng.normal(1.5, 0.4, weights.shape)
    means = totals.sum(axis=1) / weights.sum(axis=1)
    squares = [sample(t, w).standard_error ** 2 for t, w in zip(totals, weights, strict=True)]
    assert math.sqrt(np.mean(squares)) == pytest.approx(means.std(), rel=0.04)


def test_the_precision_is_half_a_confidence_interval_relative_to_the_mean():
    found = sample(np.array([1.0, 2.0, 6.0]), np.ones(3))
    assert found.precision == pytest.approx(1.959964 * found.standard_error / 3, rel=1e-6)
    assert found.n_samples_needed(found.precision / 2) == 12


def test_one_sample_and_samples_without_units_have_no_error():
    assert math.isnan(sample([2.0], [1.0]).standard_error)
    assert math.isnan(sample([2.0], [1.0], "equal").standard_error)
    assert math.isnan(sample([0.0, 0.0], [0.0, 0.0]).standard_error)
