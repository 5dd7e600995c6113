"""Folders of exports: files that are unreadable, of no format, of several, or not files at all."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import pytest

from accordeur.data.errors import DataError, OptionError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Unit
from tests.flows.in_process import found, said, texts

FORMATS = Path(__file__).resolve().parents[2] / "corpora" / "formats"
ROWS = "annotator,start,end,category\nanna,0,3,A\nben,0,4,A\n"


def _tables(folder: Path, n: int, bad: int) -> Path:
    folder.mkdir()
    for k in range(n):
        text = "<never a table" if k < bad else ROWS
        (folder / f"d{k:03d}.csv").write_text(text, encoding="utf-8")
    return folder


def test_most_of_a_source_unreadable_is_an_error(tmp_path: Path) -> None:
    folder = _tables(tmp_path / "exports", 50, 48)
    code, sentence = said("gamma", folder, "--replicates", "0")
    assert code == 2
    assert "48 of 50 files cannot be read (d000.csv: " in sentence
    assert "max_unreadable (now 0.5)" in sentence
    assert len(sentence) <= 400
    allowed = found("gamma", folder, "--replicates", "0", "--option", "max_unreadable=0.97")
    assert allowed["rows"]["rejected"] == {"unreadable_file": 48}


@pytest.mark.parametrize(
    ("bad", "share", "is_read"), [(2, "0.5", True), (3, "0.5", False), (1, "0.2", False)]
)
def test_the_threshold(tmp_path: Path, bad: int, share: str, is_read: bool) -> None:
    folder = _tables(tmp_path / "exports", 4, bad)
    options = SourceOptions(extra={"max_unreadable": share})
    if is_read:
        assert sum(isinstance(row, Unit) for row in read_source(folder, "auto", options)) == 4
        return
    with pytest.raises(DataError, match=f"{bad} of 4 files cannot be read"):
        list(read_source(folder, "auto", options))


@pytest.mark.parametrize(
    ("extra", "named"),
    [
        ({"foo": "1"}, "format 'doccano' has no option 'foo'"),
        ({"empty": "perhaps"}, "option empty = 'perhaps'"),
    ],
)
def test_a_wrong_option_is_named_and_no_share_advised(extra: dict[str, str], named: str) -> None:
    with pytest.raises(OptionError, match=named):
        list(read_source(FORMATS / "doccano", "auto", SourceOptions(extra=extra)))


@pytest.mark.parametrize("value", ["-1", "2", "many", "nan"])
def test_a_share_that_is_none(tmp_path: Path, value: str) -> None:
    folder = _tables(tmp_path / "exports", 2, 0)
    with pytest.raises(DataError, match=r"max_unreadable = .*a number from 0 to 1"):
        list(read_source(folder, "auto", SourceOptions(extra={"max_unreadable": value})))


def test_documents_of_brat_that_are_unreadable(tmp_path: Path) -> None:
    for who in ("anna", "ben"):
        (tmp_path / who).mkdir()
        for k in range(6):
            (tmp_path / who / f"d{k}.ann").write_text("T1\tA 0 3\tThe\n", encoding="utf-8")
    (tmp_path / "anna" / "d0.txt").write_text("The sea", encoding="utf-8")
    with pytest.raises(DataError, match="5 of 6 files cannot be read"):
        list(read_source(tmp_path, "auto", SourceOptions()))


def test_texts_beside_xml_are_no_table(tmp_path: Path) -> None:
    """A text may resemble the CSV of pygamma-agreement by accident: four cells, two numbers."""
    for k in range(3):
        shutil.copy(FORMATS / "gate.xml", tmp_path / f"d{k}.xml")
        (tmp_path / f"d{k}.txt").write_text("Goals,minutes,3,90\n", encoding="utf-8")
    options = SourceOptions()
    rows = list(read_source(tmp_path, "auto", options))
    assert {row.source for row in rows} == {"d0.xml", "d1.xml", "d2.xml"}
    assert options.notes.n_ignored_files == 3
    assert "unreadable_file" not in {getattr(row, "rule", "") for row in rows}


def test_texts_alone_are_still_recognised_by_their_content(tmp_path: Path) -> None:
    for who in ("anna", "ben"):
        (tmp_path / f"{who}.txt").write_text(f"{who},A,0,3\n{who},B,4,9\n", encoding="utf-8")
    assert sum(row.TABLE == "units" for row in read_source(tmp_path, "auto", SourceOptions())) == 4


def test_a_table_without_the_usual_name_beside_tables(tmp_path: Path) -> None:
    (tmp_path / "d1.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "d2.txt").write_text(ROWS, encoding="utf-8")
    options = SourceOptions()
    assert sum(row.TABLE == "units" for row in read_source(tmp_path, "auto", options)) == 4
    assert not options.notes.n_ignored_files


def test_several_formats_in_one_folder_are_told(tmp_path: Path) -> None:
    (tmp_path / "d1.csv").write_text(ROWS, encoding="utf-8")
    shutil.copy(FORMATS / "gate.xml", tmp_path / "d2.xml")
    told = texts(found("gamma", tmp_path, "--replicates", "0"))
    assert any("2 formats: gate (1), table (1)" in text for text in told)


def _with_special_entries(folder: Path) -> None:
    (folder / "d1.csv").write_text(ROWS, encoding="utf-8")
    (folder / "d2.csv").write_text(ROWS, encoding="utf-8")
    os.mkfifo(folder / "a.csv")
    with socket.socket(socket.AF_UNIX) as one:
        before = Path.cwd()
        os.chdir(folder)  # a socket's path is short
        try:
            one.bind("b.csv")
        finally:
            os.chdir(before)
    (folder / "c.csv").symlink_to("c.csv")
    (folder / "e.csv").symlink_to("nowhere.csv")
    (folder / "f.csv").symlink_to("/dev/zero")
    (folder / "up").symlink_to("..", target_is_directory=True)
    (folder / "self").symlink_to(".", target_is_directory=True)


@pytest.mark.parametrize("format", ["auto", "table"])
@pytest.mark.parametrize("pattern", ["", "*", "**/*.csv"])
def test_only_regular_files_are_read(tmp_path: Path, format: str, pattern: str) -> None:
    _with_special_entries(tmp_path)
    options = SourceOptions()
    path = tmp_path / pattern if pattern else tmp_path
    rows = list(read_source(path, format, options))
    assert {row.source for row in rows} == {"d1.csv", "d2.csv"}
    if not pattern:
        assert sorted(options.notes.ignored_files) == [
            *("a.csv", "b.csv", "c.csv", "e.csv", "f.csv", "self", "up"),
        ]


@pytest.mark.parametrize("command", ["agree", "gamma", "check", "run", "score", "replace", "next"])
@pytest.mark.parametrize("name", ["a.csv", "b.csv", "c.csv", "e.csv", "f.csv"])
def test_a_path_that_is_no_file_is_refused(tmp_path: Path, command: str, name: str) -> None:
    _with_special_entries(tmp_path)
    given = [tmp_path / name]
    if command == "score":
        given = [
            "--single-annotator",
            "--reference",
            f"{tmp_path}/d1.csv#anna",
            "--system",
            tmp_path / name,
        ]
    if command == "replace":
        given = [tmp_path / "d1.csv", tmp_path / name]
    code, sentence = said(command, *given)
    assert code == 2
    told = (
        "a pipe, a device or a socket",
        "link that leads to no file",
        "no such file",
        "loop",
        "levels of symbolic links",
    )
    assert sum(text in sentence for text in told) == 1, sentence
    assert "\n" not in sentence


def test_names_that_are_not_utf8(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    folder.mkdir()
    for name in (b"d\xff.csv", b"e\xff.csv"):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text(ROWS, encoding="utf-8")
    (folder / "bad.csv").write_text("never", encoding="utf-8")
    result = found("gamma", folder, "--replicates", "0")
    assert result["rows"]["rejected"] == {"unreadable_file": 1}
    documents = {row.document for row in read_source(folder, "auto", SourceOptions())}
    assert {"d\\xff", "e\\xff"} <= documents


def test_a_layer_that_a_source_does_not_have(tmp_path: Path) -> None:
    rows = (
        "document,layer,annotator,start,end,category\nd,entities,anna,0,3,A\nd,events,ben,0,3,A\n"
    )
    path = tmp_path / "units.csv"
    path.write_text(rows, encoding="utf-8")
    with pytest.raises(DataError, match=r"no layer entitie .*mean entities\? .* entities, events"):
        list(read_source(path, "auto", SourceOptions(layers=("entitie",))))
    options = SourceOptions(layers=("entities", "none"))
    assert sum(row.TABLE == "units" for row in read_source(path, "auto", options)) == 1
    assert options.notes.absent_layers == ["none"]
    campaign = tmp_path / "campaign.toml"
    text = '[campaign]\nname = "x"\n[[sources]]\npath = "units.csv"\nlayers = ["entitie"]\n'
    campaign.write_text(text, encoding="utf-8")
    assert "did you mean entities?" in said("check", campaign)[1]
