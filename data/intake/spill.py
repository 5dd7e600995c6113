"""Records of a source, as readers yield them, to Parquet files sorted by document slot.

A document's *slot* is a 32-bit number from its name. Spilled files are sorted by it in small row
groups, so that all rows of a range of slots (a shard) can be read without reading the rest; those
of a long source are merged (`sorted_runs`), so that they lie in a few files. Memory holds
`rows_in_memory` rows, or texts of `characters_in_memory`, however long the source is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..blocks import Block, Rows, as_table
from ..schema import RECORD_TYPES, SCHEMAS, Document, Record
from ..sifting.contents import SourceContents
from ..store.store import Store, table_writer
from .sorted_runs import in_range, merge, rows_in_group

ROWS_IN_MEMORY = 100_000
CHARACTERS_IN_MEMORY = 1 << 23  # of texts: documents may be long and have few rows
_ROWS_AS_OBJECTS = 8_192

_POSITION = [pa.field("slot", pa.uint32()), pa.field("row", pa.int64())]
SPILL_SCHEMAS = {name: pa.schema([*_POSITION, *schema]) for name, schema in SCHEMAS.items()}


@lru_cache(maxsize=8192)
def slot_of(document: str) -> int:
    """The document's slot, 0..2^32-1, from its name alone."""
    return int.from_bytes(hashlib.blake2b(document.encode(), digest_size=4).digest(), "big")


@dataclass(slots=True)
class Spilled:
    """What a source gave: files and counts of rows by table, layers by table, a sketch of it."""

    files: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in SCHEMAS})
    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SCHEMAS, 0))
    layers: dict[str, set[str]] = field(default_factory=lambda: {"labels": set(), "units": set()})
    contents: SourceContents = field(default_factory=SourceContents)

    def as_json(self) -> dict[str, object]:
        layers = {table: sorted(names) for table, names in self.layers.items()}
        counts = {"files": self.files, "rows": self.rows, "layers": layers}
        return {**counts, "contents": self.contents.sketch()}


def spill(
    rows: Iterable[Rows],
    store: Store,
    folder: str,
    *,
    rows_in_memory: int = ROWS_IN_MEMORY,
    characters_in_memory: int = CHARACTERS_IN_MEMORY,
) -> Spilled:
    """Write records and blocks below `folder` of the store, in the order of their slots.

    `row` numbers the rows of a table as they came, so that "the first one stays" has a meaning.
    """
    spilling = _Spilling(store, folder)
    for row in rows:
        if isinstance(row, Block):
            spilling.add_block(row)
        else:
            spilling.add_record(row)
        full = spilling.n_characters >= characters_in_memory
        if full or spilling.n_waiting >= rows_in_memory:
            spilling.flush()
    spilling.flush()
    files = spilling.result.files
    for name, runs in files.items():
        files[name] = merge(store, f"{folder}/{name}", runs, rows_in_file=rows_in_memory)
    return spilling.result


class _Spilling:
    """Records become columns some thousands at a time; columns wait until they fill a file."""

    def __init__(self, store: Store, folder: str) -> None:
        self.store = store
        self.folder = folder
        self.result = Spilled()
        self.n_waiting = 0
        self.n_characters = 0  # of texts that wait
        self._n_objects = 0
        self._records: dict[type[Record], list[Record]] = {kind: [] for kind in RECORD_TYPES}
        self._records_of = {kind.TABLE: kind for kind in RECORD_TYPES}
        self._tables: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}

    def add_record(self, record: Record) -> None:
        self._records[type(record)].append(record)
        self.n_waiting += 1
        if isinstance(record, Document) and record.text is not None:
            self.n_characters += len(record.text)
        self._n_objects += 1
        if self._n_objects == _ROWS_AS_OBJECTS:
            self._n_objects = 0
            for kind in RECORD_TYPES:
                self._to_columns(kind)

    def add_block(self, block: Block) -> None:
        self._to_columns(self._records_of[block.TABLE])  # what came before it stays before it
        self._add_columns(block.TABLE, block.rows)
        self.n_waiting += block.rows.num_rows

    def flush(self) -> None:
        """Write a file of each table that has rows waiting."""
        for kind in RECORD_TYPES:
            self._to_columns(kind)
        for name, tables in self._tables.items():
            if tables:
                path = f"{self.folder}/{name}-{len(self.result.files[name]):05d}.parquet"
                self.store.write_bytes(path, _sorted_file(tables, SPILL_SCHEMAS[name]))
                self.result.files[name].append(path)
        self.n_waiting = self.n_characters = self._n_objects = 0
        pa.default_memory_pool().release_unused()

    def _to_columns(self, kind: type[Record]) -> None:
        records = self._records[kind]
        if records:
            self._add_columns(kind.TABLE, as_table(records))
            records.clear()

    def _add_columns(self, name: str, table: pa.Table) -> None:
        before = self.result.rows[name]
        self.result.rows[name] = before + table.num_rows
        if name in self.result.layers:
            self.result.layers[name].update(pc.unique(table["layer"]).to_pylist())
        self.result.contents.add(name, table)
        position = [_slots(table["document"]), pa.array(np.arange(table.num_rows) + before)]
        self._tables[name].append(pa.table([*position, *table], schema=SPILL_SCHEMAS[name]))


def _sorted_file(tables: list[pa.Table], schema: pa.Schema) -> pa.Buffer:
    """The rows by slot as a Parquet file. The list is emptied: never are all rows there twice."""
    columns = list(zip(*(table.columns for table in tables), strict=True))
    tables.clear()
    arrays = []
    while columns:
        column = columns.pop(0)
        arrays.append(pa.concat_arrays([chunk for part in column for chunk in part.chunks]))
        del column
    rows = pa.table(arrays, schema=schema)
    order = pc.sort_indices(rows, [("slot", "ascending"), ("row", "ascending")])
    pa.default_memory_pool().release_unused()
    sink, size = pa.BufferOutputStream(), rows_in_group(rows)
    with table_writer(sink, schema) as writer:
        for start in range(0, len(order), size):
            writer.write_table(rows.take(order.slice(start, size)))
    return sink.getvalue()


def _slots(documents: pa.ChunkedArray) -> pa.Array:
    encoded = documents.combine_chunks().dictionary_encode()
    slots = pa.array([slot_of(name) for name in encoded.dictionary.to_pylist()], pa.uint32())
    return slots.take(encoded.indices)


def read_slots(store: Store, files: list[str], table: str, low: int, high: int) -> pa.Table:
    """Rows with low ≤ slot < high of one table, from all its files, by slot and row.

    The same rows come in the same order however many files they were spilled to.
    """
    found = [store.read_range(path, low, high) for path in in_range(files, low, high)]
    parts = [part.cast(SPILL_SCHEMAS[table]) for part in found if part.num_rows]
    if not parts:
        return SPILL_SCHEMAS[table].empty_table()
    if len(parts) == 1:
        return parts[0]
    return pa.concat_tables(parts).sort_by([("slot", "ascending"), ("row", "ascending")])
