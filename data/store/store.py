"""The campaign's store: Parquet and JSON under one URL, local or in an object store.

Any URL that pyarrow's file systems support is valid (`runs/demo`, `s3://bucket/campaign`, `gs://…`,
`abfs://…`); credentials come from the environment, never from the campaign file. A file appears
under its name only when it is complete: it is written under another name and renamed on a local
disk, or put in one request in an object store. Written files never change; a newer version has
another key.

Any error of the operating system becomes one sentence; requests to an object store that does not
answer are repeated. Only what Accordeur wrote is deleted or replaced (`ownership`): whatever else
is in the way of a file is moved to the folder `aside` of the store.
"""

from __future__ import annotations

import errno
import hashlib
import json
import re
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from ..errors import DataError
from ..file_listing import entries_below
from ..schema import SCHEMA_VERSION
from ..sentences import printable
from ..untrusted.documents import parse_json
from ..untrusted.files import is_special
from . import locks, ownership, retries
from .file_systems import open_file_system
from .hashes import Digest
from .in_memory import Tables
from .parquet_format import schema_version, table_bytes, table_writer
from .recent_content import LARGEST, recent

_TEMPORARY = ".writing-"
_PARTIAL = re.compile(rf"(^|/){re.escape(_TEMPORARY)}[0-9a-f]{{32}}-[^/]+$")
_ASIDE = "aside"
_CHUNK = 1 << 20
_T = TypeVar("_T")


class Store(Tables):
    """Files below one URL; paths are relative to it, with `/`. Missing folders are created.

    `written` holds the digest of every file that was written through this object and not deleted.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.written: dict[str, Digest] = {}
        try:
            url.encode()  # Arrow knows no names that are not UTF-8
            self._fs, self._root = open_file_system(url)
        except UnicodeEncodeError:
            raise DataError(
                f"the folder {printable(url)} has a name that is not UTF-8: rename it"
            ) from None
        except (OSError, RuntimeError, ValueError) as error:
            raise DataError(
                f"the store {url!r} cannot be opened ({error}); give a folder or an s3://, gs:// "
                "or abfs:// URL"
            ) from error

    def __reduce__(self) -> tuple[type[Store], tuple[str]]:
        return (Store, (self.url,))

    @property
    def is_local(self) -> bool:
        return isinstance(self._fs, fs.LocalFileSystem)

    def local_path(self, path: str) -> Path:
        """Return the file's path on this machine; only for a local store."""
        return Path(self._full_path(path))

    def location(self, path: str) -> str:
        """Return what a user would open: a path, or the URL in an object store."""
        return self._full_path(path) if self.is_local else f"{self.url.partition('?')[0]}/{path}"

    def exists(self, path: str) -> bool:
        """Return whether there is a file at the path."""
        return bool(self._file_type(self._full_path(path)) == fs.FileType.File)

    def _file_type(self, full: str) -> fs.FileType:
        return self._retry(lambda: self._fs.get_file_info(full)).type

    def list(self, folder: str) -> list[str]:
        """Return the files below the folder, recursively, sorted, relative to the store's root."""
        return [path for path in self._all_files(folder) if f"/{_TEMPORARY}" not in f"/{path}"]

    def _all_files(self, folder: str) -> Sequence[str]:
        found = self._entries(folder, recursive=True)
        return sorted(path for path, kind in found.items() if kind == fs.FileType.File)

    def _entries(self, folder: str, *, recursive: bool) -> dict[str, fs.FileType]:
        """Return files and folders below the folder by their paths in the store.

        Bytes of a name that are not UTF-8, as in no file of Accordeur, are shown as `\\xff`.
        """
        if self.is_local:
            root, kinds = self._full_path(folder), fs.FileType
            below = entries_below(root, recursive=recursive)
            prefix = f"{folder}/" if folder else ""
            return {
                prefix + printable(name): kinds.Directory if is_folder else kinds.File
                for name, is_folder in self._retry(lambda: [*below])
            }
        selector = fs.FileSelector(
            self._full_path(folder), allow_not_found=True, recursive=recursive
        )
        skip = len(self._root.rstrip("/")) + 1
        found = self._retry(lambda: self._fs.get_file_info(selector))
        return {info.path[skip:]: info.type for info in found}

    def top_level(self) -> Sequence[str]:
        """Return the names of the files and folders at the store's root, sorted."""
        return sorted(self._entries("", recursive=False))

    def size(self, path: str) -> int:
        return int(self._retry(lambda: self._fs.get_file_info(self._full_path(path))).size or 0)

    def delete(self, path: str) -> None:
        """Delete a file that Accordeur wrote, if it exists."""
        self.written.pop(path, None)
        recent.forget(self.url, path)
        full = self._full_path(path)
        kind = self._file_type(full)
        if kind == fs.FileType.Directory and self.is_local:  # damage: a file cannot be a folder
            self._move_aside(path)
        elif kind == fs.FileType.File:
            self._retry(lambda: self._fs.delete_file(full))

    def delete_folder(self, folder: str) -> None:
        """Delete everything below a folder that Accordeur made.

        Raises DataError if the store is not Accordeur's.
        """
        kind = self._file_type(self._full_path(folder))
        if kind == fs.FileType.NotFound:
            return
        ownership.require_own(self)
        if self.is_local and kind == fs.FileType.Directory:
            self._retry(lambda: self._fs.delete_dir(self._full_path(folder)))
            return
        for path in self.list(folder) or [folder]:
            self.delete(path)

    def delete_partial_files(self) -> int:
        """Delete partially written files of runs that were killed; return their number."""
        if not self.is_local:
            return 0
        places = [name for name in self.top_level() if name in ownership.NAMES]
        found = [*self.top_level(), *(path for name in places for path in self._all_files(name))]
        left = [path for path in found if _PARTIAL.search(path)]
        for path in left:
            self.delete(path)
        return len(left)

    def write_bytes(self, path: str, content: bytes | pa.Buffer) -> str:
        """Write a whole file. Raises StoreError when the disk is full or the store is silent."""
        digest = Digest.of(content)

        def attempt() -> None:
            with (
                self._temporary_then_rename(path) as place,
                self._fs.open_output_stream(place) as stream,
            ):
                stream.write(content)

        self._retry(attempt)
        self.written[path] = digest
        if not self.is_local and digest.n_bytes <= LARGEST:
            recent.hold(self.url, path, bytes(memoryview(content)))
        return path

    def content(self, path: str) -> bytes | None:
        """Return the file's bytes; None when it does not exist or cannot be read.

        Raises StoreError when the cause is not the file.
        """
        try:
            return self.read_bytes(path)
        except OSError:
            return None

    def read_bytes(self, path: str) -> bytes:
        def attempt() -> bytes:
            with self._open(path) as stream:
                return bytes(stream.read())

        found = recent.get(self.url, path)
        if found is None:
            found = self._retry(attempt, reading=True)
            self._hold(path, found)
        return found

    def _hold(self, path: str, content: bytes) -> None:
        if not self.is_local:
            recent.hold(self.url, path, content)

    def _open(self, path: str) -> pa.NativeFile:
        """Open a file for reading; a pipe in its place would block for ever."""
        full = self._full_path(path)
        if self.is_local and is_special(full):
            raise OSError(errno.EINVAL, "it is a pipe, a device or a socket", full)
        return self._fs.open_input_stream(full)

    def digest(self, path: str) -> Digest | None:
        """Return size and hash of the file; None when it does not exist or cannot be read.

        Raises StoreError when the cause is not the file.
        """

        def attempt() -> Digest:
            found, size = hashlib.sha256(), 0
            with self._open(path) as stream:
                while chunk := stream.read(_CHUNK):
                    if size == 0 and len(chunk) < _CHUNK:
                        self._hold(path, bytes(chunk))
                    found.update(chunk)
                    size += len(chunk)
            return Digest(size, found.hexdigest())

        if (content := recent.get(self.url, path)) is not None:
            return Digest.of(content)
        try:
            return self._retry(attempt, reading=True)
        except OSError:
            return None

    def write_json(self, path: str, value: object, *, indent: int | None = 1) -> str:
        """Write a value as JSON; without an indent this takes a quarter of the time."""
        text = json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True, allow_nan=False)
        return self.write_bytes(path, text.encode())

    def read_json(self, path: str) -> Any:
        """Read a JSON file. Raises DataError when it is missing or invalid."""
        content = self.content(path)
        try:
            return parse_json(b"" if content is None else content, path)
        except DataError:
            raise DataError(
                f"{path} in the store {self.url} is missing or damaged: run the campaign again "
                "(accordeur run)"
            ) from None

    def write_table(self, path: str, table: pa.Table, *, row_group_size: int = 65536) -> str:
        return self.write_bytes(path, table_bytes(table, row_group_size=row_group_size))

    def write_tables(
        self,
        path: str,
        schema: pa.Schema,
        tables: Iterable[pa.Table],
        *,
        row_group_size: int = 65536,
    ) -> str:
        """Write the rows of all tables as by `write_table`, with one row group in memory.

        The file is first written to this machine's temporary folder.
        """

        def spool() -> None:
            waiting, n_written = schema.empty_table(), 0
            with pa.OSFile(spooled.name, "wb") as sink, table_writer(sink, schema) as writer:
                for table in tables:
                    waiting = pa.concat_tables([waiting, table])
                    while waiting.num_rows >= row_group_size:
                        writer.write_table(waiting.slice(0, row_group_size))
                        waiting, n_written = waiting.slice(row_group_size), n_written + 1
                if waiting.num_rows or not n_written:
                    writer.write_table(waiting)

        with tempfile.NamedTemporaryFile(suffix=".parquet") as spooled:
            retries.attempt_once(spool, f"of temporary files {tempfile.gettempdir()}")
            with pa.memory_map(spooled.name) as content:
                return self.write_bytes(path, content.read_buffer())

    def read_table(self, path: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one Parquet file.

        Raises DataError when it is missing, damaged, or of another schema version.
        """

        def attempt() -> pa.Table:  # half the time of `pq.read_table`, which plans a data set
            with self._parquet(path) as file:
                self._require_version(path, file.schema_arrow)
                known = file.schema_arrow.names
                names = known if columns is None else list(columns)
                if missing := set(names) - set(known):
                    raise pa.ArrowInvalid(f"no column {min(missing)!r}")
                return file.read(names, use_threads=False).select(names)

        return self._retry_reading_parquet(path, attempt).replace_schema_metadata(None)

    def read_range(self, path: str, low: int, high: int) -> pa.Table:
        """Read the rows with low ≤ value < high in the first column, which must be sorted.

        Only row groups that may contain matches are read, in half the time of a filter.
        """

        def attempt() -> pa.Table:
            with self._parquet(path) as file:
                self._require_version(path, file.schema_arrow)
                groups = [
                    g
                    for g in range(file.num_row_groups)
                    if (bounds := file.metadata.row_group(g).column(0).statistics) is None
                    or (bounds.max >= low and bounds.min < high)
                ]
                rows = file.read_row_groups(groups, use_threads=False)
            first, end = rows.column(0).to_numpy().searchsorted([low, high])
            return rows.slice(first, end - first)

        return self._retry_reading_parquet(path, attempt)

    def row_groups(self, path: str) -> Iterator[pa.Table]:
        """Yield the rows of one Parquet file in order, one row group at a time.

        Raises DataError as `read_table`.
        """
        file = self._retry_reading_parquet(path, lambda: self._parquet(path, pre_buffer=True))
        with file:
            self._require_version(path, file.schema_arrow)
            for group in range(file.num_row_groups):
                yield self._retry_reading_parquet(
                    path, partial(file.read_row_group, group, use_threads=False)
                )

    def _parquet(self, path: str, *, pre_buffer: bool = False) -> pq.ParquetFile:
        """Open a Parquet file; of an object store, a small one is read whole in one request."""
        full = self._full_path(path)
        if self.is_local:
            return pq.ParquetFile(full, filesystem=self._fs, pre_buffer=pre_buffer)
        content = recent.get(self.url, path)
        if content is None:
            file = self._fs.open_input_file(full)
            if file.size() > LARGEST:
                return pq.ParquetFile(file, pre_buffer=pre_buffer)
            with file:
                content = bytes(file.read())
            recent.hold(self.url, path, content)
        return pq.ParquetFile(pa.BufferReader(content))

    def _retry_reading_parquet(self, path: str, attempt: Callable[[], _T]) -> _T:
        try:
            return self._retry(attempt, reading=True)
        except FileNotFoundError as error:
            raise DataError(
                f"{path} is missing from the store {self.url}: `accordeur run` recomputes it"
            ) from error
        except (pa.ArrowInvalid, OSError) as error:
            raise DataError(
                f"{path} in the store {self.url} is damaged ({error}); run again with --fresh, or "
                "delete it"
            ) from error

    def _require_version(self, path: str, schema: pa.Schema) -> None:
        found = schema_version(schema)
        if found != SCHEMA_VERSION:
            raise DataError(
                f"{path} in the store {self.url} was written by another version of Accordeur (its "
                f"tables have schema version {found}, this one reads {SCHEMA_VERSION}): run the "
                "campaign again (accordeur run), or use the version that wrote it"
            )

    @contextmanager
    def lock(self, campaign: Path | None = None) -> Iterator[locks.Held]:
        """Lock the store for one run, and claim it for a campaign file.

        Raises StoreBusyError when another run holds it, DataError when the store is not Accordeur's
        or another campaign's.
        """
        ownership.require_claimable(self, campaign)
        if self.is_local and self._file_type(self._full_path(".lock")) == fs.FileType.Directory:
            self._move_aside(".lock")
        own, path = self.is_local, self.local_path(".lock")
        with locks.lock_folder(path, self.url) if own else locks.lock_object_store(self) as lock:
            recent.forget(self.url)  # what an earlier run of this process held may be damaged now
            ownership.claim(self, campaign)
            yield lock

    def _retry(self, attempt: Callable[[], _T], *, reading: bool = False) -> _T:
        """Return the attempt's result; retry requests to an object store, not to a local disk."""
        if self.is_local:
            return retries.attempt_once(attempt, self.url, reading=reading)
        return retries.attempt_until_answered(
            attempt,
            self.url,
            lambda: self._fs.get_file_info(self._root.partition("/")[0]),
            reading=reading,
        )

    def _full_path(self, path: str) -> str:
        return f"{self._root.rstrip('/')}/{path}" if path else self._root

    @contextmanager
    def _temporary_then_rename(self, path: str) -> Iterator[str]:
        full = self._full_path(path)
        if not self.is_local:
            yield full
            return
        folder, _, name = full.rpartition("/")
        self._make_folder(folder)
        temporary = f"{folder}/{_TEMPORARY}{uuid.uuid4().hex}-{name}"
        try:
            yield temporary
            if self._file_type(full) == fs.FileType.Directory:  # damage: a file cannot be a folder
                self._move_aside(path)
            self._fs.move(temporary, full)
        except BaseException:
            if self._fs.get_file_info(temporary).type != fs.FileType.NotFound:
                self._fs.delete_file(temporary)
            raise

    def _make_folder(self, full: str) -> None:
        try:
            self._fs.create_dir(full, recursive=True)
        except (NotADirectoryError, FileExistsError):  # damage: a file where a folder should be
            parents = [full, *(str(one) for one in Path(full).parents)]
            for one in parents:
                if len(one) > len(self._root) and self._file_type(one) == fs.FileType.File:
                    self._move_aside(one[len(self._root.rstrip("/")) + 1 :])
            self._fs.create_dir(full, recursive=True)

    def _move_aside(self, path: str) -> None:
        """Move what is in the way of a file or folder of the store, which may be the user's.

        Raises DataError if the store is not Accordeur's.
        """
        ownership.require_own(self, path)
        aside = self._full_path(_ASIDE)
        self._fs.create_dir(aside, recursive=True)
        self._fs.move(self._full_path(path), f"{aside}/{uuid.uuid4().hex}-{path.replace('/', '-')}")


def open_store(url: str, campaign: Path) -> Store:
    """Open the store of a campaign file. Raises DataError for the store of something else."""
    store = Store(url)
    ownership.require_claimable(store, campaign)
    return store
