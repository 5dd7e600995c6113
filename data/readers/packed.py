"""Read tables inside `.zip` and `.gz` files as if they were unpacked, without writing to disk.

`anna.csv.gz` is read as `anna.csv`, and an entry `anna/day1.csv` of `corpus.zip` as the file
`corpus/anna/day1.csv`. Limits for zips are in `archives`; a `.gz` is limited while it is read.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from ..errors import DataError
from .common.files.archives import DAMAGED, Archive, Limits, is_zip, open_archive_for_streams
from .tables.reader import EXCEL, PARQUET, SUFFIXES

_ZIP, _GZ = ".zip", ".gz"
_AT_RANDOM = (*EXCEL, *PARQUET)  # their readers need random access, so they are held in memory
_LIMITS = Limits()


class PackedFile(type(Path())):  # type: ignore[misc]  # the class of paths of this system
    """The path that a packed file would have; `open` unpacks it while it is read.

    within  the archive of the entry, or the `.gz` itself
    """

    within: Path | Archive | None = None
    entry: str = ""

    def open(self, mode: str = "r", *_: Any, **__: Any) -> IO[Any]:
        """Open the file's bytes, whatever `mode` is."""
        if self.within is None:
            return super().open(mode, *_, **__)  # type: ignore[no-any-return]  # a plain path
        stream = self._stream()
        if self.suffix.lower() in _AT_RANDOM:
            with stream:
                return io.BytesIO(stream.read())
        return stream

    def _stream(self) -> IO[bytes]:
        if isinstance(self.within, Archive):
            return _Guarded(self.within.stream(self.entry), self.name, 0)  # type: ignore[return-value]  # a raw stream
        packed = Path(str(self.within))
        try:
            return _Guarded(gzip.open(packed), packed.name, packed.stat().st_size)  # type: ignore[return-value]  # a raw stream
        except OSError as error:
            raise DataError(f"{packed}: cannot be read ({error.strerror})") from error

    def exists(self, **_: Any) -> bool:
        return self.within is not None or super().exists(**_)

    def is_file(self, **_: Any) -> bool:
        return self.within is not None or super().is_file(**_)

    def is_dir(self, **_: Any) -> bool:
        return self.within is None and super().is_dir(**_)

    def stat(self, **_: Any) -> Any:
        if self.within is None:
            return super().stat(**_)
        source = self.within.path if isinstance(self.within, Archive) else self.within
        return Path(str(source)).stat()


class _Guarded(io.RawIOBase):
    """Unpacked bytes; raises DataError beyond the limits and for errors of unpacking."""

    def __init__(self, inner: IO[bytes] | gzip.GzipFile, name: str, packed_size: int) -> None:
        self._inner, self._name, self._packed_size = inner, name, packed_size
        self._n_read = 0

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
        ratio = self._n_read / max(self._packed_size, 1) if self._packed_size else 0.0
        if self._n_read > _LIMITS.entry_bytes or (
            self._n_read > _LIMITS.ratio_from_bytes and ratio > _LIMITS.ratio
        ):
            raise DataError(
                f"{self._name}: unpacks to more than {_LIMITS.ratio:.0f} times its size, or to "
                f"more than {_LIMITS.entry_bytes:,} bytes; refused as a decompression bomb"
            )
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


def is_packed_table(path: Path) -> bool:
    """Return whether a file is a table packed as `.gz`, or a zip that holds a table."""
    if path.suffix.lower() == _GZ:
        return _is_table(path.stem)
    return (
        path.suffix.lower() == _ZIP and is_zip(path) and any(map(_is_table, _archive_names(path)))
    )


def packed_files(path: Path) -> Iterator[PackedFile]:
    """Return the tables in a packed file, in the order of their names.

    Raises DataError for a damaged zip, or one that exceeds the limits when unpacked.
    """
    if path.suffix.lower() == _GZ:
        yield _packed_file(path.with_suffix(""), path)
        return
    archive = open_archive_for_streams(path)
    archive.require_sound()
    for name in archive.names:
        if _is_table(name):
            yield _packed_file(path.with_suffix("") / name, archive, name)


def _packed_file(path: Path, within: Path | Archive, entry: str = "") -> PackedFile:
    found = PackedFile(path)
    found.within, found.entry = within, entry
    return found


def _archive_names(path: Path) -> list[str]:
    try:
        archive = open_archive_for_streams(path)
    except DataError:
        return []
    return [*archive.names, *(name for name, _ in archive.rejected)]


def _is_table(name: str) -> bool:
    suffix = Path(name).suffix.lower()
    return suffix in SUFFIXES and suffix != ".txt"
