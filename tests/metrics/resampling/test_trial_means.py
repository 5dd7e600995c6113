"""Intervals of means over trials: SciPy as the oracle, coverage by simulation."""

from __future__ import annotations

import numpy as np
from scipy import stats

from accordeur.metrics.resampling.trial_means import interval_of_means


def test_the_interval_is_that_of_scipy_and_one_trial_has_none() -> None:
    rng = np.random.default_rng(1)
    for n in (2, 3, 6, 30):
        drawn = rng.normal(size=n)
        expected = stats.t.interval(0.9, n - 1, drawn.mean(), drawn.std(ddof=1) / np.sqrt(n))
        found = interval_of_means(drawn.mean(), drawn.std(ddof=1), np.asarray(n), level=0.9)
        np.testing.assert_allclose(found, expected, rtol=1e-10)
    assert np.isnan(interval_of_means(np.array([0.5]), np.array([np.nan]), np.array([1]))).all()


def test_six_trials_of_a_point_cover_its_mean() -> None:
    """The normal quantile, which reading grids used, covers .90 with six trials."""
    drawn = np.random.default_rng(2).normal(0.6, 0.1, size=(20_000, 6))
    bounds = interval_of_means(drawn.mean(axis=1), drawn.std(axis=1, ddof=1), np.asarray(6))
    covered = ((bounds[:, 0] <= 0.6) & (bounds[:, 1] >= 0.6)).mean()
    assert 0.944 <= covered <= 0.956
