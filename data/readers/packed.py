"""Read tables inside `.zip` and `.gz` files as if they were unpacked, without writing to disk.

`anna.csv.gz` is read as `anna.csv`, and an entry `anna/day1.csv` of `corpus.zip` as the file
`corpus/anna/day1.csv`. Limits for zips are in `archives`; a `.gz` is limited while it is read.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from ..errors import DataError
from ..untrusted.archives import Archive, is_zip, open_archive_for_streams, open_gzip
from .tables.reader import EXCEL, PARQUET, SUFFIXES

_ZIP, _GZ = ".zip", ".gz"
_AT_RANDOM = (*EXCEL, *PARQUET)  # their readers need random access, so they are held in memory


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
            return self.within.stream(self.entry)
        return open_gzip(Path(str(self.within)))

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


def is_packed_table(path: Path) -> bool:
    """Return whether a file is a table packed as `.gz`, or a zip that holds a table."""
    if path.suffix.lower() == _GZ:
        return _is_table(path.stem)
    return (
        path.suffix.lower() == _ZIP and is_zip(path) and any(map(_is_table, _archive_names(path)))
    )


def tables_in_packed_file(path: Path) -> Iterator[PackedFile]:
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


def unpacked(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files, and the tables in packed ones."""
    for path in paths:
        yield from tables_in_packed_file(path) if is_packed_table(path) else (path,)


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
