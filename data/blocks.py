"""Blocks: many rows of one table as columns, for readers that need not inspect each row.

A block holds the same data as its records (`Block.records`) and is much faster to process. Tables
and columns are those of `data.schema`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from operator import attrgetter
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from .arrow_columns import column, repeated_column, scalar
from .label_sets import EMPTY, JOINT, set_name
from .schema import RECORD_TYPES, SCHEMAS, Record, column_name

_ROWS_AS_OBJECTS = 8_192  # records per chunk; columns take less memory than records
_RECORDS = {record.TABLE: record for record in RECORD_TYPES}
_VALUES = {kind.TABLE: attrgetter(*(f.name for f in fields(kind))) for kind in RECORD_TYPES}
_DEFAULTS = {
    table: {column_name(f.name): () if f.default is MISSING else f.default for f in fields(kind)}
    for table, kind in _RECORDS.items()
}


class Block:
    """Rows of the table `TABLE`, in order and in its schema.

    rows  the rows as an Arrow table
    """

    __slots__ = ("TABLE", "rows")

    def __init__(
        self,
        table: str,
        rows: pa.Table | None = None,
        *,
        n_rows: int = 0,
        columns: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the rows as an Arrow table, or as `n_rows` and `columns`.

        A column is a list, an Arrow array, or one value for all rows; omitted columns have the
        default of the record.
        """
        self.TABLE = table
        if rows is None:
            given, arrays = {**_DEFAULTS[table], **(columns or {})}, []
            for name, type in zip(SCHEMAS[table].names, SCHEMAS[table].types, strict=True):
                values = given[name]
                if isinstance(values, list):
                    values = column(values, type)
                elif not isinstance(values, pa.Array | pa.ChunkedArray):
                    values = repeated_column(values, type, n_rows)
                arrays.append(values)
            rows = pa.table(arrays, schema=SCHEMAS[table])
        self.rows = rows

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    def column(self, name: str) -> list[Any]:
        """Return the values of a column as in records, one per row."""
        return _python_values(self.rows[name])

    def with_column(self, name: str, values: pa.Array) -> Block:
        """Return a block with one column replaced."""
        at = self.rows.schema.get_field_index(name)
        return Block(self.TABLE, self.rows.set_column(at, self.rows.schema.field(at), values))

    def records(self) -> Iterator[Record]:
        """Yield the rows as records."""
        kind = _RECORDS[self.TABLE]
        columns = [self.column(name) for name in SCHEMAS[self.TABLE].names]
        for values in zip(*columns, strict=True):
            yield kind(*values)


Rows: TypeAlias = Record | Block


def as_table(records: Sequence[Record]) -> pa.Table:
    """Convert records of one table to an Arrow table; there must be at least one."""
    table = records[0].TABLE
    columns = zip(*map(_VALUES[table], records), strict=True)
    arrays = [
        column(values, field.type) for values, field in zip(columns, SCHEMAS[table], strict=True)
    ]
    return pa.table(arrays, schema=SCHEMAS[table])


class RowTables:
    """Collects rows into Arrow tables; each table keeps the order of its rows.

    parts  the parts of each table; of all rows, when `close` was called
    """

    def __init__(self) -> None:
        self.n_rows = 0
        self._records: dict[str, list[Record]] = {name: [] for name in SCHEMAS}
        self.parts: dict[str, list[pa.Table]] = {name: [] for name in SCHEMAS}

    def add(self, row: Rows) -> None:
        """Add one row or one block."""
        name = row.TABLE
        if isinstance(row, Block):
            self._to_columns(name)  # rows that came before the block stay before it
            self.parts[name].append(row.rows)
            self.n_rows += len(row)
            return
        records = self._records[name]
        records.append(row)
        self.n_rows += 1
        if len(records) == _ROWS_AS_OBJECTS:
            self._to_columns(name)

    def close(self) -> None:
        """Convert the last records."""
        for name in SCHEMAS:
            self._to_columns(name)

    def _to_columns(self, name: str) -> None:
        if self._records[name]:
            self.parts[name].append(as_table(self._records[name]))
            self._records[name] = []


def names_of_sets(lists: pa.ChunkedArray) -> pa.ChunkedArray:
    """Apply `set_name` to each list of labels."""
    labels = pc.list_flatten(lists)
    texts = pc.unique(labels)
    plain = not any(pc.any(pc.match_substring(texts, sign)).as_py() for sign in (JOINT, EMPTY))
    if plain and pc.all(pc.equal(pc.list_value_length(lists), scalar(1))).as_py():
        return labels  # one label each, whose name is the label itself
    return pa.chunked_array([column([*map(set_name, lists.to_pylist())], pa.string())])


def as_records(rows: Iterator[Rows]) -> Iterator[Record]:
    """Yield every row as a record."""
    for row in rows:
        if isinstance(row, Block):
            yield from row.records()
        else:
            yield row


def _python_values(column: pa.Array | pa.ChunkedArray) -> list[Any]:
    """Return the values as in records; equal lists are one object, which saves memory."""
    if not pa.types.is_list(column.type):
        return list(column.to_pylist())
    import pyarrow.compute as pc  # imported here because a quick look starts without it

    lengths = pc.unique(pc.list_value_length(column)).to_pylist()
    if pa.types.is_string(column.type.value_type) and lengths == [1]:
        texts = pc.list_flatten(column).to_pylist()
        of_one = {text: (text,) for text in {*texts}}
        return [*map(of_one.__getitem__, texts)]
    same: dict[Any, Any] = {}
    tuples = (tuple(map(_plain_value, value)) for value in column.to_pylist())
    return [same.setdefault(value, value) for value in tuples]


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return (value["name"], value["value"])
    return tuple(value) if isinstance(value, list) else value
