"""Tables written by `data.writers.csv_tables`: recognised by their header and read without loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields

import pyarrow as pa

from ...schema import RECORD_TYPES, Record, column_name
from ...spreadsheet import NEUTRALISED, plain_cell
from ..common.span_rules import Problem
from .cells import Batch, Cell, Row


def columns_of_record(kind: type[Record]) -> list[str]:
    """Return the fields of a record that its table has as columns."""
    return [field.name for field in fields(kind) if field.name != "text"]


def header_of_record(kind: type[Record]) -> list[str]:
    """Return the columns under the names used by `data.readers.tables.reader`."""
    return ["label" if name == "labels" else column_name(name) for name in columns_of_record(kind)]


_EARLIER = {
    "start_offset": "start",
    "end_offset": "end",
    "location": "where",
    "table_name": "table",
}
_OWN = [header_of_record(kind) for kind in RECORD_TYPES]
_OWN += [[_EARLIER.get(name, name) for name in header] for header in _OWN]  # written by 0.1


def restore_own_cells(header: Sequence[str], batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield the batches; in tables that Accordeur wrote, restore neutralised cells."""
    return map(_without_neutralised_formulas, batches) if list(header) in _OWN else batches


def _without_neutralised_formulas(batch: Batch) -> Batch:
    import pyarrow.compute as pc  # slow to import, and few tables need it

    if batch.columns is not None and all(isinstance(c, pa.Array) for c in batch.columns):
        columns = [pc.replace_substring_regex(c, NEUTRALISED, r"\1") for c in batch.columns]
        return Batch(batch.numbers, columns=columns)
    return Batch(batch.numbers, [_plain_row(row) for row in batch.rows])


def _plain_row(row: Row) -> Row:
    return row if isinstance(row, Problem) else [_plain_cell(cell) for cell in row]


def _plain_cell(cell: Cell) -> Cell:
    return plain_cell(cell) if isinstance(cell, str) else cell
