"""Some rows of a tabular file at a time, as rows or as columns, whichever is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import pyarrow as pa

from ..common.spans import Problem

ROWS = 8192  # at most so many in a batch

Cell: TypeAlias = str | list[str] | None
Row: TypeAlias = list[Cell] | Problem


@dataclass(slots=True)
class Batch:
    """`numbers[k]` is where row k stands in its file. One of `given`, `columns` is set."""

    numbers: Sequence[int]
    given: list[Row] | None = None
    columns: Sequence[Any] | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def rows(self) -> list[Row]:
        """Each row's cells, or why it is none."""
        if self.given is None:
            lists = [c.to_pylist() if isinstance(c, pa.Array) else c for c in self.columns or ()]
            self.given = [list(cells) for cells in zip(*lists, strict=True)]
        return self.given

    def without_first(self) -> Batch:
        return Batch(self.numbers[1:], self.rows[1:])


def string_columns(
    batch: Batch, width: int, wanted: Sequence[int]
) -> tuple[dict[int, pa.Array], list[int]] | None:
    """The `wanted` columns of the batch as strings, and the rows that are none of `width` cells.

    Those rows are null in every column. None when a cell is a list.
    """
    given: Any = batch.columns
    odd: list[int] = []
    if given is None or len(given) != width:
        odd = _odd_rows(batch.rows, width)
        rows: list[Any] = list(batch.rows)
        for k in odd:
            rows[k] = [None] * width
        given = list(zip(*rows, strict=True))
    try:
        columns = {
            at: c if isinstance(c := given[at], pa.Array) else pa.array(c, pa.string())
            for at in wanted
        }
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    return columns, odd


def _odd_rows(rows: list[Row], width: int) -> list[int]:
    """The rows that are no row, or of another width."""
    if set(map(type, rows)) == {list} and set(map(len, rows)) == {width}:
        return []
    return [k for k, row in enumerate(rows) if isinstance(row, Problem) or len(row) != width]


def as_cell(value: Any) -> Cell:
    """A JSON value as the string that was written; numbers come as strings already."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [str(as_cell(each)) for each in value]
    return json.dumps(value, ensure_ascii=False)
