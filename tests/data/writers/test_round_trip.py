"""Export, ingest, export: units, offsets, categories and annotators stay, then the bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment, Document, Record, Rejected, Relation, State, Unit
from accordeur.data.writers.registry import writer

# each writer, the format that reads it again, and which of its files is the source
WAYS = [
    ("brat", "brat", "."),
    ("inception_xmi", "uima_xmi", "."),
    ("label_studio", "label_studio", "tasks.json"),
    ("tables", "table", "units.csv"),
]
# letters of one, two and four bytes, two UTF-16 units, line ends, combining, right-to-left
TEXTS = st.text(
    st.sampled_from("ab é\u0301\u05e9😀👩\u200d👧\r\n\t.&<\"'\\|#;"), min_size=2, max_size=30
)
NAMES = st.text(st.sampled_from("abcé😀\u05e9_-0."), min_size=1, max_size=6).filter(
    lambda name: not name.startswith(".") and name.strip("0123456789.-")
)
CATEGORIES = st.text(st.sampled_from("ABé😀\u05e9_:/-&<\"'|"), min_size=1, max_size=5)


@st.composite
def campaigns(draw: st.DrawFn) -> list[Record]:
    """A few documents, annotators and units, a relation where there are two units.

    Each document has a text of its own: folders of one file name and one text are annotators.
    """
    records: list[Record] = []
    documents = draw(st.lists(NAMES, min_size=1, max_size=2, unique_by=str.casefold))
    annotators = draw(st.lists(NAMES, min_size=1, max_size=3, unique_by=str.casefold))
    texts = draw(st.lists(TEXTS, min_size=len(documents), max_size=len(documents), unique=True))
    for document, text in zip(documents, texts, strict=True):
        records.append(Document(document, len(text), text=text))
        for annotator in annotators:
            spans = draw(
                st.sets(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 9)), max_size=4)
            )
            units = [
                Unit(document, annotator, f"u{k}", start, min(start + width, len(text)), category)
                for k, (start, width) in enumerate(sorted(spans))
                for category in [draw(CATEGORIES)]
            ]
            records += units
            if len(units) > 1:
                records.append(Relation(document, annotator, "r", "u0", "u1", draw(CATEGORIES)))
            state = State.FINISHED if units else State.FINISHED_EMPTY
            records.append(Assignment(document, annotator, state=state))
    return records


def units_of(records: Iterable[Record]) -> list[tuple[str, str, int, int, str]]:
    return sorted(
        (r.document, r.annotator, r.start_offset, r.end_offset, r.category)
        for r in records
        if isinstance(r, Unit)
    )


def ends_of(records: list[Record]) -> list[tuple[str, str, str, tuple[int, int], tuple[int, int]]]:
    """Relations by the places of their units, as every tool numbers units anew."""
    places = {
        (r.document, r.annotator, r.unit): (r.start_offset, r.end_offset)
        for r in records
        if isinstance(r, Unit)
    }
    return sorted(
        (
            r.document,
            r.annotator,
            r.category,
            places[r.document, r.annotator, r.from_unit],
            places[r.document, r.annotator, r.to_unit],
        )
        for r in records
        if isinstance(r, Relation)
    )


def states_of(records: Iterable[Record]) -> set[tuple[str, str, str]]:
    return {(r.document, r.annotator, r.state) for r in records if isinstance(r, Assignment)}


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()
    }


@pytest.mark.parametrize(("name", "format", "place"), WAYS, ids=[way[0] for way in WAYS])
@settings(max_examples=40)
@given(records=campaigns())
def test_export_ingest_export(name: str, format: str, place: str, records: list[Record]) -> None:
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        writer(name).write(records, Path(first))
        if not (Path(first) / place).exists():
            assert name == "tables"  # a table without a row is not written
            assert not units_of(records)
            return
        again = list(read_source(Path(first) / place, format, SourceOptions()))
        assert [r for r in again if isinstance(r, Rejected)] == []
        assert units_of(again) == units_of(records)
        if name != "tables":  # its other tables are for people
            assert ends_of(again) == ends_of(records)
            assert states_of(again) == states_of(records)
            texts = {r.document: r.text for r in again if isinstance(r, Document)}
            assert texts == {r.document: r.text for r in records if isinstance(r, Document)}
            writer(name).write(again, Path(second))
            third = Path(second) / "third"
            writer(name).write(read_source(Path(second) / place, format, SourceOptions()), third)
            assert files_of(third) == {
                k: v for k, v in files_of(Path(second)).items() if not k.startswith("third/")
            }
