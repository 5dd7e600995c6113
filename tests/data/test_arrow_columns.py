"""Columns of Python values are those that Arrow makes, and read back as they were."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.data.arrow_columns import (
    as_numpy,
    codes_and_values,
    column,
    count_equal_rows,
    first_of_equal_rows,
    group_codes,
    number_column,
)
from accordeur.data.schema import SCHEMAS

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
units = SCHEMAS["units"]


@given(st.lists(text | st.none(), max_size=20))
def test_texts(values: list[str | None]) -> None:
    found = column(values, pa.string())
    found.validate(full=True)
    assert found.to_pylist() == values


@pytest.mark.parametrize(
    ("type", "rows"),
    [
        (SCHEMAS["labels"].field("labels").type, [("a", "é"), (), ("b",)]),
        (units.field("fragments").type, [((1, 2), (3, 4)), ()]),
        (units.field("attributes").type, [(("name", "value"),), ()]),
        (pa.int64(), [3, -1]),
        (pa.bool_(), [True, False]),
    ],
)
def test_nested_columns_and_numbers(type: pa.DataType, rows: list[Any]) -> None:
    for values in (rows, []):
        found = column(values, type)
        found.validate(full=True)
        assert found.equals(pa.array(values, type))


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(-2, 2)), max_size=20))
def test_groups_are_rows_equal_in_all_columns(rows: list[tuple[str, int]]) -> None:
    table = pa.table(
        {
            "name": column([name for name, _ in rows], pa.string()),
            "number": column([number for _, number in rows], pa.int64()),
        }
    )
    groups = group_codes(table, ["name", "number"]).tolist()
    assert [[a == b for a in groups] for b in groups] == [[a == b for a in rows] for b in rows]
    first = first_of_equal_rows(table, ["name", "number"]).to_pylist()
    assert [(one["name"], one["number"]) for one in first] == list(dict.fromkeys(rows))


def test_flags_and_missing_values() -> None:
    flags = np.array([True, False, True])
    assert as_numpy(number_column(flags)).tolist() == flags.tolist()
    assert as_numpy(pa.chunked_array([[1, None]])).tolist() == [1, 0]
    codes, values = codes_and_values(column(["b", None, "b"], pa.string()))
    assert (codes.tolist(), values.to_pylist()) == ([0, 1, 0], ["b", None])


def test_equal_rows_are_counted_in_the_order_of_their_first() -> None:
    rng = np.random.default_rng(3)
    for n in (0, 1, 200):
        texts = pa.array([("a", "b", None)[k] for k in rng.integers(0, 3, n).tolist()], pa.string())
        rows = pa.table({"text": texts, "number": pa.array(rng.integers(0, 4, n), pa.int64())})
        counted = Counter(zip(*(rows[name].to_pylist() for name in rows.column_names), strict=True))
        assert list(count_equal_rows(rows, ["text", "number"])) == list(counted.items())
