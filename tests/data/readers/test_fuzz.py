"""Damaged bytes: records or one DataError, never another exception, never a unit off its text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.registry import detect_reader, reader
from accordeur.data.schema import Document, Rejected, Unit
from tests.data.readers.both_ways import read_both_ways
from tests.data.readers.uima import samples as uima

MODEST = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


PIECES = [
    *[b"\xff", b"\x00", b'"', b"\t", b"\n", b"9" * 30, b"-1", b"<", b"&x;", b"\\", b"nan"],
    *["👑".encode(), b"\xed\xa0\xbd", b"[", b"|", b"{", b"1e999"],
]


@st.composite
def damages(draw) -> Callable[[bytes], bytes]:
    """A few cuts, flips, copies and insertions, at places relative to the length."""
    steps = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["flip", "cut", "drop", "copy", "insert"]),
                st.floats(0, 1),
                st.integers(1, 40),
                st.sampled_from(PIECES),
            ),
            min_size=1,
            max_size=4,
        )
    )

    def damaged(data: bytes) -> bytes:
        for kind, place, length, piece in steps:
            at = int(place * len(data))
            end = at + length
            if kind == "cut":
                data = data[:at]
            elif kind == "drop":
                data = data[:at] + data[end:]
            elif kind == "copy":
                data = data[:end] + data[at:]
            elif kind == "insert":
                data = data[:at] + piece + data[at:]
            else:
                flipped = bytes(byte ^ (length * 5 % 256) for byte in data[at : at + 2])
                data = data[:at] + flipped + data[at + 2 :]
        return data

    return damaged


def survives(path: Path, format: str, **options: str) -> None:
    """Read it, by blocks too where the format has them: every unit lies in its text and shows
    its surface; only DataError may rise."""
    detect_or_refuse(path)
    try:
        records = read_both_ways(path, format, SourceOptions(**options))
    except DataError:
        return
    texts = {r.document: r.text for r in records if isinstance(r, Document)}
    for record in records:
        if isinstance(record, Rejected):
            assert record.rule
            assert record.message
        if not isinstance(record, Unit):
            continue
        assert 0 <= record.start_offset < record.end_offset
        text = texts.get(record.document)
        if text is not None and record.surface is not None:
            pieces = record.fragments or ((record.start_offset, record.end_offset),)
            found = " ".join(text[start:end] for start, end in pieces)
            assert found.split() == record.surface.split()


def detect_or_refuse(path: Path) -> None:
    try:
        detect_reader(path)
    except DataError:
        return


TABLES = [
    ("table", "tables/long.csv"),
    ("table", "tables/wide.csv"),
    ("table", "tables/units.tsv"),
    ("bregeon", "tables/bregeon.csv"),
    ("pygamma_csv", "pygamma/seconds.csv"),
    ("webanno_tsv", "webanno_tsv/meeting/anna.tsv"),
]


@pytest.mark.parametrize(("format", "sample"), TABLES, ids=[sample for _, sample in TABLES])
@MODEST
@given(damage=damages())
def test_text_formats(tmp_path, corpora, format, sample, damage):
    original = corpora / "formats" / sample
    path = tmp_path / original.name
    path.write_bytes(damage(original.read_bytes()))
    survives(path, format)


@pytest.mark.parametrize("name", ["emoji", "windows", "suite/events"])
@MODEST
@given(damage=damages(), both=st.booleans())
def test_brat(tmp_path, corpora, name, damage, both):
    folder = corpora / "formats" / "brat" / "anna"
    for extension in (".txt", ".ann"):
        data = (folder / f"{name}{extension}").read_bytes()
        changed = damage(data) if both or extension == ".ann" else data
        (tmp_path / f"d{extension}").write_bytes(changed)
    survives(tmp_path, "brat", annotator="anna")


@MODEST
@given(damage=damages())
def test_xmi(tmp_path, damage):
    (tmp_path / "TypeSystem.xml").write_bytes(uima.typesystem_xml())
    path = tmp_path / "anna.xmi"
    path.write_bytes(damage(uima.xmi()))
    survives(path, "uima_xmi")


@MODEST
@given(damage=damages())
def test_type_system(tmp_path, damage):
    (tmp_path / "TypeSystem.xml").write_bytes(damage(uima.typesystem_xml()))
    path = tmp_path / "anna.xmi"
    path.write_bytes(uima.xmi())
    survives(path, "uima_xmi")


@MODEST
@given(damage=damages())
def test_json_cas(tmp_path, damage):
    path = tmp_path / "anna.json"
    path.write_bytes(damage(uima.as_json()))
    survives(path, "uima_json")


@MODEST
@given(damage=damages(), inner=st.sampled_from(["whole", "work", "states"]))
def test_projects(tmp_path, damage, inner):
    work = uima.work_zip("anna")
    data = uima.project(
        {"annotation/a.txt/1.zip": damage(work) if inner == "work" else work},
        {("a.txt", "anna"): "FINISHED"},
    )
    if inner == "states":
        broken = damage(b'{"source_documents": [{"name": "a.txt"}], "annotation_documents": []}')
        data = uima.zipped({"annotation/a.txt/1.zip": work, "exportedproject.json": broken})
    path = tmp_path / "project.zip"
    path.write_bytes(damage(data) if inner == "whole" else data)
    survives(path, "inception_project")


@MODEST
@given(data=st.binary(max_size=200), format=st.sampled_from(["table", "bregeon", "pygamma_csv"]))
def test_any_bytes(tmp_path, data, format):
    path = tmp_path / "x.csv"
    path.write_bytes(data)
    survives(path, format)


@MODEST
@given(
    rows=st.lists(
        st.dictionaries(
            st.sampled_from(["item", "annotator", "label", "pass"]),
            st.recursive(
                st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
                lambda inner: st.lists(inner, max_size=3),
                max_leaves=5,
            ),
        ),
        max_size=5,
    )
)
def test_any_json_rows(tmp_path, rows):
    import json

    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    survives(path, "table")


def test_every_reader_of_this_file_is_known():
    for format in ("brat", "uima_xmi", "uima_json", "inception_project", *dict(TABLES)):
        assert format == reader(format).NAME
