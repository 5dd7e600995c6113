"""Write the records of a source to Parquet files sorted by document slot.

A document's *slot* is a 32-bit number derived from its name. Spilled files are sorted by slot in
small row groups, so that all rows of a range of slots (a shard) can be read without reading the
rest; the files of a long source are merged (`sorted_runs`) into a few. Memory holds at most twice
`rows_in_memory` rows, or texts of `characters_in_memory`, however long the source is: those that
are read, and those that are written meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..blocks import Block, Rows, RowTables
from ..same_rows import SourceContents
from ..schema import SCHEMAS, Document, Label
from ..store.parquet_format import table_writer
from ..store.store import Store
from .sorted_runs import merge_runs, paths_in_range, rows_in_group

ROWS_IN_MEMORY = 500_000  # about 100 MB
CHARACTERS_IN_MEMORY = 1 << 23  # limit on texts: documents may be long and have few rows

_POSITION = [pa.field("slot", pa.uint32()), pa.field("row", pa.int64())]
SPILL_SCHEMAS = {name: pa.schema([*_POSITION, *schema]) for name, schema in SCHEMAS.items()}


@lru_cache(maxsize=8192)
def slot_of(document: str) -> int:
    """Return the document's slot, 0..2^32-1, from its name alone."""
    return int.from_bytes(hashlib.blake2b(document.encode(), digest_size=4).digest(), "big")


@dataclass(slots=True)
class Spilled:
    """A spilled source: its files, row counts and layers by table, and its sketch."""

    files: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in SCHEMAS})
    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SCHEMAS, 0))
    layers: dict[str, set[str]] = field(default_factory=lambda: {"labels": set(), "units": set()})
    contents: SourceContents = field(default_factory=SourceContents)

    def as_json(self) -> dict[str, object]:
        layers = {table: sorted(names) for table, names in self.layers.items()}
        counts = {"files": self.files, "rows": self.rows, "layers": layers}
        return {**counts, "contents": self.contents.sketch().as_json()}


def _size_of_texts(row: Rows) -> int:
    if isinstance(row, Block):
        return int(row.rows["text"].nbytes) if row.TABLE == Label.TABLE else 0
    return len(row.text or "") if isinstance(row, Document | Label) else 0


def spill(
    rows: Iterable[Rows],
    store: Store,
    folder: str,
    *,
    rows_in_memory: int = ROWS_IN_MEMORY,
    characters_in_memory: int = CHARACTERS_IN_MEMORY,
) -> Spilled:
    """Write records and blocks below `folder` of the store, sorted by slot.

    `row` numbers the rows of a table in reading order, so that rules can keep the first of several
    equal rows.
    """
    spilled, waiting, n_characters = Spilled(), RowTables(), 0
    written: Future[None] | None = None
    with ThreadPoolExecutor(max_workers=1) as writer:  # Arrow sorts and writes beside the reader
        for row in rows:
            waiting.add(row)
            n_characters += _size_of_texts(row)
            if n_characters >= characters_in_memory or waiting.n_rows >= rows_in_memory:
                if written is not None:
                    written.result()
                waiting.close()
                written = writer.submit(_write_parts, waiting.parts, store, folder, spilled)
                waiting, n_characters = RowTables(), 0
    if written is not None:
        written.result()
    waiting.close()
    _write_parts(waiting.parts, store, folder, spilled)
    for name, runs in spilled.files.items():
        spilled.files[name] = merge_runs(
            store, f"{folder}/{name}", runs, rows_in_file=rows_in_memory
        )
    return spilled


def _write_parts(
    parts: Mapping[str, list[pa.Table]], store: Store, folder: str, spilled: Spilled
) -> None:
    """Write one file for each table that has rows."""
    for name, tables in parts.items():
        for k, table in enumerate(tables):
            tables[k] = _with_slots_and_numbers(name, table, spilled)
        if tables:
            path = f"{folder}/{name}-{len(spilled.files[name]):05d}.parquet"
            store.write_bytes(path, _sorted_file(tables, SPILL_SCHEMAS[name]))
            spilled.files[name].append(path)
    pa.default_memory_pool().release_unused()


def _with_slots_and_numbers(name: str, table: pa.Table, spilled: Spilled) -> pa.Table:
    """Add slots and row numbers to the rows, and count them in `spilled`."""
    before = spilled.rows[name]
    spilled.rows[name] = before + table.num_rows
    if name in spilled.layers:
        spilled.layers[name].update(pc.unique(table["layer"]).to_pylist())
    spilled.contents.add(name, table)
    position = [_slots(table["document"]), pa.array(np.arange(table.num_rows) + before)]
    return pa.table([*position, *table], schema=SPILL_SCHEMAS[name])


def _sorted_file(tables: list[pa.Table], schema: pa.Schema) -> pa.Buffer:
    """Sort the rows by slot into a Parquet file; empties the list, so that no row is held twice."""
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
    """Read the rows with low ≤ slot < high of one table from all its files, by slot and row.

    The order does not depend on the number of files that the rows were spilled to.
    """
    found = [store.read_range(path, low, high) for path in paths_in_range(files, low, high)]
    parts = [part.cast(SPILL_SCHEMAS[table]) for part in found if part.num_rows]
    if not parts:
        return SPILL_SCHEMAS[table].empty_table()
    if len(parts) == 1:
        return parts[0]
    return pa.concat_tables(parts).sort_by([("slot", "ascending"), ("row", "ascending")])
