"""Pace: sessions by hand, the power of the drift test, and its false alarms."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.pace import pace_of

NAN = np.full(4, np.nan)


def sessions(
    seed: int, drift: float, n: int = 4, length: int = 15
) -> tuple[np.ndarray, np.ndarray]:
    """Log-normal times of sessions with a pace of their own, that change by `drift` per session."""
    rng = np.random.default_rng(seed)
    place = np.tile(np.linspace(0, 1, length), n)
    pace = np.repeat(rng.normal(3, 0.7, n), length)
    seconds = np.exp(pace + drift * place + rng.normal(0, 0.5, n * length))
    return np.cumsum(seconds) + np.repeat(np.arange(n) * 1e5, length), seconds


def test_a_break_begins_a_session() -> None:
    found = pace_of(np.array([10_000.0, 0, 40, 10_030]), NAN)  # in any order
    assert (found.n_sessions, found.n_documents, found.median) == (2, 2, 35)
    stated = pace_of(np.array([0.0, 40, 10_000, 10_030]), np.array([5.0, 6, 7, 8]))
    assert (stated.n_documents, stated.median) == (4, 6.5)
    assert np.isnan(stated.p_value)
    assert pace_of(np.zeros(4), NAN).n_documents == 0  # imported together


def test_fatigue_is_seen_and_slow_days_are_not() -> None:
    slower = pace_of(*sessions(1, 1.0))
    assert slower.p_value < 0.01
    assert slower.last > 1.5 * slower.first
    ends, seconds = sessions(2, 0.0)
    seconds *= np.repeat([1.0, 3, 9, 27], 15)  # each session slower than the one before
    assert pace_of(ends, seconds).p_value > 0.05


def test_false_alarms_are_as_many_as_stated() -> None:
    p_values = [pace_of(*sessions(seed, 0.0), n_permutations=199).p_value for seed in range(600)]
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.02)
