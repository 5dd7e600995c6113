"""The input files of a campaign, identified by their contents.

A source may have a million files: they are listed one by one in the order of their names and stored
as Parquet (`name`, `sha256`), and the list is never held in memory.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import IO

import pyarrow as pa

from ..errors import DataError
from ..file_listing import files_below, matching_paths, root_of
from ..sentences import printable
from ..store.store import Store
from ..untrusted.files import sha256_of_file

HashedFile = tuple[str, str]
"""A file's name and the SHA-256 of its content, hexadecimal."""

_FILES_AT_ONCE = 1024
_BATCHES_IN_PART = 64
_SCHEMA = pa.schema([("name", pa.string()), ("sha256", pa.binary(32))])


def source_hashes(
    campaign_file: Path, sources: Sequence[tuple[str, Iterable[HashedFile]]], *, is_private: bool
) -> Iterator[HashedFile]:
    """Return the hash of every input by its path relative to the campaign file's folder.

    sources: each source's path and its files. In privacy mode the numbers of source and file
    replace their names, which may contain names of annotators.
    """
    folder = campaign_file.resolve().parent
    for s, (path, files) in enumerate(sources, 1):
        root = Path(os.path.relpath(root_of(path), folder)).as_posix()
        for f, (name, digest) in enumerate(files, 1):
            path_of_file = name if root == "." else f"{root}/{name}"
            yield (f"source {s}, file {f}" if is_private else path_of_file), digest


def hash_of_files(files: Iterable[HashedFile]) -> str:
    """Return the first 16 hex digits of one SHA-256 over all names and contents, in order."""
    digest = hashlib.sha256()
    for name, sha256 in files:
        digest.update(_hash_line(name, sha256))
    return digest.hexdigest()[:16]


def hashed_files(path: str) -> Iterator[HashedFile]:
    """Yield every file of a source by name below `root_of` it; nothing when there is none.

    Bytes of a name that are not UTF-8 are shown as `\\xff`.
    """
    for name, file in _files(path):
        yield printable(name), sha256_of_file(file)


def file_sizes(path: str) -> Iterator[int]:
    """Yield the size in bytes of every file of a source."""
    for _, file in _files(path):
        yield os.path.getsize(file)  # noqa: PTH202


def _files(path: str) -> Iterator[tuple[str, str]]:
    """Yield the name below `root_of` a source and the path of every file of it."""
    root = root_of(path)
    for place in matching_paths(path):
        one = "" if place == root else place.relative_to(root).as_posix()
        inside: Iterable[str] = [one]
        if place.is_dir():
            inside = (f"{one}/{name}".lstrip("/") for name in files_below(place))
        for name in inside:
            file = os.path.join(root, name)  # noqa: PTH118 - a million files
            if os.path.isfile(file):  # noqa: PTH113
                yield name, file


class Listing:
    """The files of a source, hashed once and held in a temporary file until they are stored.

    `hash` is `hash_of_files` these files.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._waiting: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
        digest = hashlib.sha256()
        files = hashed_files(path)
        with pa.ipc.new_stream(self._waiting, _SCHEMA) as stream:
            while some := list(islice(files, _FILES_AT_ONCE)):
                digest.update(b"".join(_hash_line(*file) for file in some))
                names, hashes = zip(*some, strict=True)
                columns = [pa.array(names), pa.array(map(bytes.fromhex, hashes), pa.binary(32))]
                stream.write_batch(pa.record_batch(columns, schema=_SCHEMA))
        self.hash = digest.hexdigest()[:16]

    def require_unchanged(self) -> None:
        """Raise DataError if the files are no longer those that were listed."""
        if hash_of_files(hashed_files(self._path)) != self.hash:
            raise DataError(f"{self._path}: files changed while they were read: run again")

    def names(self) -> Iterator[str]:
        """Yield the names of the files, in order."""
        self._waiting.seek(0)
        with pa.ipc.open_stream(self._waiting) as batches:
            for batch in batches:
                yield from batch["name"].to_pylist()

    def keep(self, store: Store, place: str, *, with_names: bool = True) -> list[str]:
        """Write the files' names and hashes below `place`; return the paths for `read_listing`.

        with_names: False leaves every name empty, because file names may contain names of
        annotators
        """
        self._waiting.seek(0)
        paths: list[str] = []
        with pa.ipc.open_stream(self._waiting) as batches:
            while some := list(islice(batches, _BATCHES_IN_PART)):
                path = f"{place}/inputs-{len(paths):05d}.parquet"
                table = pa.Table.from_batches(some)
                if not with_names:
                    empty = pa.array([""] * table.num_rows, pa.string())
                    table = table.set_column(0, _SCHEMA.field("name"), empty)
                paths.append(store.write_table(path, table))
        return paths


def read_listing(store: Store, paths: Sequence[str]) -> Iterator[HashedFile]:
    """Yield the files of a stored listing, in order."""
    for path in paths:
        for batch in store.read_table(path).to_batches(_FILES_AT_ONCE):
            for name, sha256 in zip(*batch.to_pydict().values(), strict=True):
                yield name, sha256.hex()


def _hash_line(name: str, sha256: str) -> bytes:
    return f"{sha256}  {name}\0".encode()
