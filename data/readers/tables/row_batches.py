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
            columns = self.columns or ()
            lists = [c.to_pylist() if isinstance(c, pa.Array) else c for c in columns]
            self.given = [list(cells) for cells in zip(*lists, strict=True)]
        return self.given

    def cells(self, width: int) -> list[list[Cell]] | None:
        """The columns; None where a row is none of `width` cells."""
        if self.given is None:
            columns = self.columns or ()
            lists = [c.to_pylist() if isinstance(c, pa.Array) else c for c in columns]
            return lists if len(lists) == width else None
        if {*map(type, self.given)} != {list} or {*map(len, self.given)} != {width}:
            return None
        return [[*column] for column in zip(*self.given, strict=True)]

    def part(self, start: int, end: int | None = None) -> Batch:
        """The rows from `start` to `end`."""
        return Batch(self.numbers[start:end], self.rows[start:end])


def as_cell(value: Any) -> Cell:
    """A JSON value as the string that was written; numbers come as strings already."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [str(as_cell(each)) for each in value]
    return json.dumps(value, ensure_ascii=False)
