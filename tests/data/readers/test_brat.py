"""brat: offsets, states, everything that hangs on a unit, and damage."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.formats.brat import READER
from accordeur.data.readers.formats.brat_lines import parse_ann
from accordeur.data.schema import Unit


@pytest.fixture
def example(corpora: Path, read):
    return read(corpora / "formats" / "brat")


def write(folder: Path, name: str, text: str, ann: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_bytes(text.encode())
    (folder / f"{name}.ann").write_bytes(ann.encode() if isinstance(ann, str) else ann)
    return folder


def test_every_surface_is_the_text_at_its_offsets(example):
    texts = {d.document: d.text for d in example.documents}
    assert not example.rejected
    assert len(example.units) == 5 + 3 + 1 + 5
    for unit in example.units:
        pieces = unit.fragments or ((unit.start_offset, unit.end_offset),)
        found = " ".join(texts[unit.document][start:end] for start, end in pieces)
        assert found.split() == unit.surface.split()


def test_offsets_are_code_points(example):
    (crown,) = [u for u in example.units if "👑" in (u.surface or "")]
    assert (crown.start_offset, crown.end_offset) == (0, 10)  # 11 in UTF-16


def test_windows_line_ends_are_two_characters(example):
    document = next(d for d in example.documents if d.document == "windows")
    assert document.text.count("\r\n") == 3
    queens = example.by("units", document="windows", surface="La reine")
    assert {(u.annotator, u.start_offset, u.end_offset) for u in queens} == {
        ("anna", 16, 24),
        ("boris", 16, 24),
    }


def test_states(example):
    states = {(a.document, a.annotator): str(a.state) for a in example.assignments}
    assert states == {
        ("emoji", "anna"): "finished",
        ("emoji", "boris"): "finished_empty",
        ("windows", "anna"): "finished",
        ("windows", "boris"): "finished",
        ("suite/events", "anna"): "finished",
    }


def test_discontinuous_unit(example):
    (unit,) = [u for u in example.units if u.fragments]
    assert unit.fragments == ((15, 21), (42, 53))
    assert (unit.start_offset, unit.end_offset) == (15, 53)
    assert unit.source_offsets == "15 21;42 53"


def test_what_hangs_on_units_and_relations(example):
    units = {u.unit: u for u in example.by("units", document="suite/events")}
    assert ("Certain", "High") in units["T2"].attributes  # the event stands as its trigger
    assert ("event", "E1") in units["T2"].attributes
    assert units["T5"].attributes == (("Negated", "true"),)
    assert units["T3"].attributes == (("Reference", "Wiki:12\tCaisse des lettres"),)
    assert units["T4"].attributes == (("AnnotatorNotes", "qui ?"),)
    links = {(r.category, r.from_unit, r.to_unit) for r in example.relations}
    assert links == {
        ("Agent", "T2", "T1"),
        ("Object", "T2", "T3"),
        ("Agent2", "T2", "T4"),
        ("When", "T2", "T5"),
        ("Equiv", "T1", "T4"),
    }
    (when,) = [r for r in example.relations if r.category == "When"]
    assert when.attributes == (("Weak", "true"),)
    assert len({r.relation for r in example.relations}) == len(example.relations)


def test_sources_have_no_path_of_the_machine(example):
    for table in example.values():
        assert not any(str(record.source).startswith("/") for record in table)
    assert example.units[0].source == "anna/emoji.ann"


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        ("T1\tA 4 2\tx", "end_before_start"),
        ("T1\tA 2 2\t", "zero_length"),
        ("T1\tA 0 99\tx", "outside_document"),
        ("T1\tA -1 2\tx", "not_an_offset"),
        ("T1\tA 0.5 2\tx", "not_an_offset"),
        ("T1\tA\tx", "not_an_offset"),
        ("T1\tA 0 3;2 5\tx", "overlapping_fragments"),
        ("T1\tA 0 3\tsea", "surface_mismatch"),
        ("R1\tB Arg1:T7 Arg2:T8", "unknown_id"),
        ("X1\tsomething", "unknown_row"),
        ("T1\tA " + "9" * 5000 + " 9\tx", "not_an_offset"),
    ],
)
def test_a_bad_row_is_refused_alone(tmp_path, read, row, rule):
    write(tmp_path / "anna", "d", "the sea", f"{row}\nT2\tB 4 7\tsea\n")
    found = read(tmp_path, "brat")
    rejected = [r.rule for r in found.rejected]
    assert rejected == [rule if rule != "not_an_offset" or "-1" not in row else "negative_offset"]
    assert [u.unit for u in found.units] == ["T2"]
    assert found.rejected[0].location == "line 1"
    assert found.rejected[0].annotator == "anna"


def test_duplicate_id_and_bad_bytes(tmp_path, read):
    ann = b"T1\tA 0 3\tthe\nT1\tA 4 7\tsea\nT2\tA 0 3\t\xff\n"
    write(tmp_path / "anna", "d", "the sea", ann)
    found = read(tmp_path, "brat")
    assert [r.rule for r in found.rejected] == ["duplicate_id", "undecodable"]
    assert len(found.units) == 1


def test_rows_in_are_rows_out(tmp_path, read):
    rows = ["T1\tA 0 3\tthe", "T2\tA 9 3\tx", "R1\tB Arg1:T1 Arg2:T2", "R2\tB Arg1:T1 Arg2:T1"]
    write(tmp_path / "anna", "d", "the sea", "\n".join(rows))
    found = read(tmp_path, "brat")
    assert len(found.units) + len(found.relations) + len(found.rejected) == len(rows)


def test_annotators_with_different_texts(tmp_path, read):
    write(tmp_path / "anna", "d", "one\ntwo", "T1\tA 4 7\ttwo\n")
    write(tmp_path / "boris", "d", "one\r\ntwo", "T1\tA 5 8\ttwo\n")
    found = read(tmp_path, "brat")
    assert [u.annotator for u in found.units] == ["anna"]
    (rejected,) = found.rejected
    assert rejected.rule == "text_differs"
    assert "line endings" in rejected.message


def test_missing_text(tmp_path, read):
    write(tmp_path / "anna", "d", "x", "T1\tA 0 1\tx\n")
    (tmp_path / "anna" / "d.txt").unlink()
    every = {"max_unreadable": "1"}
    assert [r.rule for r in read(tmp_path, "brat", extra=every).rejected] == ["missing_text"]


def test_byte_order_mark_as_brat_counts_it(tmp_path, read):
    write(tmp_path / "anna", "counted", "\ufeffthe sea", "T1\tA 5 8\tsea\n")
    write(tmp_path / "anna", "dropped", "\ufeffthe sea", "T1\tA 4 7\tsea\n")
    found = read(tmp_path, "brat")
    assert not found.rejected
    assert {u.document: u.start_offset for u in found.units} == {"counted": 5, "dropped": 4}


def test_one_folder_is_one_annotator(tmp_path, read):
    folder = write(tmp_path / "anna", "d", "the sea", "T1\tA 0 3\tthe\n")
    assert read(folder).units[0].annotator == "anna"
    assert read(folder, "brat", annotator="A1").units[0].annotator == "A1"
    assert read(folder / "d.ann").units[0].document == "d"


def test_annotators_in_the_last_folders(tmp_path, read):
    write(tmp_path / "batch1" / "anna", "d", "the sea", "T1\tA 0 3\tthe\n")
    found = read(tmp_path, "brat", extra={"paths": "**/{annotator}/{document}"})
    assert (found.units[0].document, found.units[0].annotator) == ("d", "anna")


def test_an_unreadable_document_does_not_stop_the_others(tmp_path, read):
    write(tmp_path / "anna", "d", "the sea", "T1\tA 0 3\tthe\n")
    write(tmp_path / "anna", "e", "the sea", "T1\tA 0 3\tthe\n")
    (tmp_path / "anna" / "d.txt").write_bytes(b"\xff\xfe\xff")
    found = read(tmp_path, "brat")
    assert [u.document for u in found.units] == ["e"]
    assert [r.rule for r in found.rejected] == ["unreadable_file"]


def test_no_such_folder(tmp_path, read):
    with pytest.raises(DataError, match="no such file or folder"):
        read(tmp_path / "nowhere", "brat")


def test_attributes_may_stand_before_what_they_speak_of():
    ann = parse_ann([(1, "A1\tC R1"), (2, "R1\tB Arg1:T1 Arg2:T1"), (3, "T1\tA 0 1\tx")])
    assert not ann.problems
    assert ann.links["R1"].attributes == [("C", "true")]


def test_an_attribute_or_a_normalisation_is_the_category_where_it_is_named(tmp_path):
    folder = tmp_path / "ana"
    folder.mkdir()
    (folder / "d.txt").write_text("The sea was calm.")
    (folder / "d.ann").write_text(
        "T1\tWord 4 7\tsea\nA1\tTone T1 dark\nN1\tReference T1 Wiki:Q1\tsea\n"
        "T2\tWord 12 16\tcalm\nN2\tReference T2 Wiki:Q2\tcalm\nA2\tNegation T2\n"
    )
    for named, categories in (
        ("", ["Word", "Word"]),
        ("Tone", ["dark", ""]),
        ("Reference", ["Wiki:Q1", "Wiki:Q2"]),
        ("Negation", ["", "true"]),
    ):
        options = SourceOptions(extra={"category": named} if named else {})
        rows = [row for row in READER.read(tmp_path, options) if isinstance(row, Unit)]
        assert [row.category for row in rows] == categories
