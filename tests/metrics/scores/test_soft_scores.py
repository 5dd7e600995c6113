"""Distributions: measures against scipy and by hand, the worst prediction, another group."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from accordeur.metrics.agreement.label_matrix import label_matrix
from accordeur.metrics.arrays import shares
from accordeur.metrics.distribution_scores import DISTRIBUTION_SCORES, FLOOR
from accordeur.metrics.options import Sampling
from accordeur.metrics.scores.expected_annotator_score import (
    expected_annotator_scores,
    split_labels_in_halves,
)
from accordeur.metrics.scores.soft_scores import SoftReference, item_scores, soft_score

RNG = np.random.default_rng(4)
COUNTS = RNG.multinomial(6, [0.2, 0.3, 0.5], size=40)
SYSTEM = RNG.dirichlet([1, 1, 1], size=40)
VALUES = np.array([1.0, 2.0, 5.0])
REFERENCE = SoftReference(COUNTS, shares(COUNTS), positions=VALUES)


def test_jensen_shannon_and_wasserstein_are_those_of_scipy() -> None:
    p = REFERENCE.probabilities
    divergence = [jensenshannon(a, b, base=2) ** 2 for a, b in zip(p, SYSTEM, strict=True)]
    np.testing.assert_allclose(item_scores("jensen_shannon", REFERENCE, SYSTEM), divergence)
    moved = [wasserstein_distance(VALUES, VALUES, a, b) for a, b in zip(p, SYSTEM, strict=True)]
    np.testing.assert_allclose(item_scores("wasserstein", REFERENCE, SYSTEM), moved)
    turned = [2, 0, 1]  # a tagset that is not in the order of its numbers
    other = SoftReference(COUNTS[:, turned], p[:, turned], positions=VALUES[turned])
    np.testing.assert_allclose(item_scores("wasserstein", other, SYSTEM[:, turned]), moved)


def test_values_worked_by_hand() -> None:
    """Two items: 3 : 1 against .5 : .5, and 0 : 4 against a system that is sure of the other."""
    counts = np.array([[3, 1], [0, 4]])
    reference = SoftReference(counts, counts / 4)
    system = np.array([[0.5, 0.5], [1.0, 0.0]])
    assert item_scores("manhattan", reference, system).tolist() == [0.5, 2.0]
    # A tied prediction is right half of the time, whichever label the annotator gave.
    assert item_scores("annotator_error_rate", reference, system).tolist() == [0.5, 1.0]
    floor = -np.log(FLOOR / (1 + FLOOR))
    np.testing.assert_allclose(
        item_scores("cross_entropy", reference, system), [-np.log(0.5), floor]
    )
    assert soft_score("cross_entropy", reference, system).detail.n_impossible == 1


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_a_missing_item_is_never_better_than_a_prediction(seed: int) -> None:
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(4, rng.dirichlet([1, 1, 1]), size=5)
    reference = SoftReference(counts, shares(counts), positions=VALUES)
    system = rng.dirichlet([0.3, 0.3, 0.3], size=5)
    missing = np.full((5, 3), np.nan)
    for measure in DISTRIBUTION_SCORES:
        worst = item_scores(measure, reference, missing)
        assert (item_scores(measure, reference, system) <= worst + 1e-9).all(), measure


def test_documents_are_drawn_together() -> None:
    of_items = soft_score("manhattan", REFERENCE, SYSTEM, sampling=Sampling(200))
    documents = np.arange(40) // 8
    grouped = SoftReference(COUNTS, REFERENCE.probabilities, None, documents)
    of_documents = soft_score("manhattan", grouped, SYSTEM, sampling=Sampling(200))
    assert of_documents.value == pytest.approx(of_items.value)
    assert of_documents.interval != of_items.interval
    assert "documents" in str(of_documents.signature)


def test_halves_of_a_group_are_disjoint_and_of_equal_size() -> None:
    one, other = split_labels_in_halves(COUNTS[:, :2], np.random.default_rng(0))
    assert (one + other <= COUNTS[:, :2]).all()
    np.testing.assert_array_equal(one.sum(axis=1), COUNTS[:, :2].sum(axis=1) // 2)
    np.testing.assert_array_equal(one.sum(axis=1), other.sum(axis=1))


def test_a_unanimous_group_is_what_another_group_would_be() -> None:
    counts = np.array([[4, 0], [0, 4], [4, 0]])
    reference = SoftReference(counts, shares(counts))
    assert expected_annotator_scores(reference, ["manhattan"])[0].value == 0
    single = SoftReference(counts // 4, shares(counts))
    [undefined] = expected_annotator_scores(single, ["manhattan"])
    assert undefined.reason is not None
    assert undefined.n_items == 0


@pytest.mark.shared
@pytest.mark.parametrize(("n", "within"), [(5, 0.12), (12, 0.08)])
def test_another_group_of_bluebirds(shared_data: Path, n: int, within: float) -> None:
    """A group of n of the 39 annotators foresees how far a disjoint group of n is from it."""
    with (shared_data / "bluebirds" / "bluebirds_long.csv").open() as file:
        rows = list(csv.DictReader(file))
    matrix = label_matrix(
        **{f"{k}s": [row[k] for row in rows] for k in ("item", "annotator", "label")}
    )
    rng = np.random.default_rng(2)
    measures = ["manhattan", "annotator_error_rate"]
    foreseen, found = [], []
    for _ in range(6):
        order = rng.permutation(matrix.n_annotators)
        one, other = (matrix.select_annotators(order[k * n : (k + 1) * n]).counts() for k in (0, 1))
        reference = SoftReference(one, shares(one))
        foreseen.append([value.value for value in expected_annotator_scores(reference, measures)])
        found.append([item_scores(m, reference, shares(other)).mean() for m in measures])
    np.testing.assert_allclose(np.mean(foreseen, axis=0), np.mean(found, axis=0), rtol=within)
