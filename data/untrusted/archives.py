"""Read untrusted zip files entry by entry in memory; nothing is ever written to disk.

Entries of the macOS Finder (`__MACOSX`, `._x`) and hidden entries are skipped; a name that begins
with "/" (WebAnno writes them) is taken as relative; an entry without a name, a name that leaves the
folder, a second entry of one name, an encrypted entry, a serialised Java object (`.ser`), and an
entry that is too large or has too high a compression ratio are rejected with a message.
"""

from __future__ import annotations

import gzip
import io
import lzma
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from ..errors import DataError
from ..readers.common.span_rules import Problem
from ..sentences import printable
from .budget import Budget, budget
from .files import open_regular

_ENCRYPTED = 1  # bit of the flags of an entry
_SMALL = 1 << 16  # bytes of an entry that is unpacked at once
# The record at the end of a zip and its larger form: where they count the entries.
_END, _END64 = struct.Struct("<10xH"), struct.Struct("<32xQ")
_LONGEST_END = 22 + (1 << 16) + 76  # with the longest comment


@dataclass(slots=True)
class _Spent:
    """What one archive and its nested archives have unpacked so far."""

    bytes: int = 0


@dataclass(slots=True)
class Archive:
    """An open zip. `names` are the safe relative names, sorted; `rejected` (name, reason).

    skipped  hidden entries, and those of the macOS Finder
    """

    source: str
    names: list[str] = field(default_factory=list)
    rejected: list[tuple[str, Problem]] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    path: Path | None = None
    _zip: zipfile.ZipFile = field(kw_only=True)
    _infos: dict[str, zipfile.ZipInfo] = field(default_factory=dict)
    _limits: Budget = field(default_factory=budget)
    _spent: _Spent = field(default_factory=_Spent)
    _last: tuple[str, bytes] = ("", b"")
    _depth: int = 1

    def require_sound(self) -> None:
        """Raise DataError with the first rejected entry, if there is one."""
        for name, problem in self.rejected:
            raise DataError(f"{self.source}/{name}: {problem.message}")

    def size(self, name: str) -> int:
        """Return the entry's unpacked size in bytes, as the archive declares it."""
        return self._infos[name].file_size

    def read(self, name: str) -> bytes:
        """Return the entry's bytes. Raises DataError if damaged, encrypted or over the limits."""
        info = self._infos[name]
        self._spent.bytes += info.file_size
        if self._spent.bytes > self._limits.total_bytes:
            raise self._limits.breach("total_bytes", self.source, "a zip bomb")
        try:
            return self._zip.read(info)
        except DAMAGED as error:
            raise DataError(f"{self.source}/{name}: cannot be unpacked ({error})") from error

    def stream(self, name: str) -> IO[bytes]:
        """Open the entry as a stream. Raises DataError when it cannot be opened."""
        info = self._infos[name]
        if info.file_size <= _SMALL:
            if name != self._last[0]:  # formats are probed one after another
                self._last = (name, self.read(name))
            return io.BytesIO(self._last[1])
        try:
            return _Guarded(self._zip.open(info), PurePosixPath(name).name, 0)  # type: ignore[return-value]  # a raw stream
        except DAMAGED as error:
            raise DataError(f"{self.source}/{name}: cannot be unpacked ({error})") from error

    @contextmanager
    def nested(self, name: str) -> Iterator[Archive]:
        """Open the zip stored as entry `name`; it shares the limits of this archive."""
        if self._depth >= self._limits.zip_depth:
            raise DataError(
                f"{self.source}/{name}: zip files are nested more than {self._limits.zip_depth} "
                "levels deep"
            )
        with _open(io.BytesIO(self.read(name)), f"{self.source}/{name}", self._limits) as inner:
            inner._spent = self._spent
            inner._depth = self._depth + 1
            yield inner


DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,  # encrypted, or compressed with a method that Python does not support
    ValueError,
    IndexError,
    struct.error,
    lzma.LZMAError,
    OverflowError,
    MemoryError,
)


@contextmanager
def open_archive(
    file: Path | bytes, source: str, *, limits: Budget | None = None
) -> Iterator[Archive]:
    """Open the zip `file` for reading. Raises DataError if it is not a zip or has too many entries.

    `source` is its name in messages.
    """
    stream = io.BytesIO(file) if isinstance(file, bytes) else _opened(file, source)
    with stream, _open(stream, source, limits or budget()) as archive:
        yield archive


def unpack_archive(path: Path, folder: Path) -> None:
    """Write the files of a zip below an empty folder, each checked against the budget.

    Raises DataError, before anything is written, if an entry is rejected, hidden, or over a limit.
    """
    archive = open_archive_for_streams(path)
    archive.require_sound()
    for name in archive.skipped:
        raise DataError(f"{path}/{name}: is a hidden file, and a bundle has none: remove it")
    for name in archive.names:
        to = folder / name
        try:
            to.parent.mkdir(parents=True, exist_ok=True)
            with archive.stream(name) as packed, to.open("xb") as written:
                shutil.copyfileobj(packed, written)
        except DAMAGED as error:
            raise DataError(f"{path}/{name}: cannot be unpacked ({error})") from None


def open_archive_for_streams(path: Path) -> Archive:
    """Open a zip that stays open as long as the archive is referenced, for `stream`.

    Raises DataError when it is not a zip, or unpacks to more than the limits.
    """
    opened = _zip_of(_opened(path, path.name), path.name, budget())
    archive = Archive(path.name, path=path, _zip=opened)
    _check_entries(archive)
    total = sum(map(archive.size, archive.names))
    archive._limits.require("total_bytes", total, path.name, f"it unpacks to {total:,} bytes")
    return archive


def is_zip(path: Path) -> bool:
    """Return whether a file begins with the signature of a zip."""
    try:
        with open_regular(path) as stream:
            return stream.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    except OSError:
        return False


def _opened(path: Path, source: str) -> IO[bytes]:
    try:
        return open_regular(path)
    except OSError as error:
        raise DataError(f"{source}: not a readable zip ({error})") from error


@contextmanager
def _open(file: IO[bytes], source: str, limits: Budget) -> Iterator[Archive]:
    with _zip_of(file, source, limits) as opened:
        archive = Archive(source, _zip=opened, _limits=limits)
        _check_entries(archive)
        yield archive


def _zip_of(file: IO[bytes], source: str, limits: Budget) -> zipfile.ZipFile:
    """Open a zip. Its own count of entries is looked at before their list takes time and memory."""
    try:
        _require_few(_declared_entries(file), source, limits)
        opened = zipfile.ZipFile(file)
    except DAMAGED as error:
        raise DataError(f"{source}: not a readable zip ({error})") from error
    _require_few(len(opened.infolist()), source, limits)
    return opened


def _require_few(n_entries: int, source: str, limits: Budget) -> None:
    limits.require("entries", n_entries, source, f"it has {n_entries:,} entries")


def _declared_entries(file: IO[bytes]) -> int:
    """Return the number of entries that the end of a zip declares; 0 where it declares none."""
    start = max(file.seek(0, io.SEEK_END) - _LONGEST_END, 0)
    file.seek(start)
    end = file.read(_LONGEST_END)
    file.seek(0)
    count = 0
    for signature, number in ((b"PK\x05\x06", _END), (b"PK\x06\x06", _END64)):
        place = end.rfind(signature)
        if place >= 0 and place + number.size <= len(end):
            count = number.unpack_from(end, place)[0]
    return count


def _check_entries(archive: Archive) -> None:
    infos = archive._zip.infolist()
    for info in infos:
        if info.filename.endswith("/"):
            continue
        name = printable(info.filename.replace("\\", "/").lstrip("/"))
        parts = PurePosixPath(name).parts
        if any(part == "__MACOSX" or (part[0] == "." and part != "..") for part in parts):
            archive.skipped.append(name)
            continue
        problem = _entry_problem(info, parts, archive._limits)
        if problem is None and name in archive._infos:
            problem = Problem("duplicate_entry", name, f"the zip has two entries named {name}")
        if problem is not None:
            archive.rejected.append((name, problem))
            continue
        archive._infos[name] = info
        archive.names.append(name)
    archive.names.sort()


def _entry_problem(info: zipfile.ZipInfo, parts: tuple[str, ...], limits: Budget) -> Problem | None:
    name = info.filename
    if not parts:
        return Problem("unsafe_path", name, "the entry has no name; not read")
    if info.flag_bits & _ENCRYPTED:
        message = "the entry is encrypted; unpack the zip with its password and give the folder"
        return Problem("encrypted_entry", name, message)
    if ".." in parts or (len(parts[0]) > 1 and parts[0][1] == ":"):
        return Problem("unsafe_path", name, "the entry's path leads outside the folder; not read")
    if name.endswith(".ser"):
        return Problem(
            "serialised_java",
            name,
            "a serialised Java object (.ser) can only be read by running its program; "
            "export the project again as XMI or WebAnno TSV",
        )
    if info.file_size > limits.entry_bytes:
        return Problem(
            "entry_too_large",
            str(info.file_size),
            f"the entry unpacks to {info.file_size} bytes (at most {limits.entry_bytes}; "
            "ACCORDEUR_MAX_ENTRY_BYTES raises the limit)",
        )
    ratio = info.file_size / max(info.compress_size, 1)
    if limits.is_bomb(info.file_size, info.compress_size):
        return Problem(
            "zip_bomb",
            f"{ratio:.0f}",
            f"the entry unpacks to {ratio:.0f} times its size (at most {limits.ratio}; "
            "ACCORDEUR_MAX_RATIO raises the limit)",
        )
    return None


def open_gzip(path: Path) -> IO[bytes]:
    """Open what a `.gz` file holds; reading raises DataError where it is damaged or a bomb."""
    try:
        return _Guarded(gzip.open(open_regular(path)), path.name, path.stat().st_size)  # type: ignore[return-value,arg-type]  # raw streams
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def unpack_gzip(data: bytes, source: str) -> bytes:
    """Return what the bytes of a `.gz` file hold. Raises DataError if damaged or a bomb."""
    limits = budget()
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        guarded = _Guarded(packed, source, len(data))  # type: ignore[arg-type]  # a raw stream
        found = io.BufferedReader(guarded).read(limits.file_bytes + 1)
    limits.require("file_bytes", len(found), source, "it unpacks to a file that is too large")
    return found


class _Guarded(io.RawIOBase):
    """Unpacked bytes; raises DataError beyond the limits and for errors of unpacking."""

    def __init__(self, inner: IO[bytes], name: str, packed_size: int) -> None:
        self._inner, self._name, self._packed_size = inner, name, packed_size
        self._n_read, self._limits = 0, budget()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._n_read = 0 if whence == 0 else self._n_read
        return self._inner.seek(offset, whence)

    def tell(self) -> int:
        return self._inner.tell()

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read(len(buffer))
        except DAMAGED as error:
            raise DataError(f"{self._name}: cannot be unpacked ({error})") from error
        buffer[: len(data)] = data
        self._n_read += len(data)
        what = f"it unpacks to more than {self._n_read:,} bytes, as a decompression bomb does"
        self._limits.require("entry_bytes", self._n_read, self._name, what)
        if self._packed_size and self._limits.is_bomb(self._n_read, self._packed_size):
            raise self._limits.breach("ratio", self._name, what)
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()
