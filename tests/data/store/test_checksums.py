"""Checksums of a folder: what `sha256sum` says, and what differs is named."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.checksums import Change, broken_checksums, write_checksums
from accordeur.data.store.store import Store


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "bundle" / "pages").mkdir(parents=True)
    (tmp_path / "bundle" / "results.json").write_bytes(b"{}")
    (tmp_path / "bundle" / "pages" / "été.html").write_bytes(b"<p>")
    return tmp_path / "bundle"


def test_sha256sum_reads_them(bundle: Path):
    write_checksums(Store(str(bundle.parent)), "bundle")
    if shutil.which("sha256sum") is None:
        pytest.skip("no sha256sum on this machine")
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=bundle,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == 2


def test_one_digest_stands_for_the_folder(bundle: Path):
    digest = write_checksums(Store(str(bundle.parent)), "bundle")
    sums = (bundle / "SHA256SUMS").read_bytes()
    assert digest == hashlib.sha256(sums).hexdigest()
    (bundle / "results.json").write_bytes(b"[]")
    assert write_checksums(Store(str(bundle.parent)), "bundle") != digest


def test_what_differs_is_named(bundle: Path):
    store = Store(str(bundle))
    write_checksums(Store(str(bundle.parent)), "bundle")
    assert broken_checksums(store, "") == {}
    (bundle / "results.json").write_bytes(b"[]")
    (bundle / "pages" / "été.html").unlink()
    (bundle / "more.txt").write_bytes(b"")
    (bundle / "SHA256SUMS.sig").write_bytes(b"")  # made after the checksums
    assert broken_checksums(store, "") == {
        "pages/été.html": Change.missing,
        "results.json": Change.changed,
        "more.txt": Change.added,
    }


def test_a_folder_without_checksums_is_told(bundle: Path):
    with pytest.raises(DataError, match="holds no SHA256SUMS"):
        broken_checksums(Store(str(bundle)), "")


def test_a_line_that_is_no_checksum_is_told(bundle: Path):
    (bundle / "SHA256SUMS").write_text("abc  results.json\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 1: is not a checksum"):
        broken_checksums(Store(str(bundle)), "")
