"""Exports prepared wrongly in the ways people do: the sentence says what to do."""

from __future__ import annotations

import unicodedata
import zipfile

import pytest
from openpyxl import Workbook

from accordeur.data.errors import DataError
from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.common.records.make_records import text_difference
from accordeur.data.readers.registry import detect_reader
from accordeur.data.schema import Label, Rejected
from tests.data.readers.both_ways import read_both_ways


def test_a_zip_of_files_that_are_read_unpacked(tmp_path):
    path = tmp_path / "labels.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("anna/day1.csv", "item,annotator,label\n1,anna,x\n")
    with pytest.raises(DataError, match=r"it contains anna/day1\.csv …\): unpack it"):
        detect_reader(path)


def test_a_spreadsheet_of_an_old_or_other_program(tmp_path):
    path = tmp_path / "labels.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(DataError, match=r"save it as \.xlsx or \.csv"):
        detect_reader(path)


def test_accents_composed_in_one_copy_of_a_text_and_not_in_the_other():
    said = text_difference("un été", unicodedata.normalize("NFD", "un été"))
    assert said is not None
    assert "only the encoding of accented letters differs" in said.message
    other = text_difference("un été", "un etat")
    assert other is not None
    assert "the first difference is at offset 3" in other.message


def test_a_sheet_an_annotator(tmp_path):
    """The sheets that are not read are told; notes on another sheet are none of them."""
    book = Workbook()
    for name in ("anna", "ben", "notes"):
        sheet = book.create_sheet(name)
        sheet.append(["remember"] if name == "notes" else ["item", "annotator", "label"])
        sheet.append(["1", name, "x"])
        sheet.append(["2", name, "y"])
    book.remove(book.worksheets[0])
    path = tmp_path / "labels.xlsx"
    book.save(path)
    records = read_both_ways(path, "table", SourceOptions())
    assert [r.annotator for r in records if isinstance(r, Label)] == ["anna", "anna"]
    assert [(r.rule, r.value, r.location) for r in records if isinstance(r, Rejected)] == [
        ("other_sheet", "ben", "row 2"),
        ("other_sheet", "ben", "row 3"),
    ]
    chosen = read_both_ways(path, "table", SourceOptions(extra={"sheet": "ben"}))
    assert [r.annotator for r in chosen if isinstance(r, Label)] == ["ben", "ben"]
    assert not [r for r in chosen if isinstance(r, Rejected)]
