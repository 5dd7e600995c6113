"""Categories, pairs, annotators left out, documents, universes, passes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement_cases import from_confusion, from_strings
from agreement_intervals import bootstrap
from agreement_strategies import matrices
from hypothesis import given, settings

from accordeur.metrics.agreement import breakdown
from accordeur.metrics.agreement.breakdown import (
    coefficient_by_category,
    coefficient_by_document,
    coefficient_by_pair,
    coefficient_by_set_member,
    coefficient_without_each_annotator,
    confusion_between,
    lowest_documents,
)
from accordeur.metrics.agreement.coefficients import coefficient_from_counts, compute_coefficient
from accordeur.metrics.agreement.counts import count
from accordeur.metrics.agreement.diagnosis.annotation_passes import pass_matrices
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.item_subsets import (
    evaluate_item_subsets,
    remove_null_category,
    select_candidate_items,
)
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.label_sets import set_matrix
from accordeur.metrics.agreement.observed_distances import (
    conditional_probabilities,
    proposed_distances,
)
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.measures import COEFFICIENTS
from accordeur.metrics.options import Sampling

MANY = [name for name, spec in COEFFICIENTS.items() if not spec.generalisation]


@settings(max_examples=25)
@given(matrices())
def test_categories_from_labels_and_from_counts(matrix: LabelMatrix) -> None:
    for measure in sorted(set(MANY) - {"aickin_alpha"}):
        counts = count(matrix)
        for k, (name, one) in enumerate(coefficient_by_category(measure, matrix)):
            groups = [int(j != k) for j in range(len(matrix.tagset))]
            two = coefficient_from_counts(
                measure, counts.collapse_categories(groups, (name, "(other)"))
            )
            assert name == matrix.tagset[k]
            assert one.value == pytest.approx(two.value, nan_ok=True)
            assert one.reason == two.reason


def test_an_unused_category_is_there_with_its_reason() -> None:
    found = dict(coefficient_by_category("fleiss_kappa", from_strings("AAB", "ABB", tagset="ABC")))
    assert str(found["C"].reason) == "single category used"


@pytest.mark.parametrize("documents", [None, np.arange(30) // 5])
def test_one_quantity_has_one_interval(documents: np.ndarray | None) -> None:
    """With two categories, each against the other is the whole; so are a set and its complement."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, (30, 3)).astype(np.int32)
    codes[rng.random(codes.shape) < 0.1] = -1
    matrix = LabelMatrix(
        codes=codes, tagset=("b", "a"), annotators=("x", "y", "z"), documents=documents
    )
    sampling = Sampling(replicates=50)
    whole = evaluate_matrix(matrix, measures=["krippendorff_alpha"], sampling=sampling)[0]
    parts = dict(coefficient_by_category("krippendorff_alpha", matrix, sampling=sampling))
    for part in parts.values():
        assert part.interval == pytest.approx(whole.interval, abs=1e-12)
    complements = replace(
        matrix, members=np.array([[False, True], [True, False]]), tags=("first", "second")
    )
    sets = dict(coefficient_by_set_member("krippendorff_alpha", complements, sampling=sampling))
    for part in sets.values():
        assert part.interval == pytest.approx(whole.interval, abs=1e-12)


def test_a_part_has_the_interval_of_its_own_labels() -> None:
    """The pair's interval is the bootstrap of the pair's matrix alone, whoever else worked."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 3, (60, 3)).astype(np.int32)
    codes[:, 1] = np.where(rng.random(60) < 0.7, codes[:, 0], codes[:, 1])
    codes[50:, :2] = -1  # the last document is the third annotator's alone
    documents = np.arange(60) // 10
    matrix = LabelMatrix(
        codes=codes, tagset=("a", "b", "c"), annotators=("x", "y", "z"), documents=documents
    )
    [(name, pair), *_] = coefficient_by_pair(
        "krippendorff_alpha", matrix, sampling=Sampling(200, 0.9, seed=3), pairs=[(0, 1)]
    )
    alone = LabelMatrix(
        codes=codes[:50, :2],
        tagset=("a", "b", "c"),
        annotators=("x", "y"),
        documents=documents[:50],
    )
    own = bootstrap(alone, measures=("krippendorff_alpha",), n_replicates=200, seed=3, level=0.9)[
        "krippendorff_alpha"
    ]
    assert name == "x – y"
    assert pair.interval == own.bounds
    assert (
        "interval:dirichlet-documents/documents/0.9|prior:1+0.75/labels|replicates:200"
        in pair.signature
    )
    assert all(
        one.interval[0] <= one.value <= one.interval[1]
        for found in (coefficient_by_category, coefficient_without_each_annotator)
        for _, one in found("fleiss_kappa", matrix, sampling=Sampling(200, 0.99))
    )


def test_documents_of_many_parts_are_drawn_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 2, (500, 3)).astype(np.int32)
    matrix = LabelMatrix(
        codes=codes, tagset=("a", "b"), annotators=("x", "y", "z"), documents=np.arange(500)
    )
    pairs = coefficient_by_pair("scott_pi", matrix, sampling=Sampling(50))
    assert all("documents/documents/" in pair.signature for _, pair in pairs)
    monkeypatch.setattr(breakdown, "MOST_DOCUMENTS", 1_000)
    pairs = coefficient_by_pair("scott_pi", matrix, sampling=Sampling(50))
    assert all("groups of documents" in pair.signature for _, pair in pairs)


def test_pairs_and_left_out_annotators() -> None:
    matrix = from_strings("AABB", "AABB", "BBAA", "AAB.")
    pairs = dict(coefficient_by_pair("scott_pi", matrix))
    assert list(pairs) == ["a1 – a2", "a1 – a3", "a1 – a4", "a2 – a3", "a2 – a4", "a3 – a4"]
    assert pairs["a1 – a2"].value == 1
    assert pairs["a1 – a3"].value == -1
    without = dict(coefficient_without_each_annotator("fleiss_kappa", matrix))
    assert max(without, key=lambda name: without[name].value) == "a3"
    assert without["a3"].n_annotators == 3


def test_cohen_of_each_pair_is_defined_where_that_of_all_is_not() -> None:
    matrix = from_strings("AABB", "ABBB", "AAAB")
    assert math.isnan(compute_coefficient("cohen_kappa", matrix).value)
    assert all(not math.isnan(e.value) for _, e in coefficient_by_pair("cohen_kappa", matrix))


def test_documents_alone() -> None:
    matrix = replace(from_strings("AABBAA", "AABBAB"), documents=np.array([7, 7, 7, 7, 9, 9]))
    counts = count(matrix, by="documents")
    found = dict(coefficient_by_document("fleiss_kappa", counts, names=("first", "second")))
    assert found["first"].value == 1
    assert found["second"].n_items == 2
    assert [name for name, _ in coefficient_by_document("fleiss_kappa", counts)] == ["0", "1"]
    with pytest.raises(MetricsError, match="1 names for 2 documents"):
        coefficient_by_document("fleiss_kappa", counts, names=("first",))


def test_confusion_by_name_or_number() -> None:
    matrix = from_strings("ABC.A", "ABBC.")
    assert confusion_between(matrix, "a1", "a2").tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert np.array_equal(confusion_between(matrix, 1, 0), confusion_between(matrix, "a1", "a2").T)
    with pytest.raises(MetricsError, match="no annotator 'bob'"):
        confusion_between(matrix, "bob", "a2")
    with pytest.raises(RoleError):
        confusion_between(replace(matrix, roles=("human", "system")), 0, 1)


def test_prevalence_study_side_by_side() -> None:
    table = np.array([[71, 13, 23], [8, 69, 15], [7, 8, 951]])
    matrix = from_confusion(table, ["Former", "New", "Rien"])
    gene = np.arange(matrix.n_items) < 300
    distance = np.array([[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]])
    study = evaluate_item_subsets(
        matrix,
        null="Rien",
        candidates={"gene names": gene},
        measures=("fleiss_kappa", "weighted_pi"),
        distance=distance,
    )
    assert [universe.name for universe in study] == ["all items", "gene names", "without Rien"]
    assert [universe.n_items for universe in study] == [1165, 300, 161]
    assert study[0].confusion.matrix == table.tolist()
    assert study[2].tagset == ("Former", "New")
    assert study[2].values[0].value == pytest.approx(0.739090, abs=1e-6)
    assert all(math.isnan(one.interval[0]) for universe in study for one in universe.values)
    # With one distance left, halved or not, the weighted value is the nominal one.
    assert study[2].values[1].value == pytest.approx(0.739090, abs=1e-6)


def test_universes_have_the_intervals_of_their_own_items() -> None:
    matrix = from_confusion(np.array([[71, 13, 23], [8, 69, 15], [7, 8, 951]]), list("FNR"))
    whole, nothing, without = evaluate_item_subsets(
        matrix,
        null="R",
        candidates={"nothing": np.zeros(matrix.n_items, dtype=bool)},
        measures=("fleiss_kappa", "bennett_s"),
        sampling=Sampling(replicates=200, seed=1),
    )
    drawn = bootstrap(matrix, measures=("fleiss_kappa", "bennett_s"), n_replicates=200, seed=1)
    for one in whole.values:
        assert one.interval == drawn[one.measure].bounds
        assert (
            "interval:dirichlet-profiles/items/0.95|prior:1+0.75/labels|replicates:200|seed:1"
            in one.signature
        )
    assert all(one.reason for one in nothing.values)
    for one in without.values:
        assert one.interval[0] < one.value < one.interval[1]


def test_universes_of_many_annotators() -> None:
    """Labels of the null category go; an item stays while two labels are left."""
    matrix = from_strings("ANAB", "ANNB", "AANN", tagset="ANB")
    kept = remove_null_category(matrix, null="N")
    assert kept.tagset == ("A", "B")
    assert kept.codes.tolist() == [[0, 0, 0], [1, 1, -1]]
    with pytest.raises(MetricsError, match="no category 'X'"):
        remove_null_category(matrix, null="X")
    with pytest.raises(MetricsError, match="candidates"):
        select_candidate_items(matrix, np.ones(3, dtype=bool))


def test_intra_annotator() -> None:
    rows = [
        ("i1", "ann", "1", "A"),
        ("i1", "ann", "2", "A"),
        ("i2", "ann", "1", "B"),
        ("i2", "ann", "2", "A"),
        ("i3", "ann", "1", "B"),
        ("i3", "ann", "2", "B"),
        ("i1", "ben", "1", "B"),
    ]
    found = pass_matrices(*zip(*rows, strict=True))
    assert list(found) == ["ann"]
    assert found["ann"].annotators == ("1", "2")
    ((name, matrix),) = found.items()
    estimate = compute_coefficient("percent_agreement", matrix)
    assert (name, estimate.value) == ("ann", pytest.approx(2 / 3))
    with pytest.raises(MetricsError, match="same number of rows"):
        pass_matrices(["i1"], ["ann"], ["1", "2"], ["A"])


def test_proposed_distances_of_an_unused_category() -> None:
    table = np.array([[5, 1, 0], [2, 6, 0], [0, 0, 0]])
    assert np.isnan(conditional_probabilities(table)[2]).all()
    of_alpha, of_kappa = proposed_distances(table)
    assert of_alpha[2].tolist() == of_kappa[2].tolist() == [1, 1, 0]
    with pytest.raises(MetricsError, match="square"):
        proposed_distances(np.zeros((2, 3)))


def test_the_lowest_documents_are_those_of_all_documents_sorted() -> None:
    rng = np.random.default_rng(4)
    codes = rng.integers(-1, 3, (120, 3)).astype(np.int32)
    codes[codes[:, 0] == 2, 1] = 2  # not all by chance
    matrix = LabelMatrix(
        codes=codes,
        tagset=("1", "2", "3"),
        annotators=("a", "b", "c"),
        documents=np.arange(120) // 4,
    )
    counts = count(matrix, by="documents")
    names = [f"d{k}" for k in range(counts.n_units)]
    for measure, distance in (("krippendorff_alpha", "ordinal"), ("fleiss_kappa", "nominal")):
        every = coefficient_by_document(measure, counts, names=tuple(names), distance=distance)
        every.sort(key=lambda one: (math.isnan(one[1].value), one[1].value))
        found = lowest_documents(
            measure,
            counts,
            names=names,
            most=12,
            distance=distance,
        )
        assert [name for name, _ in found] == [name for name, _ in every[:12]]
        assert [one for _, one in found] == [one for _, one in every[:12]]


def test_labels_of_sets_are_looked_at_one_by_one() -> None:
    """Each label, given or not, as a matrix of its own has it."""
    first, second = ["a", "ab", "b", "abc", "c"], ["ab", "ab", "c", "a", "c"]
    rows = [(str(i), who, given) for who, all_ in zip("xy", (first, second), strict=True)
            for i, given in enumerate(all_)]  # fmt: skip
    items, annotators, sets = zip(*rows, strict=True)
    matrix = set_matrix(items=items, annotators=annotators, label_sets=sets)
    found = dict(coefficient_by_set_member("krippendorff_alpha", matrix, sampling=Sampling(50)))
    assert list(found) == ["a", "b", "c"]
    for tag, estimate in found.items():
        given = [["n" if tag not in one else "y" for one in all_] for all_ in (first, second)]
        alone = compute_coefficient(
            "krippendorff_alpha", from_strings(*map("".join, given), tagset="yn")
        )
        assert estimate.value == pytest.approx(alone.value)
        assert not math.isnan(estimate.interval[0])
    with pytest.raises(MetricsError, match="are not sets of labels"):
        coefficient_by_set_member("krippendorff_alpha", from_strings("AB", "AB"))


def test_a_distance_on_sets_is_named_in_the_signature() -> None:
    matrix = set_matrix(items="1122", annotators="xyxy", label_sets=["a", "ab", "b", "b"])
    value = compute_coefficient("krippendorff_alpha", matrix, distance="masi")
    assert "|distance:masi|" in value.signature
