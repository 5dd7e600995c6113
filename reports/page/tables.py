"""Tables of the page, declared by their columns."""

from __future__ import annotations

from collections.abc import Iterable

from ..columns import MISSING, Column, Row, is_missing
from ..language import Language
from .blocks import Cell, Table

N_SHOWN = 12  # rows of a long table shown before the fold
N_FOLDED = 200  # rows kept in the page


def table(
    say: Language,
    caption: str,
    rows: Iterable[Row],
    *columns: Column[Row],
    note: str = "",
    css: str = "",
    n_shown: int | None = N_SHOWN,
    n_total: int = 0,
    more: str = "table.more",
) -> Table:
    """Return a table whose first rows are shown and whose further rows are folded, up to a limit.

    n_shown  rows before the fold; None: all rows are shown
    n_total  number of all rows, if `rows` is already a selection
    more     message saying where the other rows are; results.json holds what `rows` are made of
    """
    every = list(rows)
    shown = [column for column in columns if column.when]
    total = max(n_total, len(every))
    kept = every if n_shown is None else every[:N_FOLDED]
    left = total - len(kept)
    n_open = len(kept) if n_shown is None or len(kept) <= n_shown + 4 else n_shown
    cells = [[_cell(say, column, row) for column in shown] for row in kept]
    return Table(
        caption,
        [Cell(one.heading, kind=_KINDS[one.kind], picture=one.axis) for one in shown],
        cells[:n_open],
        note=note,
        folded=cells[n_open:],
        fold_label=say("table.fold", n=say.integer(len(kept) - n_open)) if kept[n_open:] else "",
        more=say(more, n=say.integer(left)) if left else "",
        css=css,
    )


def _cell(say: Language, column: Column[Row], row: Row) -> Cell:
    value, kind = column.value(row), _KINDS[column.kind]
    if isinstance(value, Cell):
        return value
    if column.kind == "picture":
        return Cell(picture=value, kind=kind)
    if is_missing(value):
        return Cell(MISSING, kind=kind)
    if column.kind == "interval" and not isinstance(value, str):
        return Cell(say.interval(value, column.shape), kind=kind, sort=value[0])
    if column.kind == "number" and not isinstance(value, str):
        return Cell(say.figure(value, column.shape), kind=kind, sort=value)
    return Cell(str(value), kind="code" if column.kind == "code" else kind)


_KINDS = {
    "text": "text",
    "code": "text",
    "number": "number",
    "interval": "number",
    "picture": "strip",
}
