"""Projects of REFI-QDA, QualCoder and RQDA: the same four passages of two coders."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

import accordeur as acc
from accordeur.data.errors import DataError

FORMATS = Path(__file__).resolve().parents[2] / "corpora" / "formats"
REFI = FORMATS / "refi_qda" / "moving.qdpx"
QUALCODER = FORMATS / "qda_database" / "moving.qda"
RQDA = FORMATS / "qda_database" / "moving.rqda"
PASSAGES = [("Ana", 3, 14), ("Ben", 0, 14), ("Ben", 25, 43), ("Ana", 49, 66)]


def units_of(path: Path) -> list[dict]:
    found = acc.read(path)
    assert not found.rejected
    return found.units.to_pylist()


@pytest.mark.parametrize("path", [REFI, QUALCODER, RQDA], ids=lambda path: path.suffix)
def test_each_passage_of_a_coder_is_a_unit(path):
    units = units_of(path)
    found = {(one["annotator"], one["start_offset"], one["end_offset"]) for one in units}
    assert found == {*PASSAGES}
    assert {one["document"] for one in units} == {"interview 1"}


def test_codes_with_one_name_are_told_apart_by_those_above_them():
    names = {one["category"] for one in units_of(REFI)}
    assert names == {"move", "home > distance", "school > distance"}


def test_what_a_database_marks_as_deleted_is_not_read():
    with closing(sqlite3.connect(RQDA)) as database:
        assert database.execute("SELECT count(*) FROM coding").fetchall() == [(5,)]
    assert len(units_of(RQDA)) == 4


def test_the_folder_of_a_project_is_read_whole(tmp_path):
    folder = tmp_path / "moving.qda"
    folder.mkdir()
    shutil.copy(QUALCODER, folder / "data.qda")
    (folder / "documents").mkdir()
    (folder / "documents" / "interview 1.docx").write_bytes(b"PK")
    assert len(units_of(folder)) == 4


def test_a_database_in_which_a_view_stands_for_a_table_is_refused(tmp_path):
    path = tmp_path / "view.rqda"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE source (id, name, file, status);"
            "CREATE TABLE freecode (id, name, status);"
            "CREATE VIEW coding AS SELECT id AS cid FROM freecode;"
        )
    with pytest.raises(DataError, match="lacks the tables of QualCoder and of RQDA"):
        acc.read(path)


def test_a_generated_column_computes_nothing(tmp_path):
    path = tmp_path / "generated.rqda"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE source (id, name, status, file AS (hex(zeroblob(200000000))));"
            "CREATE TABLE freecode (id, name, status); CREATE TABLE coding (cid, fid, owner,"
            " selfirst, selend, seltext, status); INSERT INTO source VALUES (1, 'a', 1);"
        )
    with pytest.raises(DataError, match="the database cannot be read"):
        acc.read(path)


def test_a_code_that_the_codebook_lacks_is_a_rejected_row(tmp_path):
    path = tmp_path / "project.qde"
    with zipfile.ZipFile(REFI) as given:
        content = given.read("project.qde")
    path.write_bytes(
        content.replace(b'<Code guid="00000000-0000-0000-0000-0000000000c4"', b"<Code")
    )
    found = acc.read(path)
    assert [row["rule"] for row in found.rejected.to_pylist()] == ["unknown_node"]
    assert len(found.units) == 3
