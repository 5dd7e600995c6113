"""Zips from strangers: what is skipped, what is rejected, and that nothing is written."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from accordeur.data.errors import DataError
from accordeur.data.untrusted.archives import is_zip, open_archive
from accordeur.data.untrusted.budget import Budget


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return file.getvalue()


def test_names_are_relative_and_sorted():
    data = zipped({"/b/x.txt": b"1", "a.txt": b"2", "__MACOSX/a.txt": b"", "a/._b": b"", "c/": b""})
    with open_archive(data, "x.zip") as archive:
        assert archive.names == ["a.txt", "b/x.txt"]
        assert archive.read("b/x.txt") == b"1"
        assert not archive.rejected


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/../x", "..\\x", "C:/x", "a/.."])
def test_a_path_that_leaves_the_folder_is_refused(name):
    with open_archive(zipped({name: b"1", "good": b""}), "x.zip") as archive:
        assert archive.names == ["good"]
        assert [problem.rule for _, problem in archive.rejected] == ["unsafe_path"]


def test_serialised_java_is_refused_with_a_sentence():
    with open_archive(zipped({"a/b.ser": b"\xac\xed"}), "x.zip") as archive:
        ((_, problem),) = archive.rejected
        assert problem.rule == "serialised_java"
        assert "export the project again" in problem.message


def test_a_bomb_is_refused_by_its_ratio_and_its_size():
    bomb = zipped({"bomb": bytes(20 << 20)})
    with open_archive(bomb, "x.zip") as archive:
        assert [problem.rule for _, problem in archive.rejected] == ["zip_bomb"]
    with open_archive(bomb, "x.zip", limits=Budget(entry_bytes=1000)) as archive:
        assert [problem.rule for _, problem in archive.rejected] == ["entry_too_large"]


def test_the_sum_of_all_entries_is_limited_through_nested_zips():
    inner = zipped({"x": bytes(900)}, zipfile.ZIP_STORED)
    data = zipped({f"{k}.zip": inner for k in range(9)})
    read = 0

    def read_all(archive) -> None:
        nonlocal read
        for name in archive.names:
            with archive.nested(name) as nested:
                read += len(nested.read("x"))

    limits = Budget(total_bytes=5000)
    with (
        open_archive(data, "x.zip", limits=limits) as archive,
        pytest.raises(DataError, match="bomb"),
    ):
        read_all(archive)
    assert 0 < read < 5000


def test_zips_in_zips_are_limited():
    data = b"end"
    for depth in range(6):
        data = zipped({f"{depth}.zip": data})

    def dig(archive) -> None:
        with archive.nested(archive.names[0]) as inner:
            dig(inner)

    with (
        open_archive(data, "x.zip") as archive,
        pytest.raises(DataError, match="zip files are nested more than"),
    ):
        dig(archive)


def test_too_many_entries():
    data = zipped({str(k): b"" for k in range(20)})
    with (
        pytest.raises(DataError, match="20 entries"),
        open_archive(data, "x.zip", limits=Budget(entries=10)),
    ):
        pass


def test_two_entries_of_one_name(recwarn):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", b"1")
        archive.writestr("a", b"2")
    with open_archive(file.getvalue(), "x.zip") as archive:
        assert [problem.rule for _, problem in archive.rejected] == ["duplicate_entry"]


def test_a_size_that_lies_is_an_error_not_a_bomb():
    data = bytearray(zipped({"a": bytes(100_000)}))
    at = data.rfind(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 10)
    with open_archive(bytes(data), "x.zip") as archive, pytest.raises(DataError, match="unpacked"):
        archive.read("a")


@pytest.mark.parametrize("cut", [10, 40, -30, -5])
def test_a_cut_zip_is_one_error(cut):
    data = zipped({"a": b"hello" * 100, "b": b"world" * 100})

    def read_all() -> None:
        with open_archive(data[:cut], "x.zip") as archive:
            for name in archive.names:
                archive.read(name)

    with pytest.raises(DataError):
        read_all()


@pytest.mark.parametrize("field", ["method", "flags"])
def test_what_python_cannot_unpack_is_one_error(field):
    data = bytearray(zipped({"a.txt": b"text"}))
    for signature, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):  # local and central header
        header = data.index(signature)
        if field == "method":
            struct.pack_into("<H", data, header + at + 2, 99)  # AES, which no library here knows
        else:
            struct.pack_into("<H", data, header + at, 1)
    with open_archive(bytes(data), "x.zip") as archive:
        if field == "flags":
            [(name, problem)] = archive.rejected
            assert (name, problem.rule) == ("a.txt", "encrypted_entry")
        else:
            with pytest.raises(DataError, match=r"x\.zip/a\.txt: cannot be unpacked .*compression"):
                archive.read("a.txt")


def test_nothing_is_written(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_archive(zipped({"a/b": b"1", "../c": b"2", "/d": b"3"}), "x.zip") as archive:
        for name in archive.names:
            archive.read(name)
    assert not list(tmp_path.iterdir())


def test_is_zip(tmp_path):
    (tmp_path / "a").write_bytes(zipped({}))
    (tmp_path / "b").write_bytes(b"PK")
    assert is_zip(tmp_path / "a")
    assert not is_zip(tmp_path / "b")
    assert not is_zip(tmp_path / "nowhere")
