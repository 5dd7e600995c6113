"""Labels as users have them: numbers, missing values, a row or a column per annotator."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.metrics.agreement import label_matrix as label_matrix_module
from accordeur.metrics.agreement.coefficients import compute_coefficient
from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix, table_matrix
from accordeur.metrics.agreement.label_sets import set_matrix
from accordeur.metrics.errors import MetricsError

# Krippendorff 2004, page 220 (reliability data of four observers, twelve units): nominal α .743.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
NOTHING = (None, math.nan, np.nan, pd.NA, pd.NaT, np.float64("nan"))


def alpha(matrix: LabelMatrix) -> float:
    return compute_coefficient("krippendorff_alpha", matrix).value


def test_a_table_of_numbers_has_its_published_value_either_way_round() -> None:
    by_annotator = table_matrix(annotators_by_items=OBSERVERS)
    assert alpha(by_annotator) == pytest.approx(0.743, abs=5e-4)
    by_item = table_matrix(items_by_annotators=list(zip(*OBSERVERS, strict=True)))
    assert by_item.annotators == ("1", "2", "3", "4")
    assert np.array_equal(by_item.codes, by_annotator.codes)


@pytest.mark.parametrize("nothing", NOTHING, ids=lambda value: type(value).__name__)
def test_every_kind_of_missing_value_is_no_label(nothing: object) -> None:
    table = [[nothing if label is None else label for label in row] for row in OBSERVERS]
    expected = table_matrix(annotators_by_items=OBSERVERS)
    assert np.array_equal(table_matrix(annotators_by_items=table).codes, expected.codes)
    rows = [(i, a, label) for a, row in enumerate(table) for i, label in enumerate(row)]
    items, annotators, labels = zip(*rows, strict=True)
    assert alpha(label_matrix(items=items, annotators=annotators, labels=labels)) == alpha(expected)


def test_whole_numbers_are_one_category_whatever_their_type() -> None:
    """A column of pandas with missing values turns its integers to floats."""
    column, other = pd.Series([1, None, 2]), "132"
    assert column.dtype == float
    matrix = table_matrix(
        items_by_annotators=[[one, two] for one, two in zip(column, other, strict=True)]
    )
    assert matrix.tagset == ("1", "2", "3")
    assert matrix.codes.tolist() == [[0, 0], [-1, 2], [1, 1]]
    mixed = [[np.int64(1), 1.0, "1", True, 1.5, np.float32(2)]]
    assert table_matrix(items_by_annotators=mixed).tagset == ("1", "1.5", "2", "True")


def test_an_array_of_numbers_is_read_like_their_texts() -> None:
    rng = np.random.default_rng(0)
    many = rng.choice([2.0, 5.0, np.nan], (3, 20_000))
    for numbers in (many, many + 0.5, np.array([[-128, 127], [-128, -128]], dtype=np.int8)):
        found = table_matrix(annotators_by_items=numbers)
        texts = table_matrix(annotators_by_items=numbers.tolist())
        assert found.tagset == texts.tagset
        assert np.array_equal(found.codes, texts.codes)


def test_a_data_frame_and_an_array_are_tables() -> None:
    frame = pd.DataFrame({"anna": ["a", "b", pd.NA], "ben": ["a", "a", "b"]}, dtype="string")
    matrix = table_matrix(
        items_by_annotators=frame.to_numpy(), annotators=frame.columns, items=frame.index
    )
    assert (matrix.annotators, matrix.items) == (("anna", "ben"), ("0", "1", "2"))
    assert matrix.codes.tolist() == [[0, 0], [1, 0], [-1, 1]]


def test_which_way_round_a_table_is_must_be_said() -> None:
    for table in ({}, {"items_by_annotators": [[1]], "annotators_by_items": [[1]]}):
        with pytest.raises(MetricsError, match="either as items_by_annotators"):
            table_matrix(**table)
    with pytest.raises(TypeError):
        table_matrix([[1, 2]])  # type: ignore[misc]
    with pytest.raises(TypeError):
        LabelMatrix(np.zeros((1, 1)), ("a",), ("x",))  # type: ignore[misc]


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (
            ["a", "b"],
            r"is a list, but a label must be a string, a number or None; several labels",
        ),
        ({"a": 1}, "is a dict, but a label must be a string, a number or None"),
        (b"a", "is a bytes"),
        (math.inf, "a label is infinite: write None"),
        (1j, "is a complex"),
    ],
)
def test_what_is_no_label_is_refused(label: object, said: str) -> None:
    with pytest.raises(MetricsError, match=said):
        table_matrix(items_by_annotators=[[label, "a"]])
    with pytest.raises(MetricsError, match=said):
        label_matrix(items=[1], annotators=["x"], labels=[label])


def test_names_are_strings_or_whole_numbers() -> None:
    with pytest.raises(MetricsError, match=r"the annotator 1\.5 is a number that is not whole"):
        label_matrix(items=[1], annotators=[1.5], labels=["a"])
    with pytest.raises(MetricsError, match=r"row 0 \(from 0\) has no item"):
        label_matrix(items=[None], annotators=["x"], labels=["a"])


def test_tables_that_do_not_fit_are_refused() -> None:
    for table, said in (
        (
            {"items_by_annotators": [[1, 2], [1]]},
            "differ in length: write None where there is no label",
        ),
        ({"items_by_annotators": [[1, 2]], "annotators": ["x"]}, "1 names for 2 annotators"),
        ({"items_by_annotators": [[1, 2]], "items": ["i", "j"]}, "2 names for 1 items"),
        ({"items_by_annotators": [[1, 2]], "tagset": [1]}, "label '2' of annotator '2' on item"),
    ):
        with pytest.raises(MetricsError, match=said):
            table_matrix(**table)


def test_sets_of_labels_take_keywords() -> None:
    matrix = set_matrix(items=[1, 1], annotators=["x", "y"], label_sets=[["a", "b"], []])
    assert matrix.tagset == ("∅", "a + b")


@given(
    st.lists(st.integers(-5, 5).map(float) | st.just(math.nan), min_size=4, max_size=30),
    st.sampled_from([1.0, 0.5]),
)
def test_numbers_are_numbered_alike_within_a_short_range_and_beyond(
    values: list[float], unit: float
) -> None:
    table = np.array([values]) * unit
    if np.isnan(table).all():
        return
    near = table_matrix(annotators_by_items=table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(label_matrix_module, "_LOOKED_UP", 0)
        beyond = table_matrix(annotators_by_items=table)
    assert near.tagset == beyond.tagset
    np.testing.assert_array_equal(near.codes, beyond.codes)
