"""The tables as CSV, read again: labels, units and relations come back, by rows and by blocks."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.readers.base import SourceOptions
from accordeur.data.schema import Label, Record, Rejected, Relation, Unit
from accordeur.data.writers.registry import writer
from tests.data.readers.both_ways import read_both_ways

NAMES = st.text(st.sampled_from("abé😀\u05e9_-0.,;\"'\t\n#= "), min_size=1, max_size=6).filter(
    str.strip
)
MAYBE = st.just("") | NAMES
PASSES = st.sampled_from([1, 1, 2, 30])
SURFACES = st.none() | st.sampled_from(["chat noir", "😀", '"'])
LABELS = st.builds(
    Label,
    *(NAMES, NAMES, NAMES),
    st.lists(NAMES.map(str.strip).filter(bool), min_size=1, max_size=3).map(tuple),
    layer=MAYBE,
    pass_=PASSES,
)
RELATIONS = st.builds(
    Relation, *(NAMES, NAMES, NAMES, NAMES, NAMES), category=MAYBE, layer=MAYBE, pass_=PASSES
)


@st.composite
def units(draw: st.DrawFn) -> Unit:
    """In one piece or in several."""
    bounds = draw(st.lists(st.integers(0, 10**12), min_size=2, max_size=6, unique=True))
    bounds = sorted(bounds[: len(bounds) // 2 * 2])
    pieces = tuple(zip(bounds[0::2], bounds[1::2], strict=True))
    return Unit(
        *(draw(NAMES), draw(NAMES), draw(NAMES), bounds[0], bounds[-1], draw(MAYBE)),
        layer=draw(MAYBE),
        pass_=draw(PASSES),
        fragments=pieces if len(pieces) > 1 else (),
        surface=draw(SURFACES),
    )


def read_again(folder: Path, table: str) -> list[Record]:
    extra = {"separator": "|"} if table == "labels" else {}
    found = read_both_ways(folder / f"{table}.csv", "table", SourceOptions(extra=extra))
    assert not [record for record in found if isinstance(record, Rejected)]
    return [record for record in found if table == record.TABLE]


def without_origin(records: Sequence[Record]) -> list[Record]:
    """As they were before anybody wrote where they come from."""
    plain = [replace(record, source="", location="") for record in records]  # type: ignore[call-arg]
    return [replace(r, source_offsets="") if isinstance(r, Unit) else r for r in plain]


@pytest.mark.long
@pytest.mark.parametrize(
    ("table", "records"), [("labels", LABELS), ("units", units()), ("relations", RELATIONS)]
)
@settings(max_examples=60)
@given(data=st.data())
def test_export_ingest_export(table: str, records: st.SearchStrategy, data: st.DataObject) -> None:
    # of eight rows, most of which repeat item and annotator, a table is refused
    given = data.draw(st.lists(records, min_size=1, max_size=7))
    with tempfile.TemporaryDirectory() as place:
        first, second, third = (Path(place, name) for name in ("first", "second", "third"))
        writer("tables").write(given, first)
        again = read_again(first, table)
        assert without_origin(again) == given
        writer("tables").write(again, second)
        writer("tables").write(read_again(second, table), third)
        written = (second / f"{table}.csv").read_bytes()
        assert (third / f"{table}.csv").read_bytes() == written


@pytest.mark.parametrize(
    "cell", ["5 9", "5 9;11", "9 5;11 15", "5 9;11 14", "5 9;x 15", "5 12;11 15", "5 9; 11 15", ";"]
)
def test_fragments_that_are_not_the_unit_are_refused(cell: str, tmp_path: Path) -> None:
    path = tmp_path / "units.csv"
    path.write_text(f"annotator,start,end,fragments\na,5,15,\nb,5,15,{cell}\n")
    found = read_both_ways(path, "table", SourceOptions())
    assert [(r.location, r.rule) for r in found if isinstance(r, Rejected)] == [
        ("line 3", "bad_fragments")
    ]
    assert [r.annotator for r in found if isinstance(r, Unit)] == ["a"]


def test_a_relation_needs_both_units(tmp_path: Path) -> None:
    path = tmp_path / "links.csv"
    path.write_text("annotator,from_unit,to_unit\na,u1,u2\na,u1,\n,u1,u2\n")
    found = read_both_ways(path, "table", SourceOptions())
    assert [r.value for r in found if isinstance(r, Rejected)] == ["to_unit", "annotator"]
    assert [(r.relation, r.from_unit, r.to_unit) for r in found if isinstance(r, Relation)] == [
        ("2", "u1", "u2")
    ]
