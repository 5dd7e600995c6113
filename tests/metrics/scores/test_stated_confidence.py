"""Brier score and calibration error, by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.stated_confidence import stated_confidence

SAMPLING = Sampling(replicates=200)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(1, 80))
def test_values_by_definition(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    confidence, right = rng.random(n).round(2), rng.random(n) < 0.6
    found = stated_confidence(confidence, right, sampling=SAMPLING)
    expected = sum((c - r) ** 2 for c, r in zip(confidence, right, strict=True)) / n
    assert found.brier.value == pytest.approx(expected, abs=1e-12)
    tenth = np.minimum((confidence * 10).astype(int), 9)
    error = sum(
        (tenth == b).sum() / n * abs(confidence[tenth == b].mean() - right[tenth == b].mean())
        for b in set(tenth.tolist())
    )
    assert found.calibration_error.value == pytest.approx(error, abs=1e-12)
    assert sum(one.n for one in found.bins) == n
    low, high = found.brier.interval
    assert np.isnan(low) or low <= found.brier.value <= high


def test_a_calibrated_system_is_calibrated() -> None:
    rng = np.random.default_rng(2)
    confidence = rng.random(50_000)
    found = stated_confidence(confidence, rng.random(50_000) < confidence, sampling=SAMPLING)
    assert found.calibration_error.value < 0.01
    assert found.brier.value == pytest.approx(1 / 6, abs=0.005)  # ∫ c (1 − c) dc
    for one in found.bins:
        assert one.predicted == pytest.approx(one.observed, abs=0.03)


def test_percentages_are_refused_and_nothing_is_undefined() -> None:
    with pytest.raises(MetricsError, match="divide percentages by 100"):
        stated_confidence(np.array([90.0]), np.array([True]), sampling=SAMPLING)
    empty = stated_confidence(np.empty(0), np.empty(0, bool), sampling=SAMPLING)
    assert empty.brier.reason is not None
    assert empty.bins == ()


def test_coverage_of_the_brier_score() -> None:
    rng, covered = np.random.default_rng(4), 0
    truth = 0.2 * 0.16 + 0.8 * 0.16  # right with 0.8 where 0.8 is stated, so 0.8 · 0.2
    for seed in range(200):
        right = rng.random(60) < 0.8
        found = stated_confidence(np.full(60, 0.8), right, sampling=Sampling(seed=seed))
        low, high = found.brier.interval
        covered += low <= truth <= high
    assert covered >= 180
