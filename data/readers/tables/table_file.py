"""The rows of an opened table, with samples of its first ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

import pyarrow as pa

from ...arrow_columns import column
from ...joined_names import joined_name
from .cells import Batch, Cell, Row
from .column_facts import ColumnFacts
from .joined_columns import with_joined_column

SAMPLE = 50_000  # rows
_MOST_CELLS = 2_000_000  # of a sample


@dataclass(frozen=True, slots=True)
class TableFile:
    """`header` has the column names; each row has its cells in that order, or is a Problem.

    `word` is what the numbers of the batches count: "line" or "row". `assumed` tells that the first
    line was taken for the header without an option that says so. `titles` stand above it;
    `unread` are further sheets of a workbook.
    """

    header: list[str]
    batches: Iterator[Batch]
    word: str
    assumed: bool = False
    titles: Sequence[str] = ()
    unread: Sequence[str] = ()

    def with_sample(self, wanted: int) -> tuple[TableFile, list[list[str]]]:
        """Return the table and the columns of its first rows; a missing or empty cell is ""."""
        seen: deque[Batch] = deque()
        rows: list[list[Cell]] = []
        for batch in self.batches:
            seen.append(batch)
            rows += [row for row in batch.head(wanted - len(rows)) if isinstance(row, list)]
            if len(rows) >= wanted:
                break
        columns: list[list[str]] = [[] for _ in self.header]
        for row in rows:
            for cells, cell in zip_longest(columns, row[: len(columns)]):
                cells.append(cell.strip() if isinstance(cell, str) else str(cell or ""))
        return self._before_rest(seen), columns

    def with_facts(self) -> tuple[TableFile, ColumnFacts]:
        """Return the table and the facts of its columns, from its first rows.

        Rows of another width than the header, which are rejected later, are left out of the facts.
        """
        width = len(self.header)
        wanted = min(SAMPLE, _MOST_CELLS // max(width, 1))
        seen: deque[Batch] = deque()
        parts: list[list[pa.Array]] = []
        n_rows = 0
        for batch in self.batches:
            seen.append(batch)
            if columns := batch.texts(width, range(width), wanted - n_rows, shown=True):
                parts.append(columns)
                n_rows += len(columns[0])
            if n_rows >= wanted:
                break
        joined = [pa.concat_arrays(own) for own in zip(*parts, strict=True)]
        facts = ColumnFacts(
            self.header,
            joined or [column([], pa.string())] * width,
            is_whole=n_rows < wanted,  # as far as is known
        )
        return self._before_rest(seen), facts

    def _before_rest(self, seen: deque[Batch]) -> TableFile:
        """Return the table with these batches, which were read, before the others."""
        kept = (seen.popleft() for _ in range(len(seen)))  # each is freed when it has been read
        return replace(self, batches=chain(kept, self.batches))

    def with_joined(self, positions: Sequence[int]) -> TableFile:
        """Return the table with a last column that joins the values of these columns."""
        name = joined_name([self.header[k] for k in positions])
        batches = with_joined_column(self.batches, positions, len(self.header))
        return replace(self, header=[*self.header, name], batches=batches)

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Yield (location, row) one by one."""
        for batch in self.batches:
            for number, row in zip(batch.numbers, batch.rows, strict=True):
                yield f"{self.word} {number}", row
