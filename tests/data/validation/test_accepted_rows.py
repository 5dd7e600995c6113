"""A quick look rejects the same rows as a run of the same export."""

from __future__ import annotations

from copy import copy
from dataclasses import asdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.row_account import rejection_summary, require_no_rejected
from accordeur.data.schema import Document, Label, Record, Rejected, Unit
from accordeur.data.validation.preparation import accepted_rows
from accordeur.data.validation.rule import Declared
from tests.data.validation.prepared_rows import prepared

spots = st.integers(-2, 12)
few = st.sampled_from
records = st.one_of(
    st.builds(Label, few("de"), few("ij"), few(["anna", "ben"]), few([(), ("x",), ("x", "z")]),
              pass_=few((1, 2))),
    st.builds(Unit, few("de"), few(["anna", "ben"]), few("TU"), spots, spots, few(["", "A", "B"]),
              fragments=few([(), ((1, 2), (3, 4))])),
    st.builds(Document, few("de"), few((-1, 6, 10)), sha256=few(["", "1", "2"])),
)  # fmt: skip


@pytest.mark.long
@settings(max_examples=60)
@given(st.lists(records, max_size=12))
def test_rows_in_memory_and_in_a_store_are_rejected_alike(rows: list[Record]) -> None:
    """Of any rows, by the same rule, with the same value and words, in reading order."""
    for number, row in enumerate(rows):
        row.source = "a"
        if not isinstance(row, Document):
            row.location = f"line {number}"
    declared = Declared(tagsets={"labels": ("x",), "units": ("A",)}, unlabelled=("units",))
    run = prepared([*map(copy, rows)], declared=declared)
    found = accepted_rows([*map(copy, rows)], declared)
    quick = found.rejected_records()
    assert sorted(str(asdict(row)) for row in quick) == sorted(map(str, run.rejected.to_pylist()))
    lines = [int(row.location.removeprefix("line ")) for row in quick if row.location]
    assert lines == sorted(lines)
    for name, table in run.tables.items():
        assert sorted(map(str, found.tables[name].to_pylist())) == sorted(
            map(str, table.to_pylist())
        )


def test_the_tagset_is_that_of_one_layer_and_of_its_table() -> None:
    rows: list[Record] = [
        Document("d", 90, source="d.ann"),
        Unit("d", "anna", "T1", 0, 3, "A", source="d.ann", location="T1", layer="one"),
        Unit("d", "anna", "T2", 5, 7, "B", source="d.ann", location="T2", layer="one"),
        Unit("d", "anna", "T3", 5, 7, "", source="d.ann", location="T3", layer="one"),
        Unit("d", "anna", "T4", 8, 9, "B", source="d.ann", location="T4", layer="two"),
        Label("d", "i", "anna", ("x",), layer="three"),
    ]

    def rejected(layer: str | None) -> list[str]:
        found = accepted_rows(map(copy, rows), tagset=("A",), layer=layer, table="units")
        return [row.location for row in found.rejected_records()]

    assert rejected("one") == ["T2"]
    assert rejected(None) == ["T2", "T4"]


def test_what_was_set_aside_as_one_sentence() -> None:
    row = Rejected("d.ann", "T9", "bad_line", "T9", "no annotation of brat", "units")
    whole = Rejected("e.ann", "", "unreadable_file", "e.ann", "e.ann: is empty")
    require_no_rejected([])
    assert rejection_summary([]) == ""
    told = "2 rows rejected; the first: d.ann T9: no annotation of brat"
    assert rejection_summary([row, whole]) == told
    with pytest.raises(DataError, match=r"^e\.ann: is empty \(and 1 more rejected\)$"):
        require_no_rejected([whole, row])
