"""Several columns of a table that are one: an item whose name has several parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from ...joined_names import JOINT
from ..common.span_rules import Problem
from .cells import Batch, Cell, Row, cell_text


def named_columns(name: str, header: Sequence[str]) -> list[str]:
    """Return the columns that an option names, separated by commas; [] unless all exist.

    >>> named_columns("page,line", ["page", "line", "ana"])
    ['page', 'line']
    >>> named_columns("page,line", ["page,line", "ana"])
    ['page,line']
    """
    if name in header:
        return [name]
    parts = [part.strip() for part in name.split(",")]
    return parts if len(parts) > 1 and all(part in header for part in parts) else []


def with_joined_column(
    batches: Iterator[Batch], positions: Sequence[int], width: int
) -> Iterator[Batch]:
    """Append a column with the values of these columns, joined; "" if all are empty.

    A value that contains the joint has it doubled, so that different values stay different. Rows
    of another width than `width` become a Problem, or get empty cells.
    """
    for batch in batches:
        columns = batch.columns
        if columns is not None and len(columns) == width:
            yield Batch(batch.numbers, columns=[*columns, _joined([columns[k] for k in positions])])
            continue
        yield Batch(batch.numbers, [_with_cell(row, positions, width) for row in batch.rows])


def _joined(columns: Sequence[Any]) -> Any:
    if not all(isinstance(column, pa.Array) for column in columns):
        lists = [c.to_pylist() if isinstance(c, pa.Array) else c for c in columns]
        return [_name(cells) for cells in zip(*lists, strict=True)]
    return joined_texts(columns)


def joined_texts(columns: Sequence[pa.Array]) -> pa.Array:
    """Join the texts of one column or several, row by row; "" if all are empty."""
    if len(columns) == 1:
        return columns[0]
    import pyarrow.compute as pc  # slow to import, and few tables need it

    texts = [
        pc.replace_substring(column.cast(pa.string()).fill_null(""), JOINT, 2 * JOINT)
        for column in columns
    ]
    joined = pc.binary_join_element_wise(*texts, JOINT)
    empty = JOINT * (len(columns) - 1)
    return pc.if_else(pc.equal(joined, empty), "", joined)


def _with_cell(row: Row, positions: Sequence[int], width: int) -> Row:
    if isinstance(row, Problem):
        return row
    if len(row) > width and any(row[width:]):
        message = f"the row has {len(row)} cells, but the header has {width}"
        return Problem("wrong_number_of_columns", str(len(row)), message)
    row = [*row[:width], *[None] * (width - len(row))]
    return [*row, _name([row[k] for k in positions])]


def _name(cells: Sequence[Cell]) -> str:
    texts = [cell_text(cell).replace(JOINT, 2 * JOINT) for cell in cells]
    return JOINT.join(texts) if any(texts) else ""
