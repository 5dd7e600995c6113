"""Cells of a table in batches of rows, and parsing of passes, counts and fragments."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...arrow_columns import column
from ..common.span_rules import Problem, parse_integer

ROWS = 8192  # rows per batch, at most

Cell: TypeAlias = str | list[str] | None
Row: TypeAlias = list[Cell] | Problem
Numbers: TypeAlias = Sequence[int] | NDArray[np.int64]


@dataclass(slots=True)
class Batch:
    """`numbers[k]` is the position of row k in its file. One of `given`, `columns` is set."""

    numbers: Numbers
    given: list[Row] | None = None
    columns: Sequence[Any] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def rows(self) -> list[Row]:
        """The cells of each row, or the problem with the row."""
        if self.given is None:
            columns = self.columns or ()
            lists = [c.to_pylist() if isinstance(c, pa.Array) else c for c in columns]
            self.given = [list(cells) for cells in zip(*lists, strict=True)]
        return self.given

    def texts(
        self, width: int, places: Iterable[int], n: int | None = None, *, shown: bool = False
    ) -> list[pa.Array] | None:
        """Return the first `n` rows of the columns at some places.

        None when a row does not have `width` texts there; with `shown` other rows are left out,
        cells that are empty beyond the width are cut, and lists are texts as they are shown.
        """
        columns = self.columns
        if columns is None:
            rows = (self.given or [])[:n]
            if shown:
                rows = [own for row in rows if (own := _cut(row, width)) is not None]
            if {*map(type, rows)} != {list} or {*map(len, rows)} != {width}:
                return None
            columns = [*zip(*rows, strict=True)]
        if len(columns) != width:
            return None
        found = [columns[at][:n] for at in places]
        try:
            for k, cells in enumerate(found):
                if isinstance(cells, pa.Array) and cells.type == pa.string():
                    continue
                if shown:
                    found[k] = text_column(cells)
                elif isinstance(cells, list | tuple):
                    found[k] = column(cells, pa.string())  # imports no pandas
                else:
                    found[k] = pa.array(cells, pa.string())
        except (pa.ArrowException, TypeError, UnicodeEncodeError):  # a list, half of a surrogate
            return None
        return found

    def head(self, n: int) -> list[Row]:
        """Return the first rows without converting the others."""
        if self.given is not None:
            return self.given[:n]
        lists = [column[:n] for column in self.columns or ()]
        lists = [c.to_pylist() if isinstance(c, pa.Array) else c for c in lists]
        return [list(cells) for cells in zip(*lists, strict=True)]

    def column(self, k: int) -> Sequence[Cell]:
        """Return the cells of a column; None for a row that lacks it, or is a problem."""
        if self.columns is not None:
            column = self.columns[k] if k < len(self.columns) else [None] * len(self)
            return column.to_pylist() if isinstance(column, pa.Array) else list(column)
        return [row[k] if isinstance(row, list) and k < len(row) else None for row in self.rows]

    def kept(self, rows: Sequence[int]) -> Batch:
        """Return the batch with these rows only."""
        if len(rows) == len(self):
            return self
        numbers = np.asarray(self.numbers)[list(rows)]
        if self.columns is None:
            return Batch(numbers, [self.rows[row] for row in rows])
        columns = [
            column.take(pa.array(rows, pa.int64()))
            if isinstance(column, pa.Array)
            else [column[row] for row in rows]
            for column in self.columns
        ]
        return Batch(numbers, columns=columns)

    def drop_first(self) -> None:
        """Remove the first row."""
        self.numbers = self.numbers[1:]
        if self.given is not None:
            self.given = self.given[1:]
        if self.columns is not None:
            self.columns = [cells[1:] for cells in self.columns]

    def part(self, start: int, end: int | None = None) -> Batch:
        """Return the rows from `start` to `end`."""
        if self.columns is not None:
            return Batch(self.numbers[start:end], columns=[c[start:end] for c in self.columns])
        return Batch(self.numbers[start:end], self.rows[start:end])


def _cut(row: Row, width: int) -> list[Cell] | None:
    """Return as many cells of a row, if further ones are empty; None of another row."""
    if isinstance(row, Problem) or len(row) < width or any(row[width:]):
        return None
    return row[:width]


def without_rows(batches: Iterator[Batch], n: int) -> Iterator[Batch]:
    """Yield the batches without their first `n` rows."""
    for batch in batches:
        if n < len(batch):
            yield batch.part(n) if n else batch
        n = max(0, n - len(batch))


def as_cell(value: Any) -> Cell:
    """Return a JSON value as the string that was written; numbers are strings already."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [
            json.dumps(one, ensure_ascii=False) if isinstance(one, list) else str(as_cell(one))
            for one in value
        ]
    return json.dumps(value, ensure_ascii=False)


def text_column(cells: Any) -> pa.Array:
    """Return cells as texts, lists and numbers as they are shown."""
    values = cells.to_pylist() if isinstance(cells, pa.Array) else cells
    found = [one if isinstance(one, str) or one is None else str(one) for one in values]
    try:
        return column(found, pa.string())
    except UnicodeEncodeError:  # half of a surrogate pair
        return column(
            [one and one.encode("utf-8", "replace").decode() for one in found], pa.string()
        )


def string_column(column: Any) -> Any:
    """Return every value as a string; lists and other nested values as lists of cells."""
    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        return [None if v is None else [str(each) for each in v] for v in column.to_pylist()]
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        return [as_cell(value) for value in column.to_pylist()]
    return column.cast(pa.string())


MOST_ITEMS = 10_000_000  # per row: a typing error must not fill the disk
MARK = "#"  # the third item of row 12 is `12#3`


def parse_item_count(cell: Cell) -> int | Problem:
    """Return how many items a row stands for, from 0 to `MOST_ITEMS`."""
    number = parse_integer(cell) if isinstance(cell, str) else None
    if number is None or number < 0:
        message = f"the count {cell!r} is not a whole number of 0 or more"
        return Problem("bad_count", str(cell), message)
    if number > MOST_ITEMS:
        message = f"the count {cell!r} is more than the {MOST_ITEMS:,} items a row may stand for"
        return Problem("bad_count", str(cell), message)
    return number


def name_of_repeated_item(row: str, ordinal: int) -> str:
    """Name an item of a row; the ordinal follows the last mark, so that names are unambiguous."""
    return f"{row}{MARK}{ordinal}"


def cell_text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ""


def parse_pass(cell: Cell) -> int | Problem:
    number = parse_integer(cell_text(cell))
    if number is None or not 0 < number < 2**31:
        return Problem("bad_pass", str(cell), f"the pass {cell!r} must be a positive whole number")
    return number


def parse_fragments(cell: str, bounds: tuple[int, int]) -> tuple[tuple[int, int], ...] | Problem:
    """Parse `5 9;11 15`: the pieces of a discontinuous unit from start to end of `bounds`."""
    if not cell:
        return ()
    pieces = [tuple(map(parse_integer, piece.split(" "))) for piece in cell.split(";")]
    numbers = [number for piece in pieces for number in piece if number is not None]
    pairs = list(zip(numbers[0::2], numbers[1::2], strict=False))
    in_pairs = {*map(len, pieces)} == {2} and len(numbers) == 2 * len(pieces)
    in_order = sorted(numbers) == numbers and all(start < end for start, end in pairs)
    if not in_pairs or not in_order or (numbers[0], numbers[-1]) != bounds:
        message = (
            f"fragments must be `start end;start end` in order, from {bounds[0]} to {bounds[1]}"
        )
        return Problem("bad_fragments", cell, message)
    return tuple(pairs)
