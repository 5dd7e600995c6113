"""Counts and sums: parts make the whole, exactly, and sums are what their definitions say."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest
from agreement_cases import from_strings
from agreement_strategies import matrices
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement import counts as counts_module
from accordeur.metrics.agreement import summands
from accordeur.metrics.agreement.coefficients import (
    coefficient_from_counts,
    compute_coefficient,
    compute_coefficients,
)
from accordeur.metrics.agreement.counts import (
    ItemCounts,
    count,
    join_counts,
    units_of_distinct_rows,
)
from accordeur.metrics.agreement.diagnosis.diagnose import diagnose
from accordeur.metrics.agreement.distances import distance_table
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.formulas.spread import (
    NominalSpread,
    Spread,
    SquaredSpread,
    TableSpread,
)
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.summands import CountedSummands
from accordeur.metrics.agreement.sums import Sums, sums_of_each, weighted_sums
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.measures import COEFFICIENTS, USUAL
from accordeur.metrics.options import Sampling

MANY = [name for name, spec in COEFFICIENTS.items() if not spec.generalisation]
NAMES = (
    "n_paired", "n_labelled", "paired", "shares", "pooled", "marginals", "complete", "n_complete",
    "n_unanimous",
)  # fmt: skip


def sums_of(counts: ItemCounts) -> Sums:
    return sums_of_each(CountedSummands(counts))


def assert_alike(found: Sums, expected: Sums, spread: Spread) -> None:
    for name in NAMES:
        assert getattr(found, name) == pytest.approx(getattr(expected, name)), name
    assert found.observed(spread) == pytest.approx(expected.observed(spread))
    assert found.coincidence_sum(spread) == pytest.approx(expected.coincidence_sum(spread))
    for one, other in zip(
        found.sums_by_annotator_pair(spread), expected.sums_by_annotator_pair(spread), strict=True
    ):
        assert one == pytest.approx(other)


@settings(max_examples=25)
@given(matrices(), st.data())
def test_parts_added_are_the_whole_bit_for_bit(matrix: LabelMatrix, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, matrix.n_items))
    halves = (matrix.codes[:cut], matrix.codes[cut:])
    merged = join_counts([count(replace(matrix, codes=codes)) for codes in halves])
    whole = count(matrix)
    assert merged.fingerprint() == whole.fingerprint()
    for measure in MANY:
        first, second = (
            coefficient_from_counts(measure, merged),
            coefficient_from_counts(measure, whole),
        )
        assert repr(first) == repr(second)


@settings(max_examples=25)
@given(matrices(documents=True))
def test_documents_sum_to_the_whole(matrix: LabelMatrix) -> None:
    by_document = count(matrix, by="documents")
    n_documents = np.unique(matrix.documents).size
    assert by_document.n_units == n_documents
    assert by_document.fingerprint() == count(matrix).fingerprint()
    ones = np.ones((1, n_documents))
    spread = NominalSpread(len(matrix.tagset))
    whole = sums_of(count(matrix))
    assert_alike(weighted_sums(CountedSummands(by_document), ones), whole, spread)
    one_by_one = join_counts(by_document.select_resampling_units([d]) for d in range(n_documents))
    assert_alike(sums_of(one_by_one), sums_of(by_document), spread)
    assert (
        by_document.category_counts_by_resampling_unit().sum(axis=0).tolist()
        == whole.pooled[0].tolist()
    )


def spreads(matrix: LabelMatrix) -> list[Spread]:
    """Nominal, on a line, and any table."""
    size = len(matrix.tagset)
    table = np.random.default_rng(0).random((size, size))
    table = (table + table.T) * (1 - np.eye(size))
    return [NominalSpread(size), SquaredSpread(np.arange(size) / 3), TableSpread(table)]


@settings(max_examples=25)
@given(matrices())
def test_sums_are_what_their_definitions_say(matrix: LabelMatrix) -> None:
    sums = sums_of(count(matrix))
    rows = [[int(k) for k in row if k >= 0] for row in matrix.codes]
    two = [row for row in rows if len(row) > 1]
    every = [row for row in rows if len(row) == matrix.n_annotators]
    size = range(len(matrix.tagset))
    assert sums.n_paired[0] == len(two)
    assert sums.n_labelled[0] == sum(map(bool, rows))
    assert sums.paired[0].tolist() == [sum(row.count(k) for row in two) for k in size]
    shares = [sum(row.count(k) / len(row) for row in rows if row) for k in size]
    assert sums.shares[0] == pytest.approx(shares)
    assert sums.n_complete[0] == len(every)
    assert sums.n_unanimous[0] == sum(len(set(row)) == 1 for row in every)
    for spread in spreads(matrix):
        apart = spread.as_table()
        means = [np.mean([apart[c, k] for c, k in permutations(row, 2)]) for row in two]
        assert sums.observed(spread)[0] == pytest.approx(sum(means))
        lengths = [len(row) for row in two]
        assert sums.coincidence_sum(spread)[0] == pytest.approx(sum(np.multiply(means, lengths)))
        n, distances, labels = sums.sums_by_annotator_pair(spread)
        for q, (a, b) in enumerate(combinations(matrix.codes.T, 2)):
            both = (a >= 0) & (b >= 0)
            assert n[0, q] == both.sum()
            assert distances[0, q] == pytest.approx(apart[a[both], b[both]].sum())
            assert labels[0, q, 0].tolist() == [(a[both] == k).sum() for k in size]


@settings(max_examples=25)
@given(matrices())
def test_distinct_rows_weighted_by_their_items_are_the_campaign(matrix: LabelMatrix) -> None:
    kinds, n_items = units_of_distinct_rows(count(matrix))
    again = np.repeat(kinds.codes, n_items, axis=0)
    assert sorted(again.tolist()) == sorted(matrix.codes.tolist())
    for spread in spreads(matrix):
        found = weighted_sums(CountedSummands(kinds), n_items[None].astype(float))
        assert_alike(found, sums_of(count(matrix)), spread)


@pytest.mark.parametrize("n_annotators", [3, 60])
def test_many_annotators_are_made_distinct_without_overflow(n_annotators: int) -> None:
    codes = np.random.default_rng(0).integers(-1, 3, (50, n_annotators)).astype(np.int32)
    names = tuple(map(str, range(n_annotators)))
    matrix = LabelMatrix(codes=np.repeat(codes, 2, axis=0), tagset=tuple("abc"), annotators=names)
    kinds, n_items = units_of_distinct_rows(count(matrix))
    assert n_items.sum() == 100
    assert len(kinds.codes) == len(np.unique(codes, axis=0))
    assert np.array_equal(np.unique(kinds.codes, axis=0), np.unique(codes, axis=0))


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval"])
def test_sparse_matrices_hold_the_dense_sums(distance: str) -> None:
    codes = np.random.default_rng(0).integers(-1, 70, (40, 4)).astype(np.int32)
    codes[::3, 1:] = codes[::3, :1]
    matrix = LabelMatrix(
        codes=codes,
        tagset=tuple(map(str, range(70))),
        annotators=tuple("abcd"),
        documents=np.arange(40) % 7,
    )
    weights = np.random.default_rng(1).integers(0, 3, (5, 7)).astype(float)
    table = TableSpread(distance_table("ratio", tagset=matrix.tagset, marginals=np.ones(70)))
    dense = weighted_sums(CountedSummands(count(matrix, by="documents")), weights)
    values = compute_coefficient("krippendorff_alpha", matrix, distance=distance)
    assert_alike(dense, dense, table)  # computed now
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts_module, "DENSE_UP_TO", 0)
        sparse = weighted_sums(CountedSummands(count(matrix, by="documents")), weights)
        assert_alike(sparse, dense, table)
        assert compute_coefficient(
            "krippendorff_alpha", matrix, distance=distance
        ).value == pytest.approx(values.value)
        assert np.array_equal(count(matrix).pairs, count(replace(matrix)).pairs)


@pytest.mark.parametrize("by", ["whole", "documents", "items"])
@pytest.mark.parametrize("labelled", [0.1, 0.4, 1.0])
def test_sums_are_equal_whichever_way_the_size_chooses(by: str, labelled: float) -> None:
    """By annotator or label by label; over all pairs of categories or those that occur."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 4, (60, 5)).astype(np.int32)
    codes[rng.random(codes.shape) > labelled] = -1
    matrix = LabelMatrix(
        codes=codes, tagset=tuple("abcd"), annotators=tuple("vwxyz"), documents=np.arange(60) // 30
    )
    found = []
    for mostly, most in product((True, False), (0, 64)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ItemCounts, "is_mostly_labelled", mostly)
            patch.setattr(summands, "ALL_CELLS_UP_TO", most)
            counts = count(matrix, by=by)
            found.append(sums_of_each(CountedSummands(counts)))
            assert_alike(found[-1], found[0], TableSpread(1 - np.eye(4)))  # computed now
            values = [one.value for one in compute_coefficients(matrix, measures=MANY)]
        assert values == pytest.approx(
            [one.value for one in compute_coefficients(matrix, measures=MANY)], nan_ok=True
        )


def test_batches_with_other_annotators_are_matched_by_name() -> None:
    """A campaign where each batch was annotated by two of three annotators."""
    codes = np.array([[0, 1, -1], [1, 1, -1], [-1, 0, 0], [-1, 1, 0]], dtype=np.int32)
    whole = LabelMatrix(codes=codes, tagset=("x", "y"), annotators=("ann", "ben", "cat"))
    first = LabelMatrix(codes=codes[:2, :2], tagset=("x", "y"), annotators=("ann", "ben"))
    second = LabelMatrix(
        codes=np.ascontiguousarray(codes[2:, :0:-1]), tagset=("x", "y"), annotators=("cat", "ben")
    )
    merged = join_counts([count(first), count(second)])
    assert merged.annotators == ("ann", "ben", "cat")
    expected = compute_coefficients(whole, measures=MANY)
    found = [coefficient_from_counts(measure, merged) for measure in MANY]
    assert [repr(e) for e in found] == [repr(e) for e in expected]


def test_other_tagsets_cannot_be_added() -> None:
    with pytest.raises(MetricsError, match="declare one tagset"):
        join_counts([count(from_strings("AB", "AB")), count(from_strings("AC", "AC"))])


def test_nothing_to_merge_and_no_documents_are_errors() -> None:
    with pytest.raises(MetricsError, match="no batch"):
        join_counts([])
    with pytest.raises(MetricsError, match="no document"):
        count(from_strings("AB", "AB"), by="documents")


def test_collapsed_counts_are_those_of_recoded_labels() -> None:
    matrix = from_strings("ABCCA", "ABBCA", "CBC.A")
    groups = [0, 1, 1]
    recoded = np.append(np.array(groups), -1)[matrix.codes].astype(np.int32)
    collapsed = count(matrix).collapse_categories(groups, ("A", "other"))
    expected = count(replace(matrix, codes=recoded, tagset=("A", "other")))
    assert collapsed.fingerprint() == expected.fingerprint()
    assert np.array_equal(collapsed.pairs, expected.pairs)


def test_a_table_of_distances_that_would_not_fit_is_refused() -> None:
    wide = LabelMatrix(
        codes=np.arange(30_000, dtype=np.int32).reshape(-1, 2),
        tagset=tuple(map(str, range(1, 30_001))),
        annotators=("x", "y"),
    )
    with pytest.raises(MetricsError, match="round the values"):
        compute_coefficient("krippendorff_alpha", wide, distance="ratio")
    for distance in ("nominal", "ordinal", "interval"):
        assert compute_coefficient("krippendorff_alpha", wide, distance=distance).value < 1


@pytest.mark.parametrize("role", ["system", "reference"])
def test_systems_are_never_counted_among_annotators(role: str) -> None:
    matrix = replace(from_strings("AB", "AB"), roles=("human", role))
    with pytest.raises(RoleError, match=role):
        count(matrix)


@pytest.mark.parametrize("n_items", [0, 1, 3])
@pytest.mark.parametrize("tagset", [(), ("a",)])
def test_a_campaign_without_a_label_has_values_with_reasons(
    n_items: int, tagset: tuple[str, ...]
) -> None:
    codes = np.full((n_items, 2), -1, np.int32)
    matrix = LabelMatrix(codes=codes, tagset=tagset, annotators=("x", "y"))
    found = evaluate_matrix(matrix, measures=USUAL, sampling=Sampling(replicates=10))
    assert all(np.isnan(one.value) and one.reason for one in found)
    counts = count(matrix)
    size = len(tagset)
    assert counts.pairs.shape == counts.coincidences.shape == (size, size)
    assert counts.category_counts_by_resampling_unit().shape == (counts.n_units, size)
    diagnose(matrix)


def test_texts_that_nearly_all_differ_have_a_fingerprint() -> None:
    n_items = 5_001
    codes = np.arange(2 * n_items, dtype=np.int32).reshape(n_items, 2)
    codes[0] = 0
    codes[9, 1] = -1  # items with one label have no pair at all
    tagset = tuple(f"text {k}" for k in range(2 * n_items))
    matrix = replace(from_strings("a", "b"), codes=codes, tagset=tagset)
    changed = replace(matrix, codes=np.where(codes == 3, 5, codes))
    assert count(matrix).fingerprint() == count(replace(matrix, codes=codes[::-1])).fingerprint()
    assert count(matrix).fingerprint() != count(changed).fingerprint()
