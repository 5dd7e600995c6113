"""The campaign's store: Parquet and JSON under one URL, local or in an object store.

Any URL that pyarrow's file systems read will do (`runs/demo`, `s3://bucket/campaign`, `gs://…`,
`abfs://…`); credentials come from the environment, never from the campaign file. A file appears
under its name only when it is whole: written beside it and renamed on a local disk, a single put
in an object store. What is written is never changed; a newer version has another key.
"""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout
from pyarrow import fs

from data.errors import DataError

_URL = re.compile(r"^[a-z][a-z0-9+.-]+://")


class Store:
    """Paths are relative to the root, with `/`; missing folders are made when written to."""

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            if _URL.match(url):
                self._fs, self._root = fs.FileSystem.from_uri(url)
            else:
                self._fs = fs.LocalFileSystem()
                self._root = str(Path(url).expanduser().resolve())
        except (pa.ArrowInvalid, OSError) as error:
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
        """The file's place on this machine; only for a local store."""
        return Path(self._full(path))

    def location(self, path: str) -> str:
        """What a person would open: a path, or the URL in an object store."""
        return self._full(path) if self.is_local else f"{self.url.partition('?')[0]}/{path}"

    def exists(self, path: str) -> bool:
        return bool(self._fs.get_file_info(self._full(path)).type != fs.FileType.NotFound)

    def list(self, folder: str) -> list[str]:
        """Files below the folder, recursively, sorted, relative to the store's root."""
        selector = fs.FileSelector(self._full(folder), allow_not_found=True, recursive=True)
        skip = len(self._root.rstrip("/")) + 1
        return sorted(
            info.path[skip:]
            for info in self._fs.get_file_info(selector)
            if info.type == fs.FileType.File and "/.writing-" not in info.path
        )

    def size(self, path: str) -> int:
        return int(self._fs.get_file_info(self._full(path)).size or 0)

    def delete_folder(self, folder: str) -> None:
        if self.exists(folder):
            self._fs.delete_dir(self._full(folder))

    def write_bytes(self, path: str, content: bytes) -> str:
        with self._writing(path) as place, self._fs.open_output_stream(place) as stream:
            stream.write(content)
        return path

    def read_bytes(self, path: str) -> bytes:
        with self._fs.open_input_stream(self._full(path)) as stream:
            return bytes(stream.read())

    def write_json(self, path: str, value: object) -> str:
        text = json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
        return self.write_bytes(path, text.encode())

    def read_json(self, path: str) -> Any:
        return json.loads(self.read_bytes(path))

    def write_table(self, path: str, table: pa.Table, *, row_group_size: int = 65536) -> str:
        with self._writing(path) as place:
            pq.write_table(
                table,
                place,
                filesystem=self._fs,
                row_group_size=row_group_size,
                compression="zstd",
                compression_level=1,
            )
        return path

    def read_table(
        self, path: str, *, columns: Sequence[str] | None = None, filters: Any = None
    ) -> pa.Table:
        """Read one Parquet file. Raises DataError when it is missing or damaged."""
        try:
            return pq.read_table(
                self._full(path),
                filesystem=self._fs,
                columns=list(columns) if columns is not None else None,
                filters=filters,
                partitioning=None,
            )
        except FileNotFoundError as error:
            raise DataError(f"{path} is missing from the store {self.url}") from error
        except (pa.ArrowInvalid, OSError) as error:
            raise DataError(
                f"{path} in the store {self.url} is damaged ({error}); delete it and run again"
            ) from error

    def is_whole(self, path: str) -> bool:
        """Whether a Parquet file is there and its footer can be read (a cut file has none)."""
        if not self.exists(path):
            return False
        try:
            pq.read_metadata(self._full(path), filesystem=self._fs)
        except (pa.ArrowInvalid, OSError):
            return False
        return True

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the store for one run. Raises DataError when another run holds it (local stores)."""
        if not self.is_local:
            yield
            return
        self._fs.create_dir(self._root, recursive=True)
        lock = FileLock(self._full(".lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise DataError(
                f"another run is writing to the store {self.url}; wait for it, or give this run "
                "another store"
            ) from error
        try:
            yield
        finally:
            lock.release()

    def _full(self, path: str) -> str:
        return f"{self._root.rstrip('/')}/{path}" if path else self._root

    @contextmanager
    def _writing(self, path: str) -> Iterator[str]:
        full = self._full(path)
        if not self.is_local:
            yield full
            return
        folder, _, name = full.rpartition("/")
        self._fs.create_dir(folder, recursive=True)
        temporary = f"{folder}/.writing-{uuid.uuid4().hex}-{name}"
        try:
            yield temporary
            self._fs.move(temporary, full)
        except BaseException:
            if self._fs.get_file_info(temporary).type != fs.FileType.NotFound:
                self._fs.delete_file(temporary)
            raise


def content_hash(tables: Sequence[pa.Table]) -> str:
    """SHA-256 of the tables' schemas and values, the same however they are chunked."""
    digest = hashlib.sha256()
    for table in tables:
        whole = table.replace_schema_metadata(None).combine_chunks()
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, whole.schema) as writer:
            for batch in whole.to_batches():
                writer.write_batch(batch)
        digest.update(sink.getvalue())
    return digest.hexdigest()


def settings_hash(*settings: object) -> str:
    """First 16 hexadecimal digits of the SHA-256 of JSON-able settings."""
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
