"""Deposits: a zip file that is the same each time, names and sizes that repositories take."""

from __future__ import annotations

import hashlib
from pathlib import Path
from zipfile import ZipFile

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.checksums import broken_checksums, write_checksums
from accordeur.data.store.store import Store
from accordeur.flows.errors import UserError
from accordeur.flows.release.deposit import (
    GIGABYTE,
    LIMITS,
    copy_bundle_for_deposit,
    exceeded_limits,
    opened_bundle,
    require_new,
)


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    bundle = tmp_path / "bundle"
    (bundle / "data").mkdir(parents=True)
    (bundle / "audit.html").write_text("<!doctype html>", encoding="utf-8")
    (bundle / "data" / "labels.jsonl").write_text("{}\n" * 100, encoding="utf-8")
    write_checksums(Store(str(tmp_path)), "bundle")
    return bundle


def test_a_zip_file_has_one_folder_with_the_checksums(bundle: Path, tmp_path: Path) -> None:
    assert copy_bundle_for_deposit(bundle, tmp_path / "corpus-1.0.zip") == []
    with ZipFile(tmp_path / "corpus-1.0.zip") as archive:
        assert archive.namelist() == [
            "corpus-1.0/SHA256SUMS",
            "corpus-1.0/audit.html",
            "corpus-1.0/data/labels.jsonl",
        ]
    with opened_bundle(tmp_path / "corpus-1.0.zip") as opened:
        assert broken_checksums(Store(str(opened)), "") == {}
    assert not opened.exists()


def test_the_same_bundle_gives_the_same_zip_file(bundle: Path, tmp_path: Path) -> None:
    digests = set()
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        copy_bundle_for_deposit(bundle, tmp_path / folder / "corpus.zip")
        digests.add(hashlib.sha256((tmp_path / folder / "corpus.zip").read_bytes()).hexdigest())
        (bundle / "audit.html").touch()
    assert len(digests) == 1


def test_a_folder_is_copied(bundle: Path, tmp_path: Path) -> None:
    assert copy_bundle_for_deposit(bundle, tmp_path / "corpus") == []
    assert broken_checksums(Store(str(tmp_path / "corpus")), "") == {}


@pytest.mark.parametrize("name", ["été.zip", "my corpus.zip", ".corpus.zip", "-corpus", "a:b.zip"])
def test_a_target_that_repositories_refuse_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="repositories accept only names of ASCII letters"):
        require_new(tmp_path / name)


@pytest.mark.parametrize("name", ["été.csv", "a b.csv", ".hidden", "data/é/x.csv", "x" * 201])
def test_a_name_in_the_bundle_that_repositories_refuse_is_refused(
    bundle: Path, tmp_path: Path, name: str
) -> None:
    (bundle / name).parent.mkdir(exist_ok=True)
    (bundle / name).write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="is a name that repositories refuse"):
        copy_bundle_for_deposit(bundle, tmp_path / "corpus.zip")
    assert not (tmp_path / "corpus.zip").exists()


def test_an_existing_target_is_kept(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "corpus.zip").write_bytes(b"mine")
    with pytest.raises(UserError, match="already exists"):
        copy_bundle_for_deposit(bundle, tmp_path / "corpus.zip")


def test_repositories_whose_limits_are_exceeded_are_named() -> None:
    assert exceeded_limits({"corpus.zip": int(2.4 * GIGABYTE)}) == []
    found = exceeded_limits({"corpus.zip": 6 * GIGABYTE, "README.md": 1})
    assert [line.split(": ")[1] for line in found] == [
        "OSF takes 5 GB in a file",
        "Dataverse (most installations) takes 2.5 GB in a file",
    ]
    assert found[0].startswith("corpus.zip has 6.0 GB: ")
    assert len(exceeded_limits({"corpus.zip": 60 * GIGABYTE})) == len(LIMITS)
    [many] = exceeded_limits({f"{k}.csv": 1 for k in range(101)})
    assert many.startswith("101 files: Zenodo takes 100; ")


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip file"])
def test_a_file_that_is_no_zip_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "corpus.zip").write_bytes(content)
    with (
        pytest.raises(DataError, match=r"not a readable zip|cannot be unpacked"),
        opened_bundle(tmp_path / "corpus.zip"),
    ):
        pass


def test_a_zip_file_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "corpus.zip", "w") as archive:
        archive.writestr("../outside.txt", "x")
        archive.writestr("SHA256SUMS", "")
    with (
        pytest.raises(DataError, match="leads outside the folder"),
        opened_bundle(tmp_path / "corpus.zip"),
    ):
        pass


def test_a_zip_file_with_a_name_twice_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "corpus.zip", "w") as archive:
        archive.writestr("SHA256SUMS", "a")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("SHA256SUMS", "b")
    with (
        pytest.raises(DataError, match="two entries named"),
        opened_bundle(tmp_path / "corpus.zip"),
    ):
        pass


def test_a_missing_bundle_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(DataError, match="no such folder or zip file"),
        opened_bundle(tmp_path / "none"),
    ):
        pass


def test_a_zip_file_whose_names_collide_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "corpus.zip", "w") as archive:
        archive.writestr("data", "a file")
        archive.writestr("data/labels.csv", "a file below it")
    with (
        pytest.raises(DataError, match=r"not a readable zip|cannot be unpacked"),
        opened_bundle(tmp_path / "corpus.zip"),
    ):
        pass
