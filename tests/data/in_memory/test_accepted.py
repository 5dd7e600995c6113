"""A quick look sets the same rows aside as a run of the same export."""

from __future__ import annotations

from copy import copy
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.in_memory.accepted import Sieve, rejection_summary, require_no_rejected
from accordeur.data.in_memory.unit_tables import read_unit_tables
from accordeur.data.schema import Document, Label, Record, Rejected, Unit
from accordeur.data.streaming_check.sift import Sifter
from accordeur.data.validation.rules import Declared
from tests.data.validation.prepared_rows import prepared

RECORDS: list[Record] = [
    Label("d", "i1", "anna", ("x",), source="a.csv", location="line 2"),
    Label("d", "i1", "anna", ("y",), source="a.csv", location="line 3"),
    Label("d", "i1", "anna", ("y",), pass_=2, source="a.csv", location="line 4"),
    Label("d", "i2", "anna", ("z",), source="a.csv", location="line 5"),
    Label("d", "i2", "anna", ("x",), source="a.csv", location="line 6"),
    Label("d", "i3", "ben", ("",), source="a.csv", location="line 7"),
    Label("d", "i4", "ben", ("x", "z"), source="a.csv", location="line 8"),
    Unit("d", "anna", "T1", 0, 3, "A", source="d.ann", location="T1"),
    Unit("d", "anna", "T2", 0, 3, "A", source="d.ann", location="T2"),
    Unit("d", "anna", "T3", 0, 3, "B", source="d.ann", location="T3"),
    Unit("d", "anna", "T4", 5, 5, "A", source="d.ann", location="T4"),
    Unit("d", "anna", "T5", -2, 5, "A", source="d.ann", location="T5"),
    Unit("d", "anna", "T6", 4, 11, "A", source="d.ann", location="T6"),
    Unit("d", "anna", "T7", 4, 9, "A", fragments=((4, 5), (7, 9)), source="d.ann", location="T7"),
    Unit("d", "anna", "T8", 4, 9, "A", source="d.ann", location="T8"),
    Unit("e", "ben", "T1", 0, 2, "A", source="other.ann", location="T1"),
    Rejected("d.ann", "T9", "bad_line", "T9", "no annotation of brat", "units"),
    Document("d", 10, sha256="1", source="d.ann"),
    Document("e", 10, sha256="1", source="e.ann"),
    Document("e", 12, sha256="2", source="other.ann"),
]


def test_the_same_rows_as_in_a_run() -> None:
    sieve = Sieve(tagset=("x", "y"))
    kept = list(sieve.accepted(RECORDS))
    other = [one for one in RECORDS if one.source == "other.ann"]
    first = [one for one in RECORDS if one.source != "other.ann"]
    run = prepared(first, other, declared=Declared(tagsets={"labels": ("x", "y")}))
    assert sorted(sorted(asdict(row).items()) for row in sieve.rejected) == sorted(
        sorted(row.items()) for row in run.rejected.to_pylist()
    )
    assert len(sieve.rejected) == run.rows_rejected == 12
    assert len(kept) + len(sieve.rejected) == len(RECORDS)


spots = st.integers(-2, 12)
few = st.sampled_from
records = st.one_of(
    st.builds(Label, few("de"), few("ij"), few(["anna", "ben"]), few([(), ("x",), ("x", "z")]),
              pass_=few((1, 2))),
    st.builds(Unit, few("de"), few(["anna", "ben"]), few("TU"), spots, spots, few(["", "A", "B"]),
              fragments=few([(), ((1, 2), (3, 4))])),
    st.builds(Document, few("de"), few((-1, 6, 10)), sha256=few(["", "1", "2"])),
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(records, max_size=12))
def test_a_quick_look_a_run_and_a_check_reject_the_same_rows(rows: list[Record]) -> None:
    """Of any rows, by the same rule, with the same value and words."""
    for number, row in enumerate(rows):
        row.source = "a"
        if not isinstance(row, Document):
            row.location = f"line {number}"
    declared = Declared(tagsets={"labels": ("x",), "units": ("A",)}, unlabelled=("units",))
    run = prepared([*map(copy, rows)], declared=declared)
    sifter = Sifter(declared)
    checked = [
        row for one in sifter.source([*map(copy, rows)], 0) for row in one.rejected.to_pylist()
    ]
    sieve = Sieve(tagset=("x",), unit_tagset=("A",))
    list(sieve.accepted(rows))
    quick = [asdict(row) for row in sieve.rejected]
    expected = sorted(map(str, run.rejected.to_pylist()))
    assert sorted(map(str, checked)) == expected
    assert sorted(map(str, quick)) == expected


def test_the_tagset_of_units_is_that_of_one_layer() -> None:
    units: list[Record] = [
        Document("d", 90, source="d.ann"),
        Unit("d", "anna", "T1", 0, 3, "A", source="d.ann", location="T1", layer="one"),
        Unit("d", "anna", "T2", 5, 7, "B", source="d.ann", location="T2", layer="one"),
        Unit("d", "anna", "T3", 5, 7, "B", source="d.ann", location="T3", layer="one"),
        Unit("d", "anna", "T4", 8, 9, "B", source="d.ann", location="T4", layer="two"),
        Unit("d", "anna", "T5", 8, 99, "B", source="d.ann", location="T5", layer="one"),
    ]
    sieve = Sieve(unit_tagset=("A",), unit_layer="one")
    kept = list(sieve.accepted(units))
    run = prepared(units, declared=Declared(tagsets={"one": ("A",)}))
    assert sorted(sorted(asdict(row).items()) for row in sieve.rejected) == sorted(
        sorted(row.items()) for row in run.rejected.to_pylist()
    )
    assert {row.rule for row in sieve.rejected} == {"category_in_tagset", "inside_document"}
    assert len(kept) == 3
    everywhere = Sieve(unit_tagset=("A",))
    assert len(list(everywhere.accepted(units))) == 2


def test_units_of_another_text_are_set_aside() -> None:
    sieve = Sieve()
    kept = list(sieve.accepted(RECORDS))
    of_e = [(row.table_name, row.rule, row.source) for row in sieve.rejected if row.document == "e"]
    assert of_e == [
        ("documents", "text_agrees", "other.ann"),
        ("units", "text_agrees", "other.ann"),
    ]
    assert not [one for one in kept if isinstance(one, Unit) and one.document == "e"]


def test_what_was_set_aside_as_one_sentence() -> None:
    row = Rejected("d.ann", "T9", "bad_line", "T9", "no annotation of brat", "units")
    whole = Rejected("e.ann", "", "unreadable_file", "e.ann", "e.ann: is empty")
    require_no_rejected([])
    assert rejection_summary([]) == ""
    told = "2 rows rejected; the first: d.ann T9: no annotation of brat"
    assert rejection_summary([row, whole]) == told
    with pytest.raises(DataError, match=r"^e\.ann: is empty \(and 1 more rejected\)$"):
        require_no_rejected([whole, row])


def test_whose_units_were_all_set_aside_takes_no_part(tmp_path: Path) -> None:
    """As in a run: who did not leave the document empty is not counted as having missed all."""
    for who, text in (("anna", "one two"), ("ben", "one two"), ("carla", "ONE TWO")):
        (tmp_path / who).mkdir()
        (tmp_path / who / "d.txt").write_text(text, encoding="utf-8")
        unit = f"T1\tX 0 3\t{text[:3]}\n"
        (tmp_path / who / "d.ann").write_text("" if who == "ben" else unit, encoding="utf-8")
    [table], account = read_unit_tables([tmp_path])
    assert [row.rule for row in account.rejected] == ["text_differs"]
    assert table.people == ["anna", "ben"]
