"""Cells of a study beside each other, on cells whose effects are planted."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from accordeur.metrics.resampling.cell_contrasts import (
    INTERACTIONS,
    TRIALS,
    correlations_of_means,
    paired_contrasts,
    variance_shares,
)

CELLS = [{"a": a, "b": b} for a, b in product(("1", "2"), ("x", "y", "z"))]
EFFECT = {"1": 0.0, "2": 0.3, "x": 0.0, "y": 0.1, "z": 0.2}
PLANTED = np.array([EFFECT[cell["a"]] + EFFECT[cell["b"]] for cell in CELLS])


def test_two_cells_are_compared_by_welchs_test():
    rng = np.random.default_rng(0)
    first, second = rng.normal(0, 1, 12), rng.normal(0.8, 2, 20)
    [found] = paired_contrasts(
        [{"a": "1"}, {"a": "2"}],
        np.array([first.mean(), second.mean()]),
        np.array([stats.sem(first), stats.sem(second)]),
        np.array([11, 19]),
    )
    welch = stats.ttest_ind(second, first, equal_var=False)
    assert found.p_value == pytest.approx(welch.pvalue, rel=1e-9)
    assert found.interval == pytest.approx(tuple(welch.confidence_interval(0.95)), rel=1e-6)
    assert found.difference == pytest.approx(second.mean() - first.mean())


def test_a_contrast_is_the_mean_over_pairs_of_cells_that_differ_in_one_setting():
    found = paired_contrasts(CELLS, PLANTED, np.full(6, np.nan), np.full(6, 9))
    differences = {(one.first, one.second): one.difference for one in found}
    assert differences == pytest.approx(
        {("1", "2"): 0.3, ("x", "y"): 0.1, ("x", "z"): 0.2, ("y", "z"): 0.1}
    )
    assert [one.n_pairs for one in found] == [3, 2, 2, 2]
    assert all(np.isnan(one.p_value) for one in found)
    lacking = np.where(np.arange(6) == 0, np.nan, PLANTED)
    assert paired_contrasts(CELLS, lacking, np.full(6, 0.1), np.full(6, 9))[0].n_pairs == 2
    one_trial = np.where(np.arange(6) == 0, np.nan, 0.1)
    with_error = paired_contrasts(CELLS, PLANTED, one_trial, np.full(6, 9))[0]
    assert (with_error.n_pairs, with_error.p_value < 0.05) == (2, True)


@pytest.mark.long
def test_intervals_of_contrasts_cover_and_p_values_are_uniform():
    rng, inside, rejected = np.random.default_rng(1), 0, 0
    for _ in range(600):
        trials = PLANTED[:, None] + rng.normal(0, 0.5, (6, 8))
        errors = trials.std(axis=1, ddof=1) / np.sqrt(8)
        found = paired_contrasts(CELLS, trials.mean(axis=1), errors, np.full(6, 7))[0]
        inside += found.interval[0] <= 0.3 <= found.interval[1]
        null = paired_contrasts(
            CELLS, (trials - PLANTED[:, None]).mean(axis=1), errors, np.full(6, 7)
        )
        rejected += null[0].p_value < 0.05
    assert 0.93 <= inside / 600 <= 0.97
    assert 0.03 <= rejected / 600 <= 0.07


@pytest.mark.long
def test_cells_with_the_same_trials_are_compared_by_pairs_of_trials():
    """Of cells of one `a`, all `b` have the same trials, and `x` stops half-way."""
    rng, counts = np.random.default_rng(2), np.tile([8, 16, 16], 2)
    inside, narrower = np.zeros(2), np.zeros(2)
    for _ in range(600):
        shared = np.repeat(rng.normal(0, 0.5, (2, 16)), 3, axis=0)
        values = PLANTED[:, None] + shared + rng.normal(0, 0.1, (6, 16))
        trials = [row[:n] for row, n in zip(values, counts, strict=True)]
        errors = np.array([stats.sem(one) for one in trials])
        means = np.array([one.mean() for one in trials])
        correlations = correlations_of_means(trials, [cell["a"] for cell in CELLS])
        of_a, *_, y_to_z = paired_contrasts(
            CELLS, means, errors, counts - 1, correlations=correlations
        )
        alone = paired_contrasts(CELLS, means, errors, counts - 1)
        for place, (one, other, truth) in enumerate(
            ((of_a, alone[0], 0.3), (y_to_z, alone[-1], 0.1))
        ):
            inside[place] += one.interval[0] <= truth <= one.interval[1]
            narrower[place] += np.ptp(one.interval) < np.ptp(other.interval)
    assert (inside / 600 >= 0.93).all()
    assert (inside / 600 <= 0.97).all()
    assert narrower.tolist() == [0, 600], "shared trials err alike: worse for `a`, better for `b`"


def test_shares_of_variance_are_those_planted_and_complete_each_other():
    shares = variance_shares(CELLS, PLANTED, np.zeros(6))
    of_a, of_b = 6 * 0.15**2, 2 * 2 * 0.1**2
    assert shares["a"] == pytest.approx(of_a / (of_a + of_b))
    assert shares[INTERACTIONS] == pytest.approx(0, abs=1e-12)
    noisy = variance_shares(CELLS, PLANTED + 0.1 * np.array([1, -1, 0, -1, 1, 0]), np.full(6, 0.05))
    assert sum(noisy.values()) == pytest.approx(1)
    assert min(noisy[INTERACTIONS], noisy[TRIALS]) > 0
    assert variance_shares(CELLS[:5], PLANTED[:5], np.zeros(5)) == {}
