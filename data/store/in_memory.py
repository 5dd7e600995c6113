"""Tables in memory that are read like tables of a store: what a quick look reads is one shard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import pyarrow as pa


class Tables(Protocol):
    """Tables by path, in a `Store` or `InMemory`; paths are relative, with `/`."""

    def read_table(self, path: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a table, or only these columns of it."""


class InMemory:
    """Tables in memory, by path."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self._tables = dict(tables)

    def read_table(self, path: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a table, or only these columns of it. Raises KeyError for an unknown path."""
        rows = self._tables[path]
        return rows if columns is None else rows.select(list(columns))
