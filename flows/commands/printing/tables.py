"""Tables as the terminal shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ....reports.cell_texts import cell_text
from ....reports.columns import Column, Row, Table, values_by_column
from ..terminal import text_tables

if TYPE_CHECKING:
    from rich.console import Console


def print_table(
    console: Console, rows: Iterable[Row], *columns: Column[Row], title: str | None = None
) -> None:
    """Print a table declared by its columns.

    With `--format` it is printed as text, with the bounds of an interval in two columns.

    In a narrow terminal headings and texts are wrapped. No word or number is cut: a table that
    needs more columns than the terminal has is wider. The only reason of several rows is printed
    once, below the table.
    """
    every = list(rows)
    wanted = [column for column in columns if column.when]
    if (as_text := text_tables()) is not None:
        as_text.print(values_by_column(every, *map(_with_bounds_named, wanted)), title)
        return
    from rich.markup import escape
    from rich.table import Table

    common = {one.heading: said for one in wanted if (said := one.only_reason(every))}
    shown = [column for column in wanted if column.heading not in common]
    table = Table(title=title)
    cells = [[cell_text(column, row) for column in shown] for row in every]
    widest = [max(len(cell) for cell in each) for each in _texts_by_column(shown, cells)]
    is_narrow = sum(widest) + 3 * len(shown) + 1 > console.width
    least = _least_widths(shown, cells)
    if is_narrow and sum(least) + 3 * len(shown) + 1 > console.width:
        table.padding = 0
    for column, width in zip(shown, least, strict=True):
        fixed = width if is_narrow and _is_whole(column) else None
        table.add_column(escape(column.heading), min_width=width, width=fixed)
    for line in cells:
        table.add_row(*map(escape, line))
    needed = sum(least) + len(shown) + 1
    table.width = needed if needed > console.width else None
    console.print(table, crop=False)
    for heading, reason in common.items():
        console.print(f"{heading}: {reason}", soft_wrap=True, markup=False)


def _with_bounds_named(column: Column[Row]) -> Column[Row]:
    """Separate the heading of an interval from `lower` and `upper`, which follow it."""
    named = column.kind == "interval" and column.heading
    return replace(column, heading=f"{column.heading} ") if named else column


def _texts_by_column(shown: Sequence[Column[Row]], cells: Sequence[list[str]]) -> list[list[str]]:
    return [[column.heading, *(line[k] for line in cells)] for k, column in enumerate(shown)]


def _least_widths(shown: Sequence[Column[Row]], cells: Sequence[list[str]]) -> list[int]:
    """Return the width of each column below which a word or a whole cell would be cut."""
    found = []
    for column, (heading, *texts) in zip(shown, _texts_by_column(shown, cells), strict=True):
        parts = texts if _is_whole(column) else [word for cell in texts for word in cell.split()]
        found.append(max(map(len, (*parts, *heading.split())), default=1))
    return found


def _is_whole(column: Column[Row]) -> bool:
    return column.whole or column.kind in ("number", "interval")


def print_blocks(console: Console, blocks: Iterable[str | Table]) -> None:
    """Print the sentences and the tables of a result, each under its title."""
    as_text = text_tables() is not None
    for block in blocks:
        if isinstance(block, str):
            console.print(block, soft_wrap=True, markup=False, highlight=False)
            continue
        if block.title and not as_text:
            console.print(block.title, soft_wrap=True, markup=False, highlight=False)
        print_table(console, block.rows, *block.columns, title=block.title if as_text else None)
