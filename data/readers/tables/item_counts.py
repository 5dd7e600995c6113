"""Rows of a wide table that stand for several items: how many, and what each is called."""

from __future__ import annotations

from ..common.spans import Problem, integer
from .row_batches import Cell

MOST_ITEMS = 10_000_000  # of one row: a slip of the keyboard must not fill the disk
MARK = "#"  # the third item of row 12 is `12#3`


def item_count(cell: Cell) -> int | Problem:
    """How many items a row stands for, from 0 to `MOST_ITEMS`."""
    number = integer(cell) if isinstance(cell, str) else None
    if number is None or number < 0:
        message = f"the count {cell!r} is not a whole number from 0"
        return Problem("bad_count", str(cell), message)
    if number > MOST_ITEMS:
        message = f"the count {cell!r} is more than the {MOST_ITEMS:,} items a row may stand for"
        return Problem("bad_count", str(cell), message)
    return number


def item_name(row: str, ordinal: int) -> str:
    """Two rows of different names never share one: the ordinal is what follows the last mark."""
    return f"{row}{MARK}{ordinal}"
