"""Read untrusted zip files entry by entry in memory; nothing is ever written to disk.

Entries of the macOS Finder (`__MACOSX`, `._x`) and hidden entries are skipped; a name that begins
with "/" (WebAnno writes them) is taken as relative; an entry without a name, a name that leaves the
folder, a second entry of one name, an encrypted entry, a serialised Java object (`.ser`), and an
entry that is too large or has too high a compression ratio are rejected with a message.
"""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from ....errors import DataError
from ....regular_files import open_regular
from ....sentences import printable
from ..spans import Problem

_ENCRYPTED = 1  # bit of the flags of an entry


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on the bytes of one entry and of all, compression ratio, entries and nesting."""

    entry_bytes: int = 1 << 30
    total_bytes: int = 16 << 30
    ratio: float = 300.0
    ratio_from_bytes: int = 8 << 20  # a short run of spaces compresses well and does no harm
    entries: int = 1_000_000
    depth: int = 3


@dataclass(slots=True)
class _Spent:
    """What one archive and its nested archives have unpacked so far."""

    bytes: int = 0


@dataclass(slots=True)
class Archive:
    """An open zip. `names` are the safe relative names, sorted; `rejected` (name, reason)."""

    source: str
    names: list[str] = field(default_factory=list)
    rejected: list[tuple[str, Problem]] = field(default_factory=list)
    path: Path | None = None
    _zip: zipfile.ZipFile = field(kw_only=True)
    _infos: dict[str, zipfile.ZipInfo] = field(default_factory=dict)
    _limits: Limits = field(default_factory=Limits)
    _spent: _Spent = field(default_factory=_Spent)
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
            raise DataError(
                f"{self.source}: unpacks to more than {self._limits.total_bytes} bytes; "
                "refused as a zip bomb"
            )
        try:
            return self._zip.read(info)
        except DAMAGED as error:
            raise DataError(f"{self.source}/{name}: cannot be unpacked ({error})") from error

    def stream(self, name: str) -> IO[bytes]:
        """Open the entry as a stream. Raises DataError when it cannot be opened."""
        try:
            return self._zip.open(self._infos[name])
        except DAMAGED as error:
            raise DataError(f"{self.source}/{name}: cannot be unpacked ({error})") from error

    @contextmanager
    def nested(self, name: str) -> Iterator[Archive]:
        """Open the zip stored as entry `name`; it shares the limits of this archive."""
        if self._depth >= self._limits.depth:
            raise DataError(
                f"{self.source}/{name}: zip files are nested more than {self._limits.depth} "
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
    file: Path | bytes, source: str, *, limits: Limits | None = None
) -> Iterator[Archive]:
    """Open the zip `file` for reading. Raises DataError if it is not a zip or has too many entries.

    `source` is its name in messages.
    """
    stream = io.BytesIO(file) if isinstance(file, bytes) else _opened(file, source)
    with stream, _open(stream, source, limits or Limits()) as archive:
        yield archive


def open_archive_for_streams(path: Path) -> Archive:
    """Open a zip that stays open as long as the archive is referenced, for `stream`.

    Raises DataError when it is not a zip, or unpacks to more than the limits.
    """
    try:
        opened = zipfile.ZipFile(open_regular(path))
    except DAMAGED as error:
        raise DataError(f"{path.name}: not a readable zip ({error})") from error
    archive = Archive(path.name, path=path, _zip=opened)
    _check_entries(archive)
    total = sum(map(archive.size, archive.names))
    if total > archive._limits.total_bytes:
        raise DataError(f"{path.name}: unpacks to {total:,} bytes; refused as a zip bomb")
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
def _open(file: IO[bytes], source: str, limits: Limits) -> Iterator[Archive]:
    try:
        opened = zipfile.ZipFile(file)
    except DAMAGED as error:
        raise DataError(f"{source}: not a readable zip ({error})") from error
    with opened:
        archive = Archive(source, _zip=opened, _limits=limits)
        _check_entries(archive)
        yield archive


def _check_entries(archive: Archive) -> None:
    infos = archive._zip.infolist()
    if len(infos) > archive._limits.entries:
        raise DataError(f"{archive.source}: {len(infos)} entries; refused as a zip bomb")
    for info in infos:
        if info.filename.endswith("/"):
            continue
        name = printable(info.filename.replace("\\", "/").lstrip("/"))
        parts = PurePosixPath(name).parts
        if any(part == "__MACOSX" or (part[0] == "." and part != "..") for part in parts):
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


def _entry_problem(info: zipfile.ZipInfo, parts: tuple[str, ...], limits: Limits) -> Problem | None:
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
            f"the entry unpacks to {info.file_size} bytes (at most {limits.entry_bytes})",
        )
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > limits.ratio_from_bytes and ratio > limits.ratio:
        return Problem(
            "zip_bomb",
            f"{ratio:.0f}",
            f"the entry unpacks to {ratio:.0f} times its size (at most {limits.ratio:.0f})",
        )
    return None
