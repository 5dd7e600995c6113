"""Tables in memory that are read like tables of a store: what a quick look reads is one shard."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

TABLES_FOLDER = "tables"  # folder beside a report


@dataclass(frozen=True, slots=True)
class TablesOfReport:
    """The accepted rows of a whole campaign, stored beside a report, as one large shard."""

    folder: str  # folder of the report


class Tables(ABC):
    """Tables by path, in a `Store` or `InMemory`; paths are relative, with `/`."""

    @abstractmethod
    def read_table(self, path: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a table, or only these columns of it."""

    def accepted_rows(
        self, key: str | TablesOfReport, table: str, *, columns: Sequence[str] | None = None
    ) -> pa.Table:
        """Return the accepted rows of one table of a shard, or of a report."""
        folder = f"accepted/{key}" if isinstance(key, str) else f"{key.folder}/{TABLES_FOLDER}"
        return self.read_table(f"{folder}/{table}.parquet", columns=columns)


class InMemory(Tables):
    """The accepted rows of one shard, by table, and other tables by path."""

    def __init__(
        self, accepted: Mapping[str, pa.Table], others: Mapping[str, pa.Table] = {}
    ) -> None:
        self._accepted, self._others = accepted, others

    def read_table(self, path: str, *, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a table, or only these columns of it. Raises KeyError for an unknown path."""
        return self._others[path].select(columns or self._others[path].column_names)

    def accepted_rows(
        self,
        key: str | TablesOfReport,  # noqa: ARG002 - there is one shard
        table: str,
        *,
        columns: Sequence[str] | None = None,
    ) -> pa.Table:
        """Return the accepted rows of one table, whatever the key."""
        rows = self._accepted[table]
        return rows if columns is None else rows.select(list(columns))
