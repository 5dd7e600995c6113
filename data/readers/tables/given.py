"""A table in memory, such as a data frame: it is read as a file with the same columns is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..notes import SourceNotes
from .cells import Batch, string_column

_ROWS = 1 << 16  # rows per batch


@dataclass(frozen=True, eq=False)
class GivenTable:
    """Rows to read, given in place of a path.

    columns  texts, numbers, or lists of texts in the column `label`; null where a cell is empty
    name     stands for the path in messages; as the name of a file it names the only document
    numbers  int64 (n_rows), the number of each row, from 1; None: they are consecutive
    counts   whether the columns beside `item` and `document` count annotators (`Layout.COUNTS`)
    options  of the format, which name the columns; None: each has the name of what it is
    notes    what was assumed when the columns were chosen
    """

    columns: pa.Table
    name: str = "data"
    numbers: NDArray[np.int64] | None = None
    counts: bool = False
    options: Mapping[str, str] | None = None
    notes: SourceNotes = field(default_factory=SourceNotes)

    def __str__(self) -> str:
        return self.name

    @property
    def stem(self) -> str:
        return self.name

    def of_rows(self, kept: pa.BooleanArray) -> GivenTable:
        """Return the table with some of its rows, which keep their numbers."""
        numbers = np.flatnonzero(kept.to_numpy(zero_copy_only=False)) + 1
        return replace(self, columns=self.columns.filter(kept), numbers=numbers)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows as cells."""
        numbers = np.arange(1, self.columns.num_rows + 1) if self.numbers is None else self.numbers
        for batch in self.columns.to_batches(max_chunksize=_ROWS):
            own, numbers = np.split(numbers, [batch.num_rows])
            yield Batch(own, columns=[*map(string_column, batch.columns)])


Given: TypeAlias = Path | GivenTable
"""What is read: a file, a folder or a glob, or a table in memory."""
