"""Changes of values, paired over documents."""

from __future__ import annotations

import math

import numpy as np
import pytest

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
