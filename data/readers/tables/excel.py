"""Rows of strings from an Excel sheet (openpyxl, read-only), after a look at the zip it is."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import openpyxl

from data.errors import DataError
from data.readers.common.archives import open_archive
from data.readers.common.safe_xml import guard_xml
from data.readers.tables.row_batches import ROWS, Batch, Row


def sheet_batches(path: Path, sheet: str | None) -> Iterator[Batch]:
    """The rows that are not empty; a cell is its shown value as a string.

    A whole number is spelled without a decimal point (Excel keeps every number as a float).
    Raises DataError when the file is no Excel workbook, has no such sheet, or is a zip bomb.
    """
    with open_archive(path, path.name) as archive:
        if archive.refused:
            name, problem = archive.refused[0]
            raise DataError(f"{path.name}/{name}: {problem.message}")
        for name in archive.names:
            if name.endswith((".xml", ".rels")):
                guard_xml(archive.read(name), f"{path.name}/{name}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that do not matter here
            workbook = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises whatever its parsing meets
        raise DataError(f"{path.name}: not a readable Excel workbook ({error})") from error
    if sheet is not None and sheet not in workbook.sheetnames:
        raise DataError(f"{path.name}: no sheet {sheet!r}; it has {', '.join(workbook.sheetnames)}")
    rows = _rows(workbook, sheet, path.name)
    while numbered := list(islice(rows, ROWS)):
        yield Batch([number for number, _ in numbered], [row for _, row in numbered])


def _rows(workbook: Any, sheet: str | None, name: str) -> Iterator[tuple[int, Row]]:
    chosen = workbook[sheet] if sheet is not None else workbook.worksheets[0]
    number = 0
    try:
        for number, row in enumerate(chosen.iter_rows(values_only=True), start=1):
            cells: Row = [_spelled(value) for value in row]
            if any(cell is not None for cell in cells):
                yield number, cells
    except Exception as error:  # as above
        raise DataError(f"{name}: damaged after row {number} ({error})") from error
    finally:
        workbook.close()


def _spelled(value: Any) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
