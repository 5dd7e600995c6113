"""γ: the published formula, its ends, and what must not change it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.units.gamma import gamma
from accordeur.metrics.units.gamma_from_counts import gamma_of_counts, gamma_of_documents
from accordeur.metrics.units.observed import count_disorder
from tests.metrics.units.gamma_cases import FAST, constant, counts_with, moved


@pytest.mark.parametrize(
    ("e", "e_random1", "a1", "e_random2", "a2"),
    [
        (3.44, 3.76, 0.09, 3.48, 0.01),
        (3.20, 3.76, 0.15, 3.48, 0.08),
        (2.81, 3.72, 0.24, 3.34, 0.16),
        (2.79, 3.76, 0.25, 3.48, 0.20),
        (2.67, 3.76, 0.29, 3.48, 0.23),
        (2.37, 3.76, 0.36, 3.48, 0.32),
        (2.18, 3.76, 0.42, 3.48, 0.37),
    ],
)
def test_the_formula_on_table_3_of_2011(e, e_random1, a1, e_random2, a2) -> None:
    """Mathet & Widlöcher 2011, table 3 (agreements printed to two digits, truncated or rounded)."""
    for expected, agreement in ((e_random1, a1), (e_random2, a2)):
        estimate = gamma_of_counts(counts_with(e * 5, 5.0), constant(expected))
        assert estimate.value == pytest.approx(agreement, abs=0.0101)
        assert estimate.observed == pytest.approx(e)
        assert estimate.expected == pytest.approx(expected)


def test_perfect_agreement_is_1(degraded) -> None:
    perfect = degraded(shift=0, omission=0, confusion=0)
    result = gamma(perfect, **FAST)
    assert result.corpus.value == 1.0
    assert 0.9 < result.corpus.interval[0] < result.corpus.interval[1] == 1.0
    assert all(e.value == 1.0 for e in result.documents)


def test_chance_is_0(degraded) -> None:
    """Annotators each of whom reads another document agree as chance does."""
    documents = degraded(60, n_annotators=2, seed=3)
    rng = np.random.default_rng(0)
    strangers = []
    for d in range(0, 60, 2):
        a, b = documents[d], documents[d + 1]
        mine, theirs = a.owners == 0, b.owners == rng.integers(2)
        strangers.append(
            Continuum(
                np.concatenate([a.starts[mine], b.starts[theirs]]),
                np.concatenate([a.ends[mine], b.ends[theirs]]),
                np.concatenate([a.categories[mine], b.categories[theirs]]),
                np.repeat([0, 1], [mine.sum(), theirs.sum()]),
                ("a", "b"),
                a.tagset,
                length=a.length,
            )
        )
    corpus = gamma(strangers, precision=0.02, replicates=500).corpus
    assert corpus.interval[0] < 0 < corpus.interval[1]
    assert abs(corpus.value) < 0.09  # three standard errors


def test_agreement_falls_as_the_campaign_is_degraded(degraded) -> None:
    values = [
        gamma(degraded(shift=s, omission=o, confusion=c), **FAST).corpus.value
        for s, o, c in ((0.05, 0, 0), (0.2, 0.1, 0.1), (0.4, 0.3, 0.3))
    ]
    assert values[0] > values[1] > values[2] > 0


def test_the_corpus_comes_from_added_counts(degraded) -> None:
    documents = degraded(7) + degraded(5, n_annotators=2, seed=1)
    result = gamma(documents, **FAST)
    counts = result.observed
    expected = result.expected
    by_chance = sum(
        w * expected.sample(int(n)).mean
        for w, n in zip(counts.weights, counts.n_annotators, strict=True)
    )
    assert result.corpus.value == pytest.approx(1 - counts.totals.sum() / by_chance)
    batches = count_disorder(documents[:3], Dissimilarity()) + count_disorder(
        documents[3:], Dissimilarity()
    )
    np.testing.assert_allclose(batches.totals, counts.totals, rtol=1e-12)
    again = gamma_of_counts(batches, expected, n_replicates=200)
    assert again.value == pytest.approx(result.corpus.value, rel=1e-12)
    for d, estimate in enumerate(gamma_of_documents(batches, expected)):
        n = int(counts.n_annotators[d])
        assert estimate.value == pytest.approx(
            1 - counts.disorders[d] / expected.sample(n).mean, rel=1e-12
        )


def test_alignments_and_batch_counts_agree(degraded) -> None:
    for objective in ("sum", "mean", "soft"):
        documents = degraded(4, n_units=5)
        result = gamma(documents, objective=objective, **FAST)
        counts = count_disorder(documents, Dissimilarity(), objective=objective)
        np.testing.assert_allclose(counts.totals, result.observed.totals, rtol=1e-9)
        np.testing.assert_allclose(counts.weights, result.observed.weights, rtol=1e-12)


def test_soft_disorder_is_no_greater(degraded) -> None:
    documents = degraded(6, n_units=6, shift=0.5)
    hard = count_disorder(documents, Dissimilarity())
    soft = count_disorder(documents, Dissimilarity(), objective="soft")
    assert (soft.totals <= hard.totals + 1e-9).all()


@pytest.mark.parametrize("processes", [("shuffle",), ("statistical",), ("random1",), ("random2",)])
def test_time_scale_and_shift_change_nothing(processes, degraded) -> None:
    """Faults known of a peer: 10⁸ added to every offset, or another unit of time."""
    documents = [moved(c) for c in degraded(12, n_units=5)]
    reference = gamma(documents, processes=processes, **FAST).corpus.value
    for change in ({"shift": 1e8}, {"factor": 1000.0}, {"factor": 2.0**-20}):
        value = gamma([moved(c, **change) for c in documents], processes=processes, **FAST)
        assert value.corpus.value == pytest.approx(reference, abs=1e-6)


def test_the_seed_and_only_the_seed_changes_the_sample(degraded) -> None:
    documents = degraded(10)
    first, same = (gamma(documents, seed=7, **FAST).corpus for _ in range(2))
    assert first == same
    assert gamma(documents, seed=8, **FAST).corpus.expected != first.expected


def test_an_annotator_who_marked_nothing_counts(degraded) -> None:
    document = degraded(1, n_annotators=2)[0]
    silent = replace(document, annotators=(*document.annotators, "silent"), roles=())
    two, three = (gamma([c], processes=["shuffle"], **FAST) for c in (document, silent))
    assert three.corpus.n_annotators == 3
    assert three.corpus.observed > two.corpus.observed
    assert three.observed.weights[0] == pytest.approx(document.n_units / 3)


def test_documents_in_which_nobody_or_one_annotator_marked_units() -> None:
    nobody = Continuum([], [], [], [], ("a", "b"), ("x",), length=50)
    one = Continuum([3, 20], [9, 30], [0, 0], [0, 0], ("a", "b"), ("x",), length=50)
    both = Continuum([3, 20], [9, 30], [0, 0], [0, 1], ("a", "b"), ("x",), length=50)
    result = gamma([nobody, one, both], processes=["random1"], **FAST)
    assert math.isnan(result.documents[0].value)
    assert str(result.documents[0].reason) == "no annotator marked a unit"
    # two lone units of disorder Δ∅ = 1, one unit per annotator in the mean
    assert result.documents[1].observed == pytest.approx(2.0)
    assert not result.documents[1].reason
    assert result.corpus.detail.n_documents_without_units == 1
    empty = gamma([nobody, nobody], processes=["random1"], **FAST).corpus
    assert math.isnan(empty.value)
    assert str(empty.reason) == "no annotator marked a unit"


def test_a_document_of_one_annotator_is_counted_and_left_out(degraded) -> None:
    single = Continuum([3], [9], [0], [0], ("annotator 0",), ("x", "y", "z"), length=50)
    documents = degraded(11)
    result = gamma([*documents, single], processes=["random1"], **FAST)
    assert result.corpus.detail.n_unpaired_documents == 1
    assert result.corpus.detail.n_unpaired_units == 1
    assert result.corpus.n_items == sum(c.n_units for c in documents)
    assert str(result.documents[-1].reason) == "fewer than two annotators"
    assert result.alignments[-1] is None
    without = count_disorder(documents, Dissimilarity())
    assert result.observed.totals.sum() == pytest.approx(without.totals.sum())
    with pytest.raises(MetricsError, match="no document has two annotators"):
        gamma([single], processes=["random1"], **FAST)


@settings(max_examples=10)
@given(st.permutations([0, 1, 2]), st.permutations([0, 1, 2]))
def test_names_and_order_do_not_matter(annotators, categories) -> None:
    rng = np.random.default_rng(5)
    starts = rng.integers(0, 80, 12)
    owners, codes = np.repeat([0, 1, 2], 4), rng.integers(0, 3, 12)
    document = Continuum(starts, starts + 9, codes, owners, tuple("abc"), tuple("xyz"), length=100)
    renamed = Continuum(
        starts,
        starts + 9,
        np.array(categories)[codes],
        np.array(annotators)[owners],
        tuple("abc"),
        tuple("xyz"),
        length=100,
    )
    d = Dissimilarity()
    assert count_disorder(renamed, d).totals[0] == pytest.approx(
        count_disorder(document, d).totals[0]
    )
