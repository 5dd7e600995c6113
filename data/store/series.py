"""A growing series of rows numbered 0, 1, 2 … (samples, trials), stored in one or many files.

A file is named by its numbers and its content, `<first>-<count>-<hash>.parquet`: one listing shows
what is in the store, a damaged file is detected by its name, and small files can be joined into a
large one at any time. Files may overlap (a run that was killed while joining files leaves both):
each number is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .hashes import Digest
from .parquet_format import table_bytes, table_of_bytes
from .store import Store

MOST_FILES = 64
_NAME = re.compile(r"/(\d+)-(\d+)-([0-9a-f]{16})\.parquet$")


@dataclass(frozen=True, slots=True)
class _File:
    path: str
    first: int
    count: int
    sha256: str

    @property
    def end(self) -> int:
        return self.first + self.count


class Series:
    """The rows of one folder; `column` numbers them (several rows may share a number).

    `damaged` lists the files that do not match their hash; they are not read.
    """

    def __init__(self, store: Store, folder: str, column: str) -> None:
        self._store, self._folder, self._column = store, folder, column
        self.damaged: list[str] = []
        self._files: list[_File] = []
        for path in store.list(folder):
            if found := _NAME.search(path):
                self._files.append(_File(path, int(found[1]), int(found[2]), found[3]))
        self._sort_files()

    @property
    def paths(self) -> list[str]:
        return [file.path for file in self._files]

    def write(self, first: int, count: int, table: pa.Table) -> str:
        """Store the rows numbered first to first + count - 1; return the file's path."""
        content = table_bytes(table)
        sha256 = Digest.of(content).sha256[:16]
        path = f"{self._folder}/{first:09d}-{count}-{sha256}.parquet"
        self._store.write_bytes(path, content)
        if path not in self.paths:
            self._files.append(_File(path, first, count, sha256))
            self._sort_files()
        return path

    def read(self, first: int, count: int) -> pa.Table | None:
        """Return rows first to first + count - 1 in order; None when some are missing."""
        parts = []
        position, end = first, first + count
        for file in list(self._files):
            if not file.first <= position < file.end:
                continue
            table = self._verified_content(file)
            if table is None:
                continue
            if position > file.first or end < file.end:  # a comparison imports pandas
                numbers = table[self._column]
                table = table.filter(
                    pc.and_(pc.greater_equal(numbers, position), pc.less(numbers, end))
                )
            parts.append(table)
            position = min(end, file.end)
            if position == end:
                return pa.concat_tables(parts)
        return None

    def numbers(self) -> NDArray[np.int64]:
        """Return every number that can be read, once, in order."""
        ranges = [np.arange(f.first, f.end) for f in list(self._files) if self._verified_content(f)]
        return np.unique(np.concatenate([np.empty(0, np.int64), *ranges])).astype(np.int64)

    def compact(self, *, most: int = MOST_FILES) -> int:
        """Join runs of adjacent files when there are more than `most`; return the number removed.

        The joined file is written before its parts are deleted.
        """
        if len(self._files) <= most:
            return 0
        n_deleted = 0
        for first, end, files in list(self._groups_of_adjoining_files()):
            if len(files) < 2:
                continue
            table = self.read(first, end - first)
            if table is None:
                continue
            joined = self.write(first, end - first, table)
            for file in files:
                if file.path != joined:
                    self._store.delete(file.path)
                    self._files.remove(file)
                    n_deleted += 1
        return n_deleted

    def _groups_of_adjoining_files(self) -> Iterator[tuple[int, int, list[_File]]]:
        files: list[_File] = []
        first = end = 0
        for file in self._files:
            if files and file.first > end:
                yield first, end, files
                files = []
            if not files:
                first = end = file.first
            files.append(file)
            end = max(end, file.end)
        if files:
            yield first, end, files

    def _verified_content(self, file: _File) -> pa.Table | None:
        content = self._store.content(file.path) or b""
        if Digest.of(content).sha256[:16] != file.sha256:
            self.damaged.append(file.path)
            self._files.remove(file)
            return None
        return table_of_bytes(content)

    def _sort_files(self) -> None:
        self._files.sort(key=lambda file: (file.first, -file.count))
