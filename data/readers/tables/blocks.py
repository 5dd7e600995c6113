"""Convert batches of table rows to blocks: plain rows at once, others through `TableRecords`.

`TableRecords` alone checks the rows that are not plain, and words their errors.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...blocks import Rows
from .cells import Batch
from .column_names import LENGTH
from .layout import Layout
from .records import TableRecords

_FEW, _PIECE = 64, 256  # smaller batches are read row by row; mixed ones are cut into pieces
_QUICK = 1024  # rows of a table that are read before Arrow's functions, and pandas, are imported


def batch_rows(table: TableRecords, batch: Batch, word: str) -> Iterator[Rows]:
    """Yield what `table.records` gives for each row of the batch, in the same order."""
    if (
        table.repeats is not None
        or LENGTH in table.columns.at
        or table.columns.layout in (Layout.TRANSPOSED, Layout.COUNTS)
        or len(batch) < _FEW
        or table.n_rows + len(batch) < _QUICK
    ):
        yield from _row_by_row(table, batch, word)
        return
    from .rows_without_checks import PlainRows

    whole = PlainRows.of(table, batch, word)
    n_rows = len(batch) if whole else _PIECE
    for start in range(0, len(batch), n_rows):
        piece = batch if whole else batch.part(start, start + n_rows)
        plain = whole or PlainRows.of(table, piece, word)
        if plain is None:
            yield from _row_by_row(table, piece, word)
        else:
            yield from plain.blocks()
            table.n_rows += len(piece)


def _row_by_row(table: TableRecords, batch: Batch, word: str) -> Iterator[Rows]:
    for number, row in zip(batch.numbers, batch.rows, strict=True):
        yield from table.records(f"{word} {number}", row)
