from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.chance.sample_plan import expected_disorder_of_samples
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.reason import ReasonCode
from accordeur.metrics.signature import How
from accordeur.metrics.units.difference import (
    gamma_cat_difference,
    gamma_difference,
    pairwise_f_difference,
)
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_cat import gamma_cat
from accordeur.metrics.units.observed import Observed, align_documents
from accordeur.metrics.units.pairwise_f import PairwiseCounts, pairwise_counts, pairwise_f

FAST = {"precision": 0.05, "replicates": 10}


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
    return expected_disorder_of_samples({("random2", 3): counts}, shares={3: 1.0})


def test_two_guideline_versions_that_differ(degraded) -> None:
    before = gamma(degraded(20, shift=0.4, omission=0.3), **FAST)
    after = gamma(degraded(20, shift=0.1, omission=0.05, seed=1), **FAST)
    found = gamma_difference(after.observed, after.expected, before.observed, before.expected)
    assert found.value == pytest.approx(after.corpus.value - before.corpus.value)
    assert 0 < found.lower < found.value < found.upper
    assert found.p_value < 0.01
    assert (found.method, found.n_groups) == ("bootstrap-independent", 20)


def test_the_level_of_the_test() -> None:
    """Campaigns alike are told apart about once in twenty times."""
    rng = np.random.default_rng(1)
    expected = chance()
    rejected = 0
    for seed in range(200):
        found = gamma_difference(
            synthetic(rng, 0.7),
            expected,
            synthetic(rng, 0.7),
            expected,
            n_replicates=400,
            seed=seed,
        )
        rejected += found.p_value <= 0.05
    assert rejected <= 22


def test_the_level_of_the_paired_test() -> None:
    """Two annotations of the same documents, hard ones and easy ones, alike but for chance."""
    rng = np.random.default_rng(6)
    expected = chance()
    rejected = 0
    for seed in range(200):
        hard = synthetic(rng, 0.7)
        two = [
            replace(hard, totals=hard.totals + hard.weights * rng.normal(0, 0.1, hard.n_documents))
            for _ in range(2)
        ]
        found = gamma_difference(
            two[0], expected, two[1], expected, paired=True, n_replicates=400, seed=seed
        )
        rejected += found.p_value <= 0.05
    assert 1 <= rejected <= 22


def test_a_document_that_one_side_left_empty_counts_for_the_other() -> None:
    first = synthetic(np.random.default_rng(7), 0.7, 12)
    keep = np.arange(12) != 4
    second = replace(first, totals=first.totals * keep, weights=first.weights * keep)
    exact = expected_disorder_of_samples(
        {("random2", 3): np.tile([1.5, 1, 0], (30, 1))}, shares={3: 1.0}
    )
    found = gamma_difference(first, exact, second, exact, paired=True)
    values = [1 - c.totals.sum() / (1.5 * c.weights.sum()) for c in (first, second)]
    assert found.value == pytest.approx(values[0] - values[1])


def test_gamma_cat_of_two_versions(degraded) -> None:
    """Categories confused in one of them; the places are the same, so the documents are paired."""
    metric = Dissimilarity()
    clear, unclear = degraded(20, confusion=0), degraded(20, confusion=0.4)
    found = []
    for documents in (clear, unclear):
        alignments = align_documents(documents, metric)
        found.append(gamma_cat(documents, alignments, metric, n_replicates=0))
    one, two = (one.gamma_cat.value for one in found)
    both = [
        gamma_cat_difference(
            found[0].counts, found[1].counts, (metric, metric), paired=paired, n_replicates=500
        )
        for paired in (True, False)
    ]
    assert [d.value for d in both] == pytest.approx([one - two] * 2)
    assert all(d.lower > 0 and d.p_value < 0.02 for d in both)  # 500 resamples tell no less
    assert [d.method for d in both] == ["bootstrap-paired", "bootstrap-independent"]
    same = gamma_cat_difference(
        found[0].counts, found[0].counts, (metric, metric), paired=True, n_replicates=50
    )
    assert same.value == 0
    assert math.isnan(same.lower)
    assert same.reason is not None
    assert same.reason.code is ReasonCode.UNITS_ALIKE
    one_category = replace(found[0].counts, units=found[0].counts.units * [1, 0, 0, 0])
    undefined = gamma_cat_difference(one_category, found[0].counts, (metric, metric))
    assert math.isnan(undefined.value)
    assert str(undefined.reason) == "γ-cat is undefined in a campaign"


def test_pairing_documents_sees_more() -> None:
    rng = np.random.default_rng(2)
    first = synthetic(rng, 0.7)
    noise = first.weights * rng.normal(0.05, 0.05, first.n_documents)
    second = Observed(
        first.totals - noise, first.weights, first.n_annotators, first.n_units, first.gaps
    )
    exact = expected_disorder_of_samples(
        {("random2", 3): np.tile([1.5, 1, 0], (30, 1))}, shares={3: 1.0}
    )
    paired = gamma_difference(first, exact, second, exact, paired=True)
    apart = gamma_difference(first, exact, second, exact)
    assert paired.method == "bootstrap-paired"
    assert paired.value == pytest.approx(apart.value)
    assert paired.value == pytest.approx(-noise.sum() / (1.5 * first.weights.sum()))
    assert paired.p_value < 0.01 < apart.p_value


def test_the_error_of_chance_widens_the_interval() -> None:
    rng = np.random.default_rng(3)
    first, second = synthetic(rng, 0.7), synthetic(rng, 0.6)
    widths = []
    for error in (0.001, 0.1):
        expected = chance(error)
        found = gamma_difference(first, expected, second, expected)
        widths.append(found.upper - found.lower)
    assert widths[1] > 1.15 * widths[0]


def test_undefined_and_refused() -> None:
    rng = np.random.default_rng(4)
    expected = chance()
    many, one = synthetic(rng, 0.7), synthetic(rng, 0.7, 1)
    found = gamma_difference(many, expected, one, expected)
    assert math.isfinite(found.value)
    assert math.isnan(found.lower)
    assert found.reason is not None
    assert found.reason.code is ReasonCode.FEW_TO_DRAW
    with pytest.raises(MetricsError, match="40 and 1"):
        gamma_difference(many, expected, one, expected, paired=True)
    with pytest.raises(MetricsError, match="resamples"):
        gamma_difference(many, expected, many, expected, n_replicates=0)


@pytest.mark.parametrize("measure", ["pairwise_f", "pairwise_f_type", "pairwise_f_characters"])
def test_the_difference_of_a_pairwise_f(degraded, measure: str) -> None:
    good, poor = (
        degraded(20, shift=0.1, omission=0.05, seed=1),
        degraded(20, shift=0.4, omission=0.3, seed=2),
    )
    counts = [pairwise_counts(own, measure) for own in (good, poor)]
    for paired in (True, False):
        found = pairwise_f_difference(*counts, paired=paired, n_replicates=500)
        one, two = (pairwise_f(own, measure).value for own in (good, poor))
        assert found.value == pytest.approx(one - two)
        assert 0 < found.lower < found.value < found.upper
        assert found.p_value < 0.02
        assert found.n_groups == 20


def test_the_level_of_the_test_of_a_pairwise_f() -> None:
    """Campaigns alike are told apart about once in twenty times, with counts that vary."""
    rng, rejected = np.random.default_rng(4), [0, 0]
    how = How(measure="pairwise_f")

    def counts() -> PairwiseCounts:
        n = rng.integers(10, 30, 25)
        matched = 2 * rng.binomial(n, rng.beta(14, 6, 25))
        rows = np.column_stack([np.zeros(25), np.ones(25), np.arange(25), np.zeros(25)])
        nothing = np.empty(0, dtype=np.int64)
        present = np.ones((25, 2), dtype=bool)
        return PairwiseCounts(
            how, ("a", "b"), ("x",), present, nothing, nothing, nothing,
            rows.astype(np.int64), matched.astype(float), 2.0 * n,
        )  # fmt: skip

    for seed in range(300):
        first, second = counts(), counts()
        for k, paired in enumerate((True, False)):
            found = pairwise_f_difference(first, second, paired=paired, n_replicates=400, seed=seed)
            rejected[k] += found.p_value < 0.05
    assert all(5 <= n <= 27 for n in rejected), rejected  # 15 expected, 3.3 standard errors
