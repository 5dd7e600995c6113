"""The option `paths`: one pattern says what folders and names of files stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.blocks import as_records
from accordeur.data.errors import DataError, OptionError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.notes import SourceNotes
from accordeur.data.readers.path_pattern import PathPattern
from accordeur.data.readers.sources import read_rows
from accordeur.data.schema import Label, Rejected, Unit
from accordeur.reports.warnings import in_english
from accordeur.tasks.inputs.reading_warnings import warnings_on_reading

CONTENTS = {
    "conll": "Anna B-PER\nsleeps O\n\n",
    "csv": "item,label\n1,x\n",
    "ann": "T1\tPER 0 4\tAnna\n",
    "rttm": "SPEAKER rec 1 0.0 1.0 <NA> <NA> A <NA> <NA>\n",
    "TextGrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n1\n'
    '"IntervalTier"\n"acts"\n0\n2\n1\n0\n2\n"A"\n',
}


@pytest.mark.parametrize(
    ("pattern", "path", "document", "annotator"),
    [
        ("{annotator}/{document}.tsv", "anna/01.tsv", "01", "anna"),
        ("{annotator}/{document}", "anna/01.tsv", "01", "anna"),
        ("{document}/{annotator}.xmi", "01/anna.xmi.gz", "01", "anna"),
        ("{document}_{annotator}", "rec_01_anna.conll", "rec_01", "anna"),
        ("{annotator}-{document}", "anna-rec-01.conll", "rec-01", "anna"),
        ("{document}.{annotator}", "a/b.anna.tsv", "", ""),
        ("{document}/{annotator}/{document}.ann", "round1/anna/01.ann", "round1/01", "anna"),
        ("*/{annotator}/{document}.ann", "2024/ben/talk_3.ann", "talk_3", "ben"),
        ("**/{annotator}/{document}.ann", "x/y/ben/talk_3.ann", "talk_3", "ben"),
        ("**/{annotator}/{document}.ann", "ben/talk_3.ann", "talk_3", "ben"),
        ("{annotator}.csv", "anna.csv", "", "anna"),
        ("{annotator}/*.csv", "anna/day1.csv", "day1", "anna"),
        ("{annotator}/**/{document}", "anna/day1/a.csv", "day1/a", "anna"),
        ("**/{document}/{annotator}", "x/day1/anna.csv", "x/day1", "anna"),
        ("{document}[-_]{annotator}", "rec_01-anna.csv", "rec_01", "anna"),
        ("**/{annotator}/*", "round1/anna/01.rttm", "round1/01", "anna"),
        ("{annotator}/**", "anna/x/01.csv", "x/01", "anna"),
        ("{annotator}/**", "anna.csv", "", "anna"),
    ],
)
def test_a_pattern_names_the_document_and_the_annotator(
    pattern: str, path: str, document: str, annotator: str
) -> None:
    read = PathPattern.parse(pattern)
    if annotator:
        assert read.names_in(path) == (document, annotator)
    else:
        with pytest.raises(DataError, match="does not fit"):
            read.names_in(path)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("{round}/{annotator}/{document}", r"\{round\} is no name: write \{document\} again"),
        ("{document}.ann", r"write \{annotator\} where"),
        ("{annotator}/{annotator}", r"\{annotator\} stands once"),
        ("{annotator", "is no name"),
    ],
)
def test_a_pattern_that_says_too_little_is_refused(pattern: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        PathPattern.parse(pattern)


def _write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _read(folder: Path, pattern: str, **more: str) -> list[object]:
    options = SourceOptions(extra={"paths": pattern, **more})
    return [*as_records(read_rows(str(folder), "auto", options))]


def _brat(*folders: str) -> dict[str, str]:
    files = {f"{one}/01.ann": "T1\tPER 0 4\tAnna\n" for one in folders}
    return files | {f"{one}/01.txt": "Anna sleeps." for one in folders}


def test_brat_below_rounds(tmp_path: Path) -> None:
    folder = _write(tmp_path, _brat("round1/anna", "round1/ben", "round2/anna", "round2/ben"))
    rows = _read(folder, "{document}/{annotator}/{document}.ann")
    units = [(row.document, row.annotator) for row in rows if isinstance(row, Unit)]
    assert units == [(f"round{n}/01", annotator) for n in (1, 2) for annotator in ("anna", "ben")]


def test_a_table_per_annotator(tmp_path: Path) -> None:
    folder = _write(tmp_path, {f"{one}.csv": "item,label\n1,x\n" for one in ("anna", "ben")})
    labels = [row for row in _read(folder, "{annotator}.csv") if isinstance(row, Label)]
    assert [one.annotator for one in labels] == ["anna", "ben"]
    assert {one.document for one in labels} == {tmp_path.name}


def test_two_files_of_one_document_by_one_annotator_are_refused(tmp_path: Path) -> None:
    folder = _write(tmp_path, _brat("round1/anna", "round2/anna"))
    with pytest.raises(OptionError, match="a second file of '01' by 'anna'"):
        _read(folder, "*/{annotator}/{document}.ann")


def test_a_file_that_does_not_fit_is_listed(tmp_path: Path) -> None:
    folder = _write(tmp_path, _brat("anna", "ben", "carl", "old/ben"))
    rejected = [
        one for one in _read(folder, "{annotator}/{document}.ann") if isinstance(one, Rejected)
    ]
    assert [one.message for one in rejected] == [
        "old/ben/01.ann: does not fit paths = '{annotator}/{document}.ann'"
    ]


@pytest.mark.parametrize(
    ("file", "older", "named"),
    [
        ("anna/x/01.conll", "layout=annotator/document", ("x/01", "anna")),
        ("01.conll", "layout=annotator/document", ("01", "FOLDER")),
        ("x/01/anna.conll", "layout=document/annotator", ("x/01", "anna")),
        ("anna.conll", "layout=document/annotator", ("FOLDER", "anna")),
        ("x/rec_1-anna.conll", "layout=document.annotator", ("x/rec_1", "anna")),
        ("anna_rec_1.conll", "layout=annotator.document", ("rec_1", "anna")),
        ("anna.csv", "file=annotator", ("FOLDER", "anna")),
        ("anna/x/01.csv", "file=annotator", ("x/01", "anna")),
        ("anna/01.ann", "annotator_folder=first", ("01", "anna")),
        ("round1/anna/01.ann", "annotator_folder=last", ("round1/01", "anna")),
        ("01/anna.TextGrid", "annotator_from=file", ("01", "anna")),
        ("x/anna/day.rttm", "annotator_from=folder", ("rec", "anna")),
    ],
)
def test_an_older_option_is_read_and_names_its_pattern(
    tmp_path: Path, file: str, older: str, named: tuple[str, str]
) -> None:
    """Old commands and campaign files read as before, with a warning that says what to write."""
    folder = _write(tmp_path, {file: CONTENTS[file.rpartition(".")[2]]})
    if file.endswith(".ann"):
        _write(tmp_path, {file.replace(".ann", ".txt"): "Anna sleeps."})
    notes = SourceNotes()
    read: set[tuple[str, str]] = set()
    for option in (older, None):
        text = option or f"paths={notes.older_options[older]}"
        options = SourceOptions(extra=dict([text.split("=", 1)]), notes=notes)
        found = [*as_records(read_rows(str(folder), "auto", options))]
        assert not [one for one in found if isinstance(one, Rejected)]
        read |= {(one.document, one.annotator) for one in found if isinstance(one, Unit | Label)}
    assert read == {tuple(one.replace("FOLDER", tmp_path.name) for one in named)}
    [warning] = [in_english(one) for one in warnings_on_reading(notes) if "older" in one.code]
    assert warning == (
        f"`{older}` is an older form of the option `paths`: write `--option "
        f"'paths={notes.older_options[older]}'`."
    )


def test_an_older_option_beside_the_pattern_is_refused(tmp_path: Path) -> None:
    folder = _write(tmp_path, _brat("anna", "ben"))
    for older in ({"layout": "annotator/document"}, {"annotator_from": "tier"}):
        with pytest.raises(OptionError, match="give either the option paths or"):
            _read(folder, "{annotator}/{document}.ann", **older)
