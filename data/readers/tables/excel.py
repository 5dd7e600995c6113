"""Rows of strings from an Excel sheet (openpyxl, read-only), after checking its zip."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from ...errors import DataError, import_optional
from ...regular_files import open_regular
from ..common.files.archives import open_archive
from ..common.files.safe_xml import guard_xml
from ..common.files.text import first_bytes
from ..common.spans import Problem
from .cells import ROWS, Batch, Row

_OLE = b"\xd0\xcf\x11\xe0"  # Excel's old container, which encrypted workbooks have too
_NOT_READ = (
    "the sheet {name!r} has the same columns and is not read: name it with the option `sheet`, one "
    "source per sheet, or put all rows on the first"
)


def sheet_batches(path: Path, sheet: str | None) -> Iterator[Batch]:
    """Yield the rows that are not empty; a cell is its displayed value as a string.

    A whole number is spelled without a decimal point (Excel keeps every number as a float).
    Without `sheet` the first is read, and each row of another one of the same columns is a Problem
    (`other_sheet`) with its number there: people keep a sheet for each annotator. Raises DataError
    when the file is no Excel workbook, has no such sheet, or is a zip bomb.
    """
    if first_bytes(path, len(_OLE)) == _OLE:
        raise DataError(
            f"{path.name}: the workbook is protected with a password or in Excel's old format: "
            "save it as .xlsx without a password"
        )
    with open_archive(path, path.name) as archive:
        archive.require_sound()
        for name in archive.names:
            if name.endswith((".xml", ".rels")):
                guard_xml(archive.read(name), f"{path.name}/{name}")
    openpyxl = import_optional("openpyxl", "excel", "Excel files are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that do not matter here
            workbook = openpyxl.load_workbook(open_regular(path), read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises any error of the parsers that it uses
        raise DataError(f"{path.name}: not a readable Excel workbook ({error})") from error
    sheets = [one.title for one in workbook.worksheets]  # without charts
    if not sheets or (sheet is not None and sheet not in sheets):
        workbook.close()
        wanted = "sheet of cells" if sheet is None else f"sheet {sheet!r}"
        raise DataError(f"{path.name}: no {wanted}; it has {', '.join(sheets) or 'none'}")
    try:
        others = _sheets_alike(workbook) if sheet is None else []
        yield from _batches(_rows(workbook, sheet or sheets[0], path.name))
        for name in others:
            problem = Problem("other_sheet", name, _NOT_READ.format(name=name))
            rows = islice(_rows(workbook, name, path.name), 1, None)  # without the header
            yield from _batches((number, problem) for number, _ in rows)
    finally:
        workbook.close()


def _batches(rows: Iterator[tuple[int, Row]]) -> Iterator[Batch]:
    while numbered := list(islice(rows, ROWS)):
        yield Batch([number for number, _ in numbered], [row for _, row in numbered])


def _sheets_alike(workbook: Any) -> list[str]:
    """Return the sheets after the first that have the same first row."""
    heads = []
    for sheet in workbook.worksheets:
        first: tuple[Any, ...] = ()
        with suppress(Exception):  # any error of openpyxl's parsers: `_rows` reports it
            first = next(sheet.iter_rows(max_row=1, values_only=True), ())
        heads.append([cell for cell in first if cell is not None])
    return [
        sheet.title
        for sheet, head in zip(workbook.worksheets[1:], heads[1:], strict=True)
        if head and head == heads[0]
    ]


def _rows(workbook: Any, sheet: str, name: str) -> Iterator[tuple[int, Row]]:
    number = 0
    try:
        for number, row in enumerate(workbook[sheet].iter_rows(values_only=True), start=1):
            cells: Row = [_cell_text(value) for value in row]
            if any(cell is not None for cell in cells):
                yield number, cells
    except Exception as error:  # any error of openpyxl's parsers
        raise DataError(f"{name}: damaged after row {number} ({error})") from error


def _cell_text(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
