from __future__ import annotations

import math

import numpy as np
import pytest

from metrics.chance.plan import expected_from
from metrics.errors import MetricsError
from metrics.unitizing.difference import gamma_difference
from metrics.unitizing.gamma import gamma
from metrics.unitizing.observed import Observed

FAST = {"precision": 0.05, "n_bootstrap": 10}


def synthetic(rng: np.random.Generator, disorder: float, n_documents: int = 40) -> Observed:
    weights = rng.integers(4, 9, n_documents).astype(float)
    return Observed(
        weights * rng.normal(disorder, 0.2, n_documents),
        weights,
        np.full(n_documents, 3),
        np.full(n_documents, 15),
        np.zeros(n_documents),
    )


def chance(error: float = 0.02):
    rng = np.random.default_rng(0)
    disorders = rng.normal(1.5, error * 1.5 * np.sqrt(30) / 1.96, 30)
    counts = np.column_stack([disorders, np.ones(30), np.zeros(30)])
    return expected_from({("random2", 3): counts}, shares={3: 1.0})


def test_two_guideline_versions_that_differ(degraded) -> None:
    before = gamma(degraded(20, shift=0.4, omission=0.3), **FAST)
    after = gamma(degraded(20, shift=0.1, omission=0.05, seed=1), **FAST)
    found = gamma_difference(before.observed, before.expected, after.observed, after.expected)
    assert found.difference == pytest.approx(after.corpus.value - before.corpus.value)
    assert found.interval[0] > 0
    assert found.p_value < 0.01
    assert not found.paired


def test_the_level_of_the_test() -> None:
    """Campaigns alike are told apart about once in twenty times."""
    rng = np.random.default_rng(1)
    expected = chance()
    rejected = 0
    for seed in range(200):
        found = gamma_difference(
            synthetic(rng, 0.7), expected, synthetic(rng, 0.7), expected, n_bootstrap=400, seed=seed
        )
        rejected += found.p_value <= 0.05
    assert rejected <= 22


def test_pairing_documents_sees_more() -> None:
    rng = np.random.default_rng(2)
    first = synthetic(rng, 0.7)
    noise = first.weights * rng.normal(0.05, 0.05, first.n_documents)
    second = Observed(
        first.totals - noise, first.weights, first.n_annotators, first.n_units, first.gaps
    )
    exact = expected_from({("random2", 3): np.tile([1.5, 1, 0], (30, 1))}, shares={3: 1.0})
    paired = gamma_difference(first, exact, second, exact, paired=True)
    apart = gamma_difference(first, exact, second, exact)
    assert paired.difference == pytest.approx(apart.difference)
    assert paired.p_value < 0.01 < apart.p_value


def test_the_error_of_chance_widens_the_interval() -> None:
    rng = np.random.default_rng(3)
    first, second = synthetic(rng, 0.7), synthetic(rng, 0.6)
    widths = []
    for error in (0.001, 0.1):
        expected = chance(error)
        low, high = gamma_difference(first, expected, second, expected).interval
        widths.append(high - low)
    assert widths[1] > 1.15 * widths[0]


def test_undefined_and_refused() -> None:
    rng = np.random.default_rng(4)
    expected = chance()
    many, one = synthetic(rng, 0.7), synthetic(rng, 0.7, 1)
    found = gamma_difference(many, expected, one, expected)
    assert math.isnan(found.difference)
    assert found.reason == "fewer than two documents with units in a campaign"
    with pytest.raises(MetricsError, match="40 and 1"):
        gamma_difference(many, expected, one, expected, paired=True)
    with pytest.raises(MetricsError, match="resamples"):
        gamma_difference(many, expected, many, expected, n_bootstrap=0)
