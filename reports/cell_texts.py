"""Numbers, intervals and tables as text, as the terminal and Python print them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from .columns import MISSING, Column, Row, Shape, Table, is_missing, reasons

if TYPE_CHECKING:
    from ..metrics.reason import Reason
    from .language import Language


def text_of_blocks(blocks: Iterable[str | Table]) -> str:
    """Return the sentences and tables of a result as text, with columns under their headings."""
    return "\n".join(line for block in blocks for line in _lines(block))


def html_of_blocks(blocks: Iterable[str | Table]) -> str:
    """Return the same for notebooks, at most 900 pixels wide."""
    return "".join(map(_html, blocks))


def _html(block: str | Table) -> str:
    from html import escape  # compiles patterns of every entity

    if isinstance(block, str):
        return f"<p>{escape(block)}</p>"
    _, texts = _shown(block)
    title = f"<caption>{escape(block.title)}</caption>" if block.title else ""
    lines = [
        "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in line)
        for tag, line in zip(chain(("th",), repeat("td")), zip(*texts, strict=True), strict=False)
    ]
    rows = "".join(f"<tr>{line}</tr>" for line in lines)
    table = f'<table style="white-space: nowrap">{title}{rows}</table>'
    return f'<div style="max-width: 900px; overflow-x: auto">{table}</div>'


def _shown(table: Table) -> tuple[list[Column[Any]], list[list[str]]]:
    """Return the columns that have a cell, and the texts of each under its heading."""
    rows = [*table.rows]
    columns = [one for one in table.columns if one.when and any(map(_has(one), rows))]
    return columns, [[one.heading, *(cell_text(one, row) for row in rows)] for one in columns]


def _lines(block: str | Table) -> Iterator[str]:
    if isinstance(block, str):
        yield block
        return
    if block.title:
        yield block.title
    columns, texts = _shown(block)
    widths = [max(map(len, cells)) for cells in texts]
    for line in zip(*texts, strict=True):
        yield "  ".join(
            cell.rjust(width) if one.kind == "number" else cell.ljust(width)
            for one, cell, width in zip(columns, line, widths, strict=True)
        ).rstrip()


def _has(column: Column[Any]) -> Callable[[Any], bool]:
    return lambda row: not is_missing(column.value(row))


def cell_text(column: Column[Row], row: Row) -> str:
    """Return what a table shows for a row; – if it is missing."""
    value = column.value(row)
    if is_missing(value):
        return MISSING
    if isinstance(value, tuple):
        return interval_text(value, column.shape)
    return number_text(value, column.shape) if column.kind == "number" else str(value)


def number_text(value: float | str, shape: Shape = "") -> str:
    """Format a number for the terminal as on the pages, with three digits by default.

    `shape` is as in the columns of a table: "2" (digits), "0%", "+4", or a function. An undefined
    number is –.
    """
    if is_missing(value):
        return MISSING
    if isinstance(value, str):
        return value
    if callable(shape):
        return shape(value)
    if isinstance(value, int):
        return f"{value:,}"
    return _english().figure(float(value), shape)


def interval_text(bounds: tuple[float, float], shape: Shape = "") -> str:
    """Format two bounds for the terminal: `[0.455, 0.858]`; – if undefined."""
    return _english().interval(bounds, shape) or MISSING


def value_text(value: float, bounds: tuple[float, float], shape: Shape = "") -> str:
    """Format a value with its interval, if there is one: `0.760 [0.455, 0.858]`."""
    parts = (number_text(value, shape), _english().interval(bounds, shape))
    return " ".join(filter(None, parts))


def p_text(p: float, least: float = 0.0) -> str:
    """Format a p-value; `least` is the smallest that a test by simulation can give."""
    return MISSING if math.isnan(p) else _english().p_value(p, least)


@cache
def _english() -> Language:
    from .language import Language

    return Language("en", ("account",))


def why_undefined(rows: Iterable[Row], reason: Callable[[Row], Reason | None]) -> Column[Row]:
    """Return the column of the reasons, for tables with an undefined value."""
    return reasons("why undefined", reason, when=any(map(reason, rows)))


def level_text(levels: Iterable[float]) -> str:
    """Return the heading of the confidence interval column."""
    return f"{100 * next(iter(levels), 0.95):g}% CI"
