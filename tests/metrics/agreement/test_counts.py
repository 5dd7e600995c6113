"""Counts: parts make the whole, exactly; the kernel and NumPy count alike."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from agreement_cases import from_strings
from agreement_strategies import matrices
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.agreement import counting
from accordeur.metrics.agreement.counts import AgreementCounts, count, count_without_each, merge
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.registry import compute_all, from_counts
from accordeur.metrics.agreement.sparse_sums import sparse_sums_of_rows
from accordeur.metrics.agreement.weighted_sums import Sums, distinct_rows, sums_of, sums_of_rows
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.measures import COEFFICIENTS

MANY = [name for name, spec in COEFFICIENTS.items() if not spec.generalisation]


def equal(first: AgreementCounts, second: AgreementCounts) -> bool:
    return all(
        np.array_equal(getattr(first, field.name), getattr(second, field.name))
        for field in fields(AgreementCounts)
    )


@settings(max_examples=25)
@given(matrices(), st.data())
def test_parts_added_are_the_whole_bit_for_bit(matrix: LabelMatrix, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, matrix.n_items))
    parts = [
        count(replace(matrix, codes=codes), confusions=True)
        for codes in (matrix.codes[:cut], matrix.codes[cut:])
    ]
    whole = count(matrix, confusions=True)
    merged = merge(parts)
    assert equal(merged.total(), whole)
    assert merged.fingerprint() == whole.fingerprint()
    for measure in MANY:
        first, second = from_counts(measure, merged), from_counts(measure, whole)
        assert repr(first) == repr(second)


@settings(max_examples=50)
@given(matrices())
def test_counts_without_an_annotator_are_those_of_the_others(matrix: LabelMatrix) -> None:
    everyone = range(matrix.n_annotators)
    for a, found in enumerate(count_without_each(matrix)):
        others = matrix.of_annotators([b for b in everyone if b != a])
        assert equal(found, count(others))
        assert found.fingerprint() == count(others).fingerprint()


@settings(max_examples=25)
@given(matrices(documents=True))
def test_documents_sum_to_the_whole(matrix: LabelMatrix) -> None:
    by_document = count(matrix, by="documents")
    assert by_document.n_documents == np.unique(matrix.documents).size
    assert equal(by_document.total(), count(matrix))
    one_by_one = merge(by_document.document(d) for d in range(by_document.n_documents))
    assert equal(one_by_one, by_document)


@settings(max_examples=25)
@given(matrices(documents=True))
def test_the_kernel_counts_as_numpy_does(matrix: LabelMatrix) -> None:
    by_numpy = [count(matrix, by=by) for by in ("whole", "documents")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "KERNEL_FROM", 0)
        by_kernel = [count(matrix, by=by) for by in ("whole", "documents")]
    assert all(equal(*pair) for pair in zip(by_numpy, by_kernel, strict=True))


@settings(max_examples=25)
@given(matrices())
def test_sums_of_rows_are_the_sums_of_counts(matrix: LabelMatrix) -> None:
    from_rows = sums_of_rows(matrix.codes, len(matrix.tagset), confusions=True).total()
    whole = sums_of(count(matrix, confusions=True))
    assert from_rows.flat() == pytest.approx(whole.flat())
    rows, row_of = distinct_rows(matrix)
    assert np.array_equal(rows[row_of], matrix.codes)
    weights = np.bincount(row_of, minlength=rows.shape[0])[None, :].astype(float)
    again = sums_of_rows(rows, len(matrix.tagset), confusions=True).resampled(weights)
    assert again.flat() == pytest.approx(whole.flat())


def test_many_annotators_are_made_distinct_without_overflow() -> None:
    codes = np.random.default_rng(0).integers(-1, 3, (50, 60)).astype(np.int32)
    matrix = LabelMatrix(codes=codes, tagset=("a", "b", "c"), annotators=tuple(map(str, range(60))))
    rows, row_of = distinct_rows(matrix)
    assert np.array_equal(rows[row_of], codes)


def test_batches_with_other_annotators_are_matched_by_name() -> None:
    """A campaign where each batch was annotated by two of three annotators."""
    codes = np.array([[0, 1, -1], [1, 1, -1], [-1, 0, 0], [-1, 1, 0]], dtype=np.int32)
    whole = LabelMatrix(codes=codes, tagset=("x", "y"), annotators=("ann", "ben", "cat"))
    first = LabelMatrix(codes=codes[:2, :2], tagset=("x", "y"), annotators=("ann", "ben"))
    second = LabelMatrix(
        codes=np.ascontiguousarray(codes[2:, :0:-1]), tagset=("x", "y"), annotators=("cat", "ben")
    )
    merged = merge([count(first, confusions=True), count(second, confusions=True)])
    assert merged.annotators == ("ann", "ben", "cat")
    assert equal(merged.total(), count(whole, confusions=True))
    expected = compute_all(whole, measures=MANY)
    found = [from_counts(measure, merged) for measure in MANY]
    assert [repr(e) for e in found] == [repr(e) for e in expected]


def test_other_tagsets_cannot_be_added() -> None:
    with pytest.raises(MetricsError, match="declare one tagset"):
        count(from_strings("AB", "AB")) + count(from_strings("AC", "AC"))


def test_nothing_to_merge_and_no_documents_are_errors() -> None:
    with pytest.raises(MetricsError, match="no batch"):
        merge([])
    with pytest.raises(MetricsError, match="no document"):
        count(from_strings("AB", "AB"), by="documents")


def test_collapsed_counts_are_those_of_recoded_labels() -> None:
    matrix = from_strings("ABCCA", "ABBCA", "CBC.A")
    groups = [0, 1, 1]
    recoded = np.append(np.array(groups), -1)[matrix.codes].astype(np.int32)
    collapsed = count(matrix, confusions=True).collapsed(groups, ("A", "other"))
    expected = count(replace(matrix, codes=recoded, tagset=("A", "other")), confusions=True)
    for name in ("items", "labels", "pairs", "marginals", "confusions"):
        assert np.array_equal(getattr(collapsed, name), getattr(expected, name)), name


def test_hubert_asks_for_the_pairs_tables() -> None:
    with pytest.raises(MetricsError, match="confusions=True"):
        from_counts("hubert_kappa", count(from_strings("AB", "AB")))


def test_counts_that_would_not_fit_are_refused() -> None:
    wide = LabelMatrix(
        codes=np.zeros((2, 2), np.int32),
        tagset=tuple(map(str, range(30_000))),
        annotators=("x", "y"),
    )
    with pytest.raises(MetricsError, match="round the values"):
        count(wide)


@pytest.mark.parametrize("role", ["system", "reference"])
def test_systems_are_never_counted_among_annotators(role: str) -> None:
    matrix = replace(from_strings("AB", "AB"), roles=("human", role))
    with pytest.raises(RoleError, match=role):
        count(matrix)


def test_tables_of_pairs_that_would_not_fit_are_refused() -> None:
    codes = np.zeros((400, 400), dtype=np.int32)
    with pytest.raises(MetricsError, match="use conger_kappa"):
        sums_of_rows(codes, 2, confusions=True)


@pytest.mark.parametrize("n_categories", [3, 200])
def test_sparse_sums_of_rows_are_the_dense_ones(n_categories: int) -> None:
    """Cells that are all held, or only those of some item."""
    codes = np.random.default_rng(0).integers(-1, n_categories, (40, 4)).astype(np.int32)
    codes[::3, 1:] = codes[::3, :1]
    codes[5] = -1
    dense = sums_of_rows(codes, n_categories)
    sparse = sparse_sums_of_rows(codes, n_categories)
    weights = np.random.default_rng(1).integers(0, 3, (7, 40)).astype(float)
    expected, found = dense.resampled(weights), sparse.resampled(weights)
    for field in fields(Sums):
        if field.name in ("cells", "observed", "coincidences", "confusions"):
            continue
        assert getattr(found, field.name) == pytest.approx(getattr(expected, field.name)), (
            field.name
        )
    for name in ("observed", "coincidences"):
        assert on_all_cells(found, name) == pytest.approx(on_all_cells(expected, name))
    assert np.array_equal(sparse.n_paired, dense.n_paired)
    assert np.array_equal(sparse.n_labelled, dense.n_labelled)


def on_all_cells(sums: Sums, name: str) -> np.ndarray:
    values = getattr(sums, name)
    out = np.zeros((values.shape[0], sums.n_categories**2))
    out[:, sums.cells] = values
    return out


@pytest.mark.parametrize("by", ["whole", "documents"])
def test_counts_of_many_categories_are_those_of_tables(by: str) -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(-1, 70, (60, 4)).astype(np.int32)
    codes[::2, 2] = codes[::2, 0]
    matrix = LabelMatrix(
        codes=codes,
        tagset=tuple(map(str, range(70))),
        annotators=tuple("abcd"),
        documents=rng.integers(0, 3, 60),
    )
    with pytest.MonkeyPatch.context() as patch:
        found = count(matrix, by=by)
        patch.setattr(counting, "PRODUCT_UP_TO", 100)
        assert equal(found, count(matrix, by=by))
