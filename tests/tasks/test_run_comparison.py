"""The effect of a document on the change of a value is what leaving it out takes away."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement.coefficient_difference import bootstrap_difference
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.influence import combine_influences
from accordeur.tasks.run_comparison.compare_runs import document_effects, pair_documents
from accordeur.tasks.run_comparison.value_by_document import LabelDocuments, UnitDocuments

TAGSET = ("1", "2", "3")


@st.composite
def labels(draw: st.DrawFn, names: str) -> LabelDocuments:
    """Three items in each document of `names`, by two or three annotators, some labels missing."""
    n_annotators = draw(st.integers(2, 3))
    cells = draw(
        st.lists(
            st.lists(st.integers(-1, 2), min_size=n_annotators, max_size=n_annotators),
            min_size=3 * len(names),
            max_size=3 * len(names),
        )
    )
    matrix = LabelMatrix(
        codes=np.array(cells, dtype=np.int32),
        tagset=TAGSET,
        annotators=tuple("abc"[:n_annotators]),
        documents=np.repeat(np.arange(len(names)), 3),
    )
    return LabelDocuments(matrix, tuple(names), "krippendorff_alpha", "ordinal")


def value_without(one: LabelDocuments, document: str) -> float:
    matrix = one.matrix
    if document in one.names:
        assert matrix.documents is not None
        matrix = matrix.select_items(matrix.documents != one.names.index(document))
    return compute_coefficient(one.measure, matrix, distance=one.distance).value


@settings(max_examples=40)
@given(labels("abcd"), labels("bcde"))
def test_leaving_a_document_out_takes_its_effect_from_the_change_of_alpha(first, second):
    whole = second.value() - first.value()
    for document, effect in document_effects(first, second).items():
        without = value_without(second, document) - value_without(first, document)
        if math.isfinite(whole) and math.isfinite(without):
            assert effect == pytest.approx(whole - without, abs=1e-9)
        else:
            assert math.isnan(effect)


shares = st.lists(st.floats(0.01, 2.0), min_size=4, max_size=4)


@given(shares, shares, shares, shares)
def test_leaving_a_document_out_takes_its_effect_from_the_change_of_gamma(t1, c1, t2, c2):
    runs = [
        UnitDocuments(tuple(names), np.array(totals), np.array(chances), np.ones(4), 0.0)
        for names, totals, chances in (("abcd", t1, c1), ("bcde", t2, c2))
    ]
    whole = runs[1].value() - runs[0].value()
    for document, effect in document_effects(*runs).items():
        rest = []
        for run in runs:
            kept = [d for d, name in enumerate(run.names) if name != document]
            rest.append(1 - run.totals[kept].sum() / run.chances[kept].sum())
        assert effect == pytest.approx(whole - (rest[1] - rest[0]), abs=1e-9)


def test_documents_that_one_run_lacks_are_in_no_paired_difference():
    names = tuple(f"d{d}" for d in range(12))
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, (36, 2)).astype(np.int32)
    matrix = LabelMatrix(
        codes=codes, tagset=TAGSET, annotators=("a", "b"), documents=np.repeat(np.arange(12), 3)
    )
    first = LabelDocuments(matrix, names, "krippendorff_alpha", "nominal")
    other = codes.copy()
    other[:3] = 0  # in the document that the first run lacks once it is renamed
    second = replace(first, matrix=replace(matrix, codes=other), names=("z", *names[1:]))
    one, two = first.only_shared_with(second), second.only_shared_with(first)
    assert one.names == two.names == names[1:]
    difference = combine_influences([two.influences(), one.influences()], [1.0, -1.0])
    assert (difference.value, difference.standard_error) == (0, 0)
    assert second.value() != first.value()


def test_identical_documents_have_not_changed_whatever_chance_was_sampled():
    """Documents were added, so chance was sampled anew and every expected disorder moved."""
    weights = np.array([4.0, 5.0, 3.0, 6.0])
    totals = np.array([2.0, 1.5, 1.0, 4.0])
    first = UnitDocuments(tuple("abcd"), totals, 1.9 * weights, weights, 0.02)
    more = np.append(weights, 2.0)
    second = UnitDocuments(tuple("abcde"), np.append(totals, 0.5), 2.1 * more, more, 0.02)
    paired = pair_documents(first, second)
    assert (paired.n_documents, paired.change, paired.interval) == (4, 0, (0, 0))
    assert paired.first == paired.second == pytest.approx(1 - totals.sum() / (2.1 * weights.sum()))


def test_the_interval_of_a_change_is_that_of_a_paired_bootstrap():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, (180, 1))
    matrices = []
    for error in (0.3, 0.45):
        guesses = rng.integers(0, 3, (180, 3))
        codes = np.where(rng.random((180, 3)) < error, guesses, truth).astype(np.int32)
        matrices.append(
            LabelMatrix(
                codes=codes, tagset=TAGSET, annotators=tuple("abc"), documents=np.arange(180) // 3
            )
        )
    names = tuple(f"d{d}" for d in range(60))
    runs = [LabelDocuments(one, names, "krippendorff_alpha", "nominal") for one in matrices]
    change = combine_influences([runs[1].influences(), runs[0].influences()], [1.0, -1.0])
    resampled = bootstrap_difference(
        matrices[1], matrices[0], measures=("krippendorff_alpha",) * 2, n_replicates=2000, seed=1
    )
    low, high = change.interval()
    assert change.value == pytest.approx(resampled.value)
    assert (low, high) == pytest.approx((resampled.lower, resampled.upper), abs=0.015)
