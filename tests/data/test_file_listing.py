"""Files below a folder: their order, and what is not told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.file_listing import files_below, folders_below
from accordeur.data.sentences import printable

PATHS = ("b.txt", "a/z.ann", "a/y/x.ann", "a-b.ann", "a.ann", ".hidden/c.ann", "a/.d.ann", "é.ann")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in PATHS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    return tmp_path


def test_every_file_once_in_the_order_of_paths(folder: Path) -> None:
    assert list(files_below(folder)) == sorted(PATHS)


def test_order_of_names_without_their_ending(folder: Path) -> None:
    found = list(files_below(folder, ending=".ann", hidden=False))
    assert found == ["a", "a-b", "a/y/x", "a/z", "é"]


def test_folders(folder: Path) -> None:
    assert list(folders_below(folder)) == [".hidden", "a", "a/y"]
    assert list(folders_below(folder, deep=False, hidden=False)) == ["a"]
    assert list(files_below(folder / "a", deep=False)) == [".d.ann", "z.ann"]


def test_links_to_folders_are_not_followed(folder: Path) -> None:
    (folder / "a" / "loop").symlink_to(folder, target_is_directory=True)
    assert list(files_below(folder)) == sorted(PATHS)


def test_more_names_than_are_told_at_once(tmp_path: Path) -> None:
    names = [f"{k:05d}" for k in range(3_000)]
    for name in names:
        (tmp_path / name).touch()
    assert list(files_below(tmp_path)) == names


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the folder cannot be read"):
        list(files_below(tmp_path / "absent"))


def test_a_name_that_is_no_utf8() -> None:
    assert printable(os.fsdecode(b"d\xff")) == "d\\xff"
    assert printable("é") == "é"
