"""What the interval of γ carries, and the chance it is drawn from."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.corpus import corpus_of_continua, in_one_order
from accordeur.metrics.chance.expected_disorder import mean_units_by_n_annotators
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.expected_documents import expected_per_document
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_from_counts import gamma_of_counts
from accordeur.metrics.units.observed import Observed, count_disorder
from tests.metrics.units.gamma_cases import FAST, constant


def test_per_document_expectations(degraded) -> None:
    documents = in_one_order(degraded(4))
    result = gamma(documents, per="document", **FAST)
    assert len(result.expected) == 4
    alone = gamma(documents[2:3], per="document", **FAST)
    assert alone.documents[0].expected == pytest.approx(result.documents[2].expected)
    weights, totals = result.observed.weights, result.observed.totals
    chance = sum(w * e.expected for w, e in zip(weights, result.documents, strict=True))
    assert result.corpus.value == pytest.approx(1 - totals.sum() / chance)
    with pytest.raises(MetricsError, match="random2 takes each virtual annotator"):
        gamma(documents, per="document", processes=["random2"], **FAST)


def test_one_document_has_a_monte_carlo_error_and_no_interval(degraded) -> None:
    document = degraded(1)
    loose = gamma(document, processes=["shuffle"], precision=0.1, seed=1).corpus
    tight = gamma(document, processes=["shuffle"], precision=0.005, seed=1).corpus
    error = float(loose.detail.monte_carlo_error)
    assert 0 < 5 * float(tight.detail.monte_carlo_error) < error
    # half width of γ = (1 − γ) · relative half width of the expected disorder
    reached = float(loose.detail.precision_reached)
    assert error == pytest.approx((1 - loose.value) * reached, rel=1e-6)
    assert all(math.isnan(bound) for bound in tight.interval)
    assert "fewer than 3 documents" in str(tight.detail.interval_reason)
    assert "interval:" not in tight.signature


def test_the_signature_says_what_the_interval_holds(degraded) -> None:
    found = gamma(degraded(4), precision=0.1, replicates=20)
    assert math.isnan(found.corpus.detail.monte_carlo_error)
    settings = "|interval:fay-feuer/documents+chance/0.95|"
    assert settings in found.corpus.signature
    assert "interval:" not in found.documents[0].signature
    assert found.corpus.signature.count("interval:") == 1
    without = gamma(degraded(4), precision=0.1, replicates=0).corpus
    assert "interval:" not in without.signature
    assert without.detail.interval_reason == "no replicates were drawn"


def test_the_interval_narrows_with_documents(degraded) -> None:
    few, many = (gamma(degraded(n), **FAST).corpus for n in (12, 120))
    assert many.interval[1] - many.interval[0] < 0.6 * (few.interval[1] - few.interval[0])
    assert many.interval[0] < many.value < many.interval[1]


def test_the_bootstrap_interval_covers(degraded) -> None:
    """γ of many campaigns drawn alike: the interval of one is about as wide as their spread."""
    expected = constant(1.5)
    values, widths = [], []
    rng = np.random.default_rng(0)
    for seed in range(200):
        weights = rng.integers(3, 9, 40).astype(float)
        counts = Observed(
            weights * rng.normal(0.6, 0.2, 40),
            weights,
            np.full(40, 3),
            np.full(40, 10),
            np.zeros(40),
        )
        estimate = gamma_of_counts(counts, expected, n_replicates=400, seed=seed)
        values.append(estimate.value)
        widths.append(estimate.interval[1] - estimate.interval[0])
    assert np.mean(widths) == pytest.approx(2 * 1.96 * np.std(values), rel=0.15)


def test_few_documents_take_shuffle_and_statistical(degraded) -> None:
    assert "processes:shuffle+statistical" in gamma(degraded(4), **FAST).corpus.signature
    assert "processes:random2" in gamma(degraded(10), **FAST).corpus.signature


def test_expectations_must_fit_the_documents(degraded) -> None:
    documents = degraded(3)
    counts = count_disorder(documents, Dissimilarity())
    with pytest.raises(MetricsError, match="1 expected disorders for 3"):
        expected_per_document(counts, [None])
    with pytest.raises(MetricsError, match="sample chance for it"):
        expected_per_document(counts, [None] * 3)


def test_shares_are_those_of_the_observed_weights(degraded) -> None:
    documents = degraded(4) + degraded(3, n_annotators=2)
    counts = count_disorder(documents, Dissimilarity())
    for n, share in mean_units_by_n_annotators(corpus_of_continua(documents)).items():
        assert share == pytest.approx(counts.weights[counts.n_annotators == n].sum())


def test_chance_that_always_agrees_is_undefined() -> None:
    same = Continuum([0, 0], [10, 10], [0, 0], [0, 1], ("a", "b"), ("x",), length=10)
    estimate = gamma([same] * 3, processes=["random2"], **FAST).corpus
    assert math.isnan(estimate.value)
    assert "chance achieves disorder 0" in str(estimate.reason)


def test_a_corpus_with_next_to_no_unit_is_sampled_until_one_is_drawn() -> None:
    empty = Continuum([], [], [], [], ("a", "b"), ("x",), length=50)
    one = Continuum([3, 4], [9, 10], [0, 0], [0, 1], ("a", "b"), ("x",), length=50)
    result = gamma([*[empty] * 300, one], precision=0.5, replicates=0)
    assert result.corpus.expected == pytest.approx(2.0)  # each unit stands alone
    assert result.corpus.value > 0.9
    assert int(result.corpus.detail.n_samples) > 30
    capped = gamma([*[empty] * 300, one], max_samples=2, min_samples=2, replicates=0).corpus
    assert math.isnan(capped.value)
    assert str(capped.reason).startswith("no virtual document holds a unit")


def test_annotators_are_people_and_the_most_of_a_document_stand_beside_them() -> None:
    """Five people, two per document: not two annotators."""
    pairs = (("a", "b"), ("b", "c"), ("d", "e"))
    documents = [
        Continuum(
            np.array([0.0, 20.0, 1.0, 22.0]),
            np.array([9.0, 30.0, 10.0, 30.0]),
            np.array([0, 1, 0, 1], dtype=np.int32),
            np.array([0, 0, 1, 1], dtype=np.int32),
            names,
            ("x", "y"),
            length=40.0,
        )
        for names in pairs
    ]
    found = gamma(documents, processes=["shuffle"], precision=0.2, replicates=5).corpus
    assert (found.n_annotators, found.detail.most_annotators) == (5, 2)
