"""Records of a source, as readers yield them, to Parquet files sorted by document slot.

A document's *slot* is a 32-bit number from its name. Spilled files are sorted by it in small row
groups, so that all rows of a range of slots (a shard) can be read from any number of files without
reading the rest: no second pass, and memory holds `rows_in_memory` rows however long the source is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import lru_cache

import pyarrow as pa

from data.schema import RECORD_TYPES, SCHEMAS, Label, Record, Unit, column_name
from data.store import Store

SLOT_BITS = 32
ROWS_IN_MEMORY = 1_000_000
_ROWS_AS_OBJECTS = 20_000
_ROW_GROUP = 8_192

_FIELDS = {record: tuple(f.name for f in fields(record)) for record in RECORD_TYPES}
_POSITION = [pa.field("slot", pa.uint32()), pa.field("row", pa.int64())]
SPILL_SCHEMAS = {name: pa.schema([*_POSITION, *schema]) for name, schema in SCHEMAS.items()}


@lru_cache(maxsize=65536)
def slot_of(document: str) -> int:
    """The document's slot, 0..2^32-1, from its name alone."""
    return int.from_bytes(hashlib.blake2b(document.encode(), digest_size=4).digest(), "big")


@dataclass(slots=True)
class Spilled:
    """What a source gave: files and counts of rows by table, layers by table."""

    files: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in SCHEMAS})
    rows: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SCHEMAS, 0))
    layers: dict[str, set[str]] = field(default_factory=lambda: {"labels": set(), "units": set()})

    def as_json(self) -> dict[str, object]:
        layers = {table: sorted(names) for table, names in self.layers.items()}
        return {"files": self.files, "rows": self.rows, "layers": layers}


def spill(
    records: Iterable[Record],
    store: Store,
    folder: str,
    *,
    rows_in_memory: int = ROWS_IN_MEMORY,
) -> Spilled:
    """Write the records below `folder` of the store, in the order of their slots.

    `row` numbers the rows of a table as they came, so that "the first one stays" has a meaning.
    """
    result = Spilled()
    columns: dict[type[Record], dict[str, list[object]]] = {r: _empty(r) for r in RECORD_TYPES}
    waiting: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}
    objects = rows = 0

    def to_arrow() -> None:
        for record, values in columns.items():
            if values["slot"]:
                waiting[record.TABLE].append(pa.table(values, schema=SPILL_SCHEMAS[record.TABLE]))
                columns[record] = _empty(record)

    def flush() -> None:
        for name, tables in waiting.items():
            if tables:
                table = pa.concat_tables(tables).sort_by(
                    [("slot", "ascending"), ("row", "ascending")]
                )
                path = f"{folder}/{name}-{len(result.files[name]):05d}.parquet"
                store.write_table(path, table, row_group_size=_ROW_GROUP)
                result.files[name].append(path)
                tables.clear()

    for record in records:
        kind = type(record)
        values = columns[kind]
        values["slot"].append(slot_of(record.document))
        values["row"].append(result.rows[kind.TABLE])
        for name in _FIELDS[kind]:
            values[column_name(name)].append(_plain(getattr(record, name)))
        result.rows[kind.TABLE] += 1
        if isinstance(record, (Unit, Label)):
            result.layers[kind.TABLE].add(record.layer)
        objects += 1
        rows += 1
        if objects == _ROWS_AS_OBJECTS:
            to_arrow()
            objects = 0
        if rows >= rows_in_memory:
            to_arrow()
            flush()
            objects = rows = 0
    to_arrow()
    flush()
    return result


def _empty(record: type[Record]) -> dict[str, list[object]]:
    return {name: [] for name in SPILL_SCHEMAS[record.TABLE].names}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple) and value[0] and isinstance(value[0][0], str):
            return [{"name": name, "value": text} for name, text in value]
        return [list(part) if isinstance(part, tuple) else part for part in value]
    return value


def read_slots(store: Store, files: list[str], table: str, low: int, high: int) -> pa.Table:
    """Rows with low ≤ slot < high of one table, from all its files, in their order."""
    filters = (
        None if (low, high) == (0, 1 << SLOT_BITS) else [("slot", ">=", low), ("slot", "<", high)]
    )
    parts = [store.read_table(path, filters=filters) for path in files]
    parts = [part.cast(SPILL_SCHEMAS[table]) for part in parts if part.num_rows]
    return pa.concat_tables(parts) if parts else SPILL_SCHEMAS[table].empty_table()
