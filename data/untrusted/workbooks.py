"""Read Excel workbooks (openpyxl, read-only), after checking the zip and the XML in it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import DataError, import_optional
from .archives import open_archive
from .budget import budget
from .files import open_regular
from .xml import guard_xml

_OLE = b"\xd0\xcf\x11\xe0"  # Excel's old container, which encrypted workbooks have too
_MOST_ROWS = 1 << 20  # of a sheet, in Excel itself
_MOST_KEPT = 2_000_000  # cells of a sheet


_OPENED: ContextVar[dict[Path, Workbook] | None] = ContextVar("opened", default=None)


@dataclass(frozen=True, slots=True)
class Workbook:
    """An open workbook. `sheets`: the titles of its sheets of cells."""

    name: str
    n_bytes: int
    sheets: list[str]
    _book: Any
    _kept: dict[str, list[tuple[Any, ...]]] | None = None

    def rows(self, sheet: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
        """Yield the number, from 1, and the values of each row, up to its last cell.

        Raises DataError where the sheet is damaged or exceeds the budget.
        """
        if self._kept is None:
            yield from self._parsed(sheet)
            return
        if sheet not in self._kept:
            rows: list[tuple[Any, ...]] = []
            n_cells = 0
            for number, row in self._parsed(sheet):
                n_cells += len(row)
                if n_cells <= _MOST_KEPT:
                    rows.append(row)
                yield number, row
            if n_cells <= _MOST_KEPT:
                self._kept[sheet] = rows
            return
        yield from enumerate(self._kept[sheet], start=1)

    def close(self) -> None:
        self._book.close()

    def _parsed(self, sheet: str) -> Iterator[tuple[int, tuple[Any, ...]]]:
        limits, number, n_cells, n_chars = budget(), 0, 0, 0
        cells = self._book[sheet]
        cells.reset_dimensions()  # a declared size would fill every row with empty cells
        try:
            for number, row in enumerate(cells.iter_rows(values_only=True), start=1):
                if number > _MOST_ROWS:
                    raise DataError(
                        f"{self.name}: a row is beyond number {_MOST_ROWS:,}, the last that a "
                        "sheet can have: save the workbook again, or as .csv"
                    )
                n_cells += len(row)
                n_chars += sum(len(cell) for cell in row if type(cell) is str)
                limits.require_cells(n_cells, self.n_bytes, self.name)
                if limits.is_bomb(n_chars, self.n_bytes):
                    raise limits.breach("ratio", self.name, f"its texts have {n_chars:,} letters")
                yield number, row
        except DataError:
            raise
        except Exception as error:  # any error of openpyxl's parsers
            raise DataError(f"{self.name}: damaged after row {number} ({error})") from error


@contextmanager
def kept_workbooks() -> Iterator[None]:
    """Keep what was read of workbooks within the block, where it is read again and again."""
    opened: dict[Path, Workbook] = {}
    before = _OPENED.set(opened)
    try:
        yield
    finally:
        _OPENED.reset(before)
        for workbook in opened.values():
            workbook.close()


@contextmanager
def open_workbook(path: Path) -> Iterator[Workbook]:
    """Open a workbook. Raises DataError when it is none, is protected, or is a zip bomb."""
    opened = _OPENED.get()
    if opened is None:
        workbook = _opened(path)
        try:
            yield workbook
        finally:
            workbook.close()
        return
    if path not in opened:
        opened[path] = replace(_opened(path), _kept={})
    yield opened[path]


def _opened(path: Path) -> Workbook:
    try:
        with open_regular(path) as file:
            start, n_bytes = file.read(len(_OLE)), file.seek(0, 2)
    except OSError as error:
        raise DataError(f"{path.name}: cannot be read ({error.strerror})") from error
    if start == _OLE:
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
            book = openpyxl.load_workbook(open_regular(path), read_only=True, data_only=True)
    except Exception as error:  # openpyxl raises any error of the parsers that it uses
        raise DataError(f"{path.name}: not a readable Excel workbook ({error})") from error
    return Workbook(path.name, n_bytes, [one.title for one in book.worksheets], book)
