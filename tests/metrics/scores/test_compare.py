"""Resampling: exact distributions on small cases, Holm's correction, seeds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.differences import holm
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.scores.compare_systems import compare_all_systems, compare_systems
from accordeur.metrics.scores.score_estimates import SHARE_OF_COLUMNS


def test_randomisation_p_is_that_of_all_swaps() -> None:
    rng = np.random.default_rng(5)
    given_ = np.full(10, 20)
    first = np.stack([rng.binomial(20, 0.8, 10), given_], axis=1)
    second = np.stack([rng.binomial(20, 0.7, 10), given_], axis=1)
    observed = abs(first[:, 0].sum() - second[:, 0].sum())
    change = first[:, 0] - second[:, 0]
    signs = np.array(list(itertools.product([-1, 1], repeat=10)))
    exact = (np.abs(signs @ change) >= observed).mean()
    found = compare_systems(first, second, SHARE_OF_COLUMNS, n_replicates=40_000)
    assert found.p_randomisation == pytest.approx(exact, abs=0.01)
    assert found.difference == pytest.approx(change.sum() / 200)
    assert found.interval[0] < found.difference < found.interval[1]


def test_same_system_twice() -> None:
    counts = np.array([[3, 5], [4, 4], [1, 6]])
    found = compare_systems(counts, counts, SHARE_OF_COLUMNS, n_replicates=500)
    assert (found.difference, found.p_randomisation, found.p_bootstrap) == (0.0, 1.0, 1.0)
    # three documents do not show that the two are equal everywhere
    assert found.interval == pytest.approx((-(1 - 0.025 ** (1 / 3)), 1 - 0.025 ** (1 / 3)))


def test_far_apart_systems() -> None:
    good = np.tile([9, 10], (30, 1))
    bad = np.tile([2, 10], (30, 1))
    found = compare_systems(good, bad, SHARE_OF_COLUMNS, n_replicates=999)
    assert found.p_randomisation == found.p_bootstrap == 1 / 1000


def test_seed_decides_and_chunks_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    one, two = rng.integers(1, 9, (2, 40, 2))
    first = compare_systems(one, two, SHARE_OF_COLUMNS, n_replicates=300, seed=4)
    monkeypatch.setattr("accordeur.metrics.bootstrap.MOST_DRAWN", 40)
    assert compare_systems(one, two, SHARE_OF_COLUMNS, n_replicates=300, seed=4) == first
    assert compare_systems(one, two, SHARE_OF_COLUMNS, n_replicates=300, seed=5) != first


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
@settings(max_examples=60)
def test_holm(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    m = len(p_values)
    order = sorted(range(m), key=lambda i: p_values[i])
    running = 0.0
    for rank, i in enumerate(order):
        running = max(running, (m - rank) * p_values[i])
        assert adjusted[i] == pytest.approx(min(1.0, running))


def test_holm_example_and_nan() -> None:
    """Holm 1979's procedure on four p values."""
    assert holm([0.01, 0.04, math.nan, 0.03, 0.005]) == pytest.approx(
        [0.03, 0.06, math.nan, 0.06, 0.02], nan_ok=True
    )


def test_all_pairs_are_corrected_together() -> None:
    rng = np.random.default_rng(2)
    systems = {
        name: np.stack([rng.binomial(20, p, 25), np.full(25, 20)], axis=1)
        for name, p in (("a", 0.9), ("b", 0.6), ("c", 0.58))
    }
    found = {
        (c.first, c.second): c
        for c in compare_all_systems(systems, SHARE_OF_COLUMNS, n_replicates=2000)
    }
    assert set(found) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert found["a", "b"].p_corrected < 0.01
    assert found["b", "c"].p_corrected == found["b", "c"].p_randomisation
    assert found["a", "b"].p_corrected >= 2 * found["a", "b"].p_randomisation


def test_undefined() -> None:
    nothing = np.zeros((3, 2))
    found = compare_systems(nothing, nothing, SHARE_OF_COLUMNS, n_replicates=10)
    assert math.isnan(found.difference)
    assert found.reason
    assert compare_systems(np.ones((1, 2)), np.ones((1, 2)), SHARE_OF_COLUMNS).reason
    with pytest.raises(MetricsError, match="same documents"):
        compare_systems(np.ones((2, 2)), np.ones((3, 2)), SHARE_OF_COLUMNS)
