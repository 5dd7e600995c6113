"""Rows of strings from an Excel sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import DataError
from ...option_names import format_options
from ...untrusted.workbooks import Workbook, open_workbook
from ..common.span_rules import Problem
from .cells import ROWS, Batch, Row
from .column_names import is_person_name

EACH_SHEET = "{annotator}"  # in place of the name of a sheet
_FIRST_ROWS = 50  # in which a table has a row with two cells
_NOT_READ = (
    "the sheet {name!r} has the same columns and is not read: name it with the option `sheet`, one "
    "source per sheet, or put all rows on the first"
)


def sheet_batches(path: Path, sheet: str | None, unread: list[str]) -> Iterator[Batch]:
    """Yield the rows that are not empty; a cell is its displayed value as a string.

    A whole number is spelled without a decimal point (Excel keeps every number as a float).
    Without `sheet` the first is read, and each row of another one of the same columns is a Problem
    (`other_sheet`) with its number there: some keep a sheet for each annotator. Where `sheet` is
    `{annotator}`, all these rows are read, and their last column is the sheet's name. Other sheets
    with rows are named in `unread` before the first rows are given. Raises DataError when the file
    is no Excel workbook, has no such sheet, or is a zip bomb.
    """
    with open_workbook(path) as workbook:
        if sheet == EACH_SHEET and workbook.sheets:
            yield from _batches(_rows_of_annotators(workbook))
            return
        if not workbook.sheets or (sheet is not None and sheet not in workbook.sheets):
            wanted = "sheet of cells" if sheet is None else f"sheet {sheet!r}"
            names = ", ".join(workbook.sheets) or "none"
            raise DataError(f"{path.name}: no {wanted}; it has {names}")
        if sheet is None and len(workbook.sheets) > 1:
            _require_columns(workbook, path)
        others = _sheets_alike(workbook) if sheet is None else []
        unread += _further_sheets(workbook, others) if sheet is None else []
        yield from _batches(_rows(workbook, sheet or workbook.sheets[0]))
        for name in others:
            problem = Problem("other_sheet", name, _NOT_READ.format(name=name))
            rows = islice(_rows(workbook, name), 1, None)  # without the header
            yield from _batches((number, problem) for number, _ in rows)


def sheets_to_try(path: Path) -> list[str]:
    """Return the names of the sheets with cells, and that for all that are alike if several are.

    Raises DataError for a file that is no workbook.
    """
    with open_workbook(path) as workbook:
        alike = _largest_group(workbook)
        each = [EACH_SHEET] if alike else []
        if all(map(is_person_name, alike)):  # `annotator1`, `annotator2`
            return [*each, *workbook.sheets]
        return [*workbook.sheets, *each]


def _batches(rows: Iterator[tuple[int, Row]]) -> Iterator[Batch]:
    while numbered := list(islice(rows, ROWS)):
        yield Batch([number for number, _ in numbered], [row for _, row in numbered])


def _require_columns(workbook: Workbook, path: Path) -> None:
    """Raise DataError if no row of the first sheet has two cells, such as that of a read-me."""
    first, *others = workbook.sheets
    rows = (row for _, row in islice(workbook.rows(first), _FIRST_ROWS))
    if any(sum(cell is not None for cell in row) > 1 for row in rows):
        return
    raise DataError(
        f"{path.name}: the first sheet, {first!r}, is no table; the sheets are "
        f"{', '.join(workbook.sheets)}: `{format_options(sheet=others[0])}`"
    )


def _sheets_alike(workbook: Workbook) -> list[str]:
    """Return the sheets after the first that have the same first row."""
    heads = _first_rows(workbook)
    first = heads[workbook.sheets[0]]
    return [name for name in workbook.sheets[1:] if first and heads[name] == first]


def _further_sheets(workbook: Workbook, alike: list[str]) -> list[str]:
    """Return the sheets after the first that have two rows or more, but for those alike."""
    further = (name for name in workbook.sheets[1:] if name not in alike)
    return [name for name in further if len([*islice(_rows(workbook, name), 2)]) > 1]


def _largest_group(workbook: Workbook) -> list[str]:
    """Return the most sheets that have the same first row; [] if no two have."""
    heads = {name: head for name, head in _first_rows(workbook).items() if head}
    for head, n in Counter(heads.values()).most_common(1):
        return [name for name, own in heads.items() if own == head] if n > 1 else []
    return []


def _first_rows(workbook: Workbook) -> dict[str, tuple[Any, ...]]:
    """Return the cells of the first row of each sheet that are not empty."""
    heads = {}
    for name in workbook.sheets:
        try:
            _, first = next(workbook.rows(name), (1, ()))
        except DataError:  # `_rows` reports it if the sheet is read
            first = ()
        heads[name] = tuple(cell for cell in first if cell is not None)
    return heads


def _rows_of_annotators(workbook: Workbook) -> Iterator[tuple[int, Row]]:
    """Yield the rows of the sheets that are most alike, each with the name of its sheet.

    Before it the row's number, where no column names the rows of the first of these sheets.
    """
    sheets = _largest_group(workbook) or workbook.sheets[:1]
    columns = [*zip(*(row for _, row in islice(_rows(workbook, sheets[0]), 1, None)), strict=False)]
    is_named = any(len({*cells}) == len(cells) and all(cells) for cells in columns)
    for k, name in enumerate(sheets):
        for n, (number, row) in enumerate(_rows(workbook, name)):
            if n or not k:
                numbered = [] if is_named else [str(number) if n else "item"]
                yield number, [*row, *numbered, name if n else "annotator"]


def _rows(workbook: Workbook, sheet: str) -> Iterator[tuple[int, Row]]:
    """Yield the rows that are not empty, as wide as the first of them or wider."""
    width = 0
    for number, values in workbook.rows(sheet):
        if any(value is not None for value in values):
            cells = [_cell_text(value) for value in values]
            width = width or len(cells)
            yield number, [*cells, *[None] * (width - len(cells))]


def _cell_text(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
