"""Many rows of one table as columns: what a reader yields where it need not look at each row.

A block says the same as its rows as records (`Block.records`), for a fraction of the time. The
tables and their columns are those of `data.schema`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any, TypeAlias

import pyarrow as pa

from .schema import RECORD_TYPES, SCHEMAS, Record, column_name

_RECORDS = {record.TABLE: record for record in RECORD_TYPES}


@dataclass(frozen=True, slots=True)
class Block:
    """Rows of the table `TABLE`, in their order, in its schema."""

    TABLE: str
    rows: pa.Table

    def __len__(self) -> int:
        return int(self.rows.num_rows)

    def with_column(self, name: str, values: pa.Array) -> Block:
        """The same rows with one column changed."""
        at = self.rows.schema.get_field_index(name)
        return Block(self.TABLE, self.rows.set_column(at, self.rows.schema.field(at), values))

    def records(self) -> Iterator[Record]:
        """The same rows one by one."""
        kind = _RECORDS[self.TABLE]
        columns = [_values(column) for column in self.rows.columns]
        for values in zip(*columns, strict=True):
            yield kind(*values)


Rows: TypeAlias = Record | Block


def block(table: str, n_rows: int, columns: dict[str, Any]) -> Block:
    """A block of `n_rows`. A column is an Arrow array, one value for all rows, or left out where
    the record has a default."""
    kind = _RECORDS[table]
    arrays = []
    for field, column in zip(fields(kind), SCHEMAS[table], strict=True):
        default = () if field.default is MISSING else field.default
        value = columns.get(column_name(field.name), default)
        if not isinstance(value, pa.Array | pa.ChunkedArray):
            value = every_row(value, column.type, n_rows)
        arrays.append(value)
    return Block(table, pa.table(arrays, schema=SCHEMAS[table]))


def every_row(value: Any, type: pa.DataType, n_rows: int) -> pa.Array:
    """A column that holds one value throughout; () is an empty list."""
    if value == ():  # Arrow repeats an empty list one by one
        offsets = pa.repeat(pa.scalar(0, pa.int32()), n_rows + 1)
        return pa.ListArray.from_arrays(offsets, pa.array([], type.value_type), type=type)
    return pa.repeat(pa.scalar(value, type), n_rows)


def as_records(rows: Iterator[Rows]) -> Iterator[Record]:
    """Every row as a record."""
    for row in rows:
        if isinstance(row, Block):
            yield from row.records()
        else:
            yield row


def _values(column: pa.ChunkedArray) -> list[Any]:
    values: list[Any] = column.to_pylist()
    if pa.types.is_list(column.type):
        return [tuple(_plain(each) for each in value) for value in values]
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return (value["name"], value["value"])
    return tuple(value) if isinstance(value, list) else value
