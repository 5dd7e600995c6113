"""Changes of values, paired over documents."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from accordeur.metrics.influence import Influences, combine_influences, ratio_influences


def mean_of(values: np.ndarray, documents: np.ndarray) -> Influences:
    """A mean, whose influences are known exactly."""
    return Influences(float(values.mean()), documents, (values - values.mean()) / values.size)


def test_the_error_of_a_mean_is_the_textbooks():
    values = np.random.default_rng(1).normal(size=30)
    change = combine_influences([mean_of(values, np.arange(30))], [1.0])
    assert change.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(30))


def test_a_difference_over_the_same_documents_is_the_paired_t_test():
    rng = np.random.default_rng(2)
    first = rng.normal(size=25)
    second = first + rng.normal(0.1, 0.05, size=25)
    documents = np.array([f"d{k}" for k in range(25)])
    change = combine_influences(
        [mean_of(second, documents), mean_of(first, documents)], [1.0, -1.0]
    )
    differences = second - first
    assert change.value == pytest.approx(differences.mean())
    assert change.standard_error == pytest.approx(differences.std(ddof=1) / 5)
    low, high = change.interval()
    assert 0 < low < 0.1 < high


def test_documents_in_any_order_and_of_other_runs_are_told_apart():
    values, documents = np.arange(10.0), np.arange(10)
    order = np.random.default_rng(3).permutation(10)
    same = combine_influences(
        [mean_of(values, documents), mean_of(values[order], documents[order])], [1.0, -1.0]
    )
    assert (same.value, same.standard_error) == (0.0, pytest.approx(0.0, abs=1e-12))
    others = combine_influences(
        [mean_of(values, documents), mean_of(values, documents + 100)], [1.0, -1.0]
    )
    one = combine_influences([mean_of(values, documents)], [1.0])
    assert others.standard_error**2 == pytest.approx(2 * one.standard_error**2, rel=0.06)


def test_documents_that_were_added_count_once():
    """The mean of 400 documents against that of the first 300 of them: σ² (1/300 − 1/400)."""
    values = np.random.default_rng(4).normal(size=400)
    change = combine_influences(
        [mean_of(values, np.arange(400)), mean_of(values[:300], np.arange(300))], [1.0, -1.0]
    )
    expected = values.std(ddof=1) * math.sqrt(1 / 300 - 1 / 400)
    assert change.standard_error == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize("n", [5, 9])
def test_the_interval_and_the_p_value_are_those_of_students_t(n: int) -> None:
    """Documents that do not affect the value add no degree of freedom."""
    values = np.random.default_rng(6).normal(-0.4, 1, size=n)
    unaffected = Influences(0.0, np.arange(n + 20), np.zeros(n + 20))
    change = combine_influences([mean_of(values, np.arange(n)), unaffected], [1.0, 1.0])
    test = ttest_1samp(values, 0, alternative="less")
    both = ttest_1samp(values, 0).confidence_interval(0.9)
    assert change.interval(0.9) == pytest.approx((both.low, both.high))
    assert change.p_value_of_fall() == pytest.approx(test.pvalue)


def test_sampled_chance_adds_its_own_error() -> None:
    values = np.random.default_rng(7).normal(size=8)
    exact = mean_of(values, np.arange(8))
    noisy = replace(exact, noise=0.3)
    change = combine_influences([noisy, exact], [2.0, -1.0])
    alone = combine_influences([exact], [1.0]).standard_error
    assert change.standard_error == pytest.approx(math.hypot(alone, 2 * 0.3))
    ratio = ratio_influences(np.array([3.0, 1.0]), np.array([4.0, 4.0]), np.arange(2), noise=0.4)
    slope = (1 - 4 / 8.001) - (1 - 4 / 8)  # of 1 − Σ totals / chance, for a chance of 0.001 more
    assert ratio.noise == pytest.approx(0.4 * slope / 0.001, rel=1e-3)


def test_one_document_has_the_error_of_its_influence() -> None:
    change = combine_influences([Influences(1.0, np.arange(3), np.array([0.0, 0.2, 0.0]))], [-1.0])
    assert (change.standard_error, change.n_documents) == (pytest.approx(0.2), 1)


def test_of_four_documents_nothing_is_said():
    change = combine_influences([mean_of(np.arange(4.0), np.arange(4))], [1.0])
    assert not change.is_known
    assert all(map(math.isnan, change.interval()))
    assert change.p_value_of_fall() == 1.0


def test_a_ratio_moves_by_its_influence_when_a_document_weighs_more():
    rng = np.random.default_rng(5)
    totals, chances = rng.random(12), rng.random(12) + 1
    found = ratio_influences(totals, chances, np.arange(12), noise=0.0)
    weights = np.ones(12)
    weights[7] += 1e-6
    moved = 1 - (weights @ totals) / (weights @ chances)
    assert (moved - found.value) / 1e-6 == pytest.approx(found.by_document[7], rel=1e-4)
    assert found.by_document.sum() == pytest.approx(0, abs=1e-12)
