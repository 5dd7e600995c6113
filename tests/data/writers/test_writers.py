"""What each writer says and refuses: references, labels, notes, unsafe names, atomic files."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import (
    Assignment,
    Document,
    Label,
    Record,
    Rejected,
    Relation,
    State,
    Unit,
)
from accordeur.data.writers.base import Writer
from accordeur.data.writers.registry import WRITERS, writer

TEXT = "Le 😀 chat\r\nnoir dort."
DOCUMENT = Document("tales/1", len(TEXT), text=TEXT)
UNITS: list[Record] = [
    DOCUMENT,
    Unit("tales/1", "anna", "u1", 3, 4, "EMOJI", attributes=(("sure", "no"),)),
    Unit("tales/1", "anna", "T1", 5, 15, "ANIMAL", fragments=((5, 9), (11, 15))),
    Unit("tales/1", "gold", "g", 5, 9, "ANIMAL", layer="entities"),
    Relation("tales/1", "anna", "r", "u1", "T1", "LOOKS"),
    Assignment("tales/1", "gold", role="reference"),
    Assignment("tales/1", "ben", state=State.FINISHED_EMPTY),
    Assignment("tales/1", "zoe", state=State.UNFINISHED),
    Assignment("tales/1", "max", state=State.NOT_ASSIGNED),
    Rejected("x", "line 1", "bad", "v", "a row that was rejected"),
]


def names(folder: Path) -> set[str]:
    return {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file()}


def read(path: Path, format: str, **extra: str) -> list[Record]:
    return list(read_source(path, format, SourceOptions(extra=extra)))


def test_every_writer_is_one() -> None:
    assert set(WRITERS) == {"brat", "inception_xmi", "label_studio", "tables"}
    for each in WRITERS.values():
        assert isinstance(each, Writer)
        assert each.DESCRIPTION
    with pytest.raises(DataError, match="formats: brat, inception_xmi"):
        writer("word")


def test_brat(tmp_path: Path) -> None:
    written = writer("brat").write(UNITS, tmp_path)
    assert {f.relative_to(tmp_path).as_posix() for f in written} == names(tmp_path)
    assert names(tmp_path) == {
        "annotation.conf",
        *(f"{who}/tales/1.{x}" for who in ("anna", "ben", "gold") for x in ("ann", "txt")),
    }
    assert (tmp_path / "anna/tales/1.txt").read_bytes() == TEXT.encode()
    assert (tmp_path / "anna/tales/1.ann").read_text("utf-8").splitlines() == [
        "T2\tEMOJI 3 4\t😀",
        "#1\tsure T2\tno",
        "T1\tANIMAL 5 9;11 15\tchat noir",
        "R1\tLOOKS Arg1:T2 Arg2:T1",
    ]
    assert (tmp_path / "ben/tales/1.ann").read_bytes() == b""
    configuration = (tmp_path / "annotation.conf").read_text("utf-8")
    assert "[entities]\nANIMAL\nEMOJI\n" in configuration
    assert "LOOKS\tArg1:<ENTITY>, Arg2:<ENTITY>" in configuration


def test_label_studio_reference_is_ground_truth(tmp_path: Path) -> None:
    writer("label_studio").write(UNITS, tmp_path)
    (task,) = json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert task["data"] == {"accordeur_document": "tales/1", "text": TEXT}
    by = {a["completed_by"]["email"]: a for a in task["annotations"]}
    assert {who: a["ground_truth"] for who, a in by.items()} == {
        "anna": False,
        "ben": False,
        "gold": True,
    }
    emoji = by["anna"]["result"][0]
    assert emoji["value"] == {"start": 3, "end": 5, "text": "😀", "labels": ["EMOJI"]}  # UTF-16
    assert emoji["meta"] == {"sure": "no"}
    options = SourceOptions(extra={"ground_truth": "reference"})
    again = list(read_source(tmp_path / "tasks.json", "label_studio", options))
    assert {a.annotator: a.role for a in again if isinstance(a, Assignment)} == {
        "anna": "human",
        "ben": "human",
        "gold": "human",
        "ground_truth": "reference",
    }
    config = ElementTree.parse(tmp_path / "label_config.xml").getroot()
    assert {(e.tag, e.get("name")) for e in config if e.tag == "Labels"} == {
        ("Labels", "label"),
        ("Labels", "entities"),
    }


def test_label_studio_labels_and_passes(tmp_path: Path) -> None:
    records: list[Record] = [
        Document("d", 2, text="ab"),
        Label("d", "d", "7", ("x", "y"), layer="topic"),
        Label("d", "d", "7", ("z",), layer="topic", pass_=2),
    ]
    writer("label_studio").write(records, tmp_path)
    again = read(tmp_path / "tasks.json", "label_studio")
    assert [(x.annotator, x.labels, x.layer, x.pass_) for x in again if isinstance(x, Label)] == [
        ("7", ("x", "y"), "topic", 1),
        ("7", ("z",), "topic", 2),
    ]


def test_xmi_layers_and_relations(tmp_path: Path) -> None:
    writer("inception_xmi").write(UNITS, tmp_path)
    assert names(tmp_path) == {
        "TypeSystem.xml",
        *(f"tales/1/{who}.xmi" for who in ("anna", "ben", "gold")),
    }
    again = read(tmp_path, "uima_xmi")
    found = {
        (u.annotator, u.layer, u.category, u.start_offset, u.end_offset)
        for u in again
        if isinstance(u, Unit)
    }
    assert found == {
        ("anna", "NamedEntity", "EMOJI", 3, 4),
        ("anna", "NamedEntity", "ANIMAL", 5, 15),
        ("gold", "entities", "ANIMAL", 5, 9),
    }
    notes = {u.category: dict(u.attributes) for u in again if isinstance(u, Unit)}
    assert notes["EMOJI"] == {"attributes": "sure=no"}
    xmi = (tmp_path / "tales/1/anna.xmi").read_text("utf-8")
    assert 'begin="3" end="5"' in xmi  # UTF-16
    assert 'fragments="5 9;11 15"' in xmi


def test_tables(tmp_path: Path) -> None:
    labels: list[Record] = [
        Label("d", "i1", "anna", ("x", "y")),
        Label("d", "i1", "ben", ("01",), layer="l", pass_=2),
    ]
    written = writer("tables").write([*UNITS, *labels], tmp_path)
    assert (
        {f.name for f in written}
        == names(tmp_path)
        == {
            *("assignments.csv", "documents.csv", "labels.csv"),
            *("rejected.csv", "relations.csv", "units.csv"),
        }
    )
    with (tmp_path / "units.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [r["surface"] for r in rows] == ["😀", "chat noir", "chat"]
    assert rows[1]["fragments"] == "5 9;11 15"
    assert rows[0]["attributes"] == "sure=no"
    again = read(tmp_path / "labels.csv", "table", separator="|")
    found = [(x.annotator, x.labels, x.layer, x.pass_) for x in again if isinstance(x, Label)]
    assert found == [("anna", ("x", "y"), "", 1), ("ben", ("01",), "l", 2)]


@pytest.mark.parametrize(
    ("name", "records", "message"),
    [
        ("brat", [Unit("tales/1", "anna", "u", 0, 2, "two words")], "contain blanks"),
        ("brat", [Unit("tales/1", "anna", "u", 0, 2)], "not be empty"),
        ("brat", [Label("tales/1", "i", "anna", ("x",))], "represent the labels"),
        ("brat", [Unit("tales/1", "../anna", "u", 0, 2, "X")], "cannot be a file name"),
        ("brat", [Unit("tales/1", "", "u", 0, 2, "X")], "cannot be a file name"),
        ("brat", [Document("../x", 2, text="ab"), Unit("../x", "a", "u", 0, 2, "X")], "file name"),
        ("brat", [Document("/x", 2, text="ab"), Unit("/x", "a", "u", 0, 2, "X")], "file name"),
        ("brat", [Relation("tales/1", "anna", "r", "a", "b", "X")], "joins a unit"),
        ("brat", [Unit("lost", "anna", "u", 0, 2, "X")], "no document record"),
        ("brat", [Document("n", 2), Unit("n", "anna", "u", 0, 2, "X")], "privacy mode"),
        ("brat", [Document("n", 1, text="\ud83d"), Unit("n", "a", "u", 0, 1, "X")], "surrogate"),
        ("inception_xmi", [Unit("tales/1", "anna", "u", 0, 2, "X", layer="a b")], "UIMA type"),
        ("inception_xmi", [Unit("tales/1", "anna", "u", 0, 2, "X\0")], "U\\+0000"),
        ("inception_xmi", [Label("tales/1", "i", "anna", ("x",))], "represent the labels"),
        ("inception_xmi", [Relation("tales/1", "anna", "r", "a", "b", "X")], "joins a unit"),
        ("label_studio", [Relation("tales/1", "anna", "r", "a", "b", "X")], "joins a unit"),
        ("label_studio", [Unit("tales/1", "anna", "u", 0, 99, "X")], "outside the text"),
        (
            "label_studio",
            [Document("a", 9, offset_unit="ms"), Unit("a", "anna", "u", 0, 2, "X")],
            "offsets in ms",
        ),
        ("tables", [Label("d", "i", "anna", ("a|b", "c"))], "holds '|'"),
    ],
)
def test_what_cannot_be_said_is_refused_before_writing(name, records, message, tmp_path) -> None:
    with pytest.raises(DataError, match=message):
        writer(name).write([DOCUMENT, *records], tmp_path / "out")
    assert names(tmp_path) == set()


def test_files_are_written_whole(tmp_path: Path) -> None:
    writer("label_studio").write(UNITS, tmp_path)
    assert json.loads((tmp_path / "tasks.json").read_text("utf-8"))
    assert not [name for name in names(tmp_path) if ".writing-" in name]
    (tmp_path / "sub").write_text("a file where the folder should be")
    with pytest.raises(DataError, match="cannot be written"):
        writer("tables").write(UNITS, tmp_path / "sub")
