"""Rows as a reader yields them, gathered into tables of some ten thousand rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from ..blocks import Block, Rows, as_table
from ..schema import SCHEMAS, Document, Record

ROWS_AT_ONCE = 50_000


def batches(rows: Iterable[Rows]) -> Iterator[dict[str, pa.Table]]:
    """Tables by name, each in the order its rows came; documents without their texts."""
    waiting = _Waiting()
    for row in rows:
        waiting.add(row)
        if waiting.n_rows >= ROWS_AT_ONCE:
            yield waiting.taken()
    yield waiting.taken()


class _Waiting:
    def __init__(self) -> None:
        self.n_rows = 0
        self._records: dict[str, list[Record]] = {name: [] for name in SCHEMAS}
        self._tables: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}

    def add(self, row: Rows) -> None:
        if isinstance(row, Block):
            self._to_columns(row.TABLE)  # what came before it stays before it
            self._tables[row.TABLE].append(row.rows)
            self.n_rows += row.rows.num_rows
            return
        if isinstance(row, Document):
            row.text = None
        self._records[row.TABLE].append(row)
        self.n_rows += 1

    def taken(self) -> dict[str, pa.Table]:
        for name in SCHEMAS:
            self._to_columns(name)
        found = {
            name: pa.concat_tables([SCHEMAS[name].empty_table(), *tables]).combine_chunks()
            for name, tables in self._tables.items()
        }
        self._tables = {name: [] for name in SCHEMAS}
        self.n_rows = 0
        return found

    def _to_columns(self, name: str) -> None:
        records = self._records[name]
        if records:
            self._tables[name].append(as_table(records))
            records.clear()
