"""Names of sets of labels: readable, and different for different sets whatever the labels hold."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from accordeur.data.blocks import names_of_sets
from accordeur.data.label_sets import labels_of_set_name, set_name

HOSTILE = st.text(alphabet="+∅\\ |,;\n\0\"'aC😀e\u0301\x1f", max_size=6)
SETS = st.frozensets(HOSTILE, max_size=4)


@given(labels=SETS)
def test_a_name_says_which_labels_are_in_the_set(labels: frozenset[str]) -> None:
    assert labels_of_set_name(set_name(labels)) == tuple(sorted(labels))


def test_names_are_readable() -> None:
    assert set_name(["Python", "C++"]) == "C++ + Python"
    assert set_name(["a|b, c\\d"]) == "a|b, c\\d"
    assert set_name(["a + b"]) != set_name(["a", "b"])
    assert (set_name([]), set_name([""]), set_name(["∅"])) == ("∅", "", "\\∅")


@given(rows=st.lists(SETS.map(sorted), max_size=5) | st.lists(HOSTILE.map(lambda label: [label])))
def test_a_column_of_lists_is_named_as_each_list_is(rows: list[list[str]]) -> None:
    column = pa.chunked_array([pa.array(rows, pa.list_(pa.string()))])
    assert names_of_sets(column).to_pylist() == [set_name(row) for row in rows]
