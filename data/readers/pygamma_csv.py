"""pygamma-agreement's CSV: annotator, category, start, end; no header; one file per document.

The file does not state the unit of its bounds. If all bounds are whole numbers they are kept
unchanged (`char`); a file with any fraction is read as seconds and stored in whole milliseconds. γ
does not change with the scale. The option `offset_unit` sets the unit, for sources that mix both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ..blocks import Rows
from ..errors import DataError
from .base import SourceOptions
from .common.bounds import OFFSET_UNIT_OPTION
from .common.records.steps import refuse_layers
from .common.spans import Problem, are_digits, integer
from .tables.blocks import batch_rows
from .tables.cells import Batch, Row
from .tables.delimited import first_line, sniff_delimiter, split_line
from .tables.layout import Columns, Layout
from .tables.reader import open_rows
from .tables.records import TableRecords

_NAMES = ("annotator", "category", "start", "end")
_COLUMNS = Columns(Layout.UNITS, {name: at for at, name in enumerate(_NAMES)})


class PygammaCsvReader:
    NAME = "pygamma_csv"
    DESCRIPTION = "pygamma-agreement's CSV: annotator, category, start, end, without header"
    PATTERNS: tuple[str, ...] = ("*.csv",)
    OPTIONS: Mapping[str, str] = {
        "offset_unit": OFFSET_UNIT_OPTION
        + "; default: `char` if all bounds are whole numbers, else `s`"
    }

    def probe(self, path: Path) -> bool:
        if path.is_dir() or path.suffix.lower() not in (".csv", ".tsv", ".txt"):
            return False
        try:
            line = first_line(path)
        except DataError:
            return False
        cells = split_line(line, sniff_delimiter(line))
        return len(cells) == 4 and all(_is_number(cell) for cell in cells[2:]) and bool(cells[0])

    def read(self, path: Path, options: SourceOptions) -> Iterator[Rows]:
        refuse_layers(self.NAME, options)
        unit = options.extra.get("offset_unit") or _guessed_unit(path)
        options = replace(options, extra={"offset_unit": unit})
        table = TableRecords(path, _COLUMNS, len(_NAMES), options)
        for batch in open_rows(path, names=_NAMES).batches:
            rows = Batch(batch.numbers, [*map(_stripped, batch.rows)])
            yield from batch_rows(table, rows, "line")


READER = PygammaCsvReader()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _guessed_unit(path: Path) -> str:
    """Return `char` when every bound is a whole number, else `s`; a first pass over the file."""
    for batch in open_rows(path, names=_NAMES).batches:
        cells = (cell for row in batch.rows if isinstance(row, list) for cell in row[2:4])
        bounds = [cell for cell in cells if isinstance(cell, str)]
        if not are_digits(bounds) and any(map(_is_fraction, bounds)):
            return "s"
    return "char"


def _is_fraction(cell: str) -> bool:
    return integer(cell.strip()) is None and _is_number(cell)


def _stripped(row: Row) -> Row:
    """Return the four cells without surrounding white space."""
    if isinstance(row, Problem):
        return row
    if len(row) != len(_NAMES):
        message = f"{len(row)} cells; expected {len(_NAMES)}"
        return Problem("wrong_number_of_columns", str(len(row)), message)
    cells = [str(cell or "").strip() for cell in row]
    if not any(cells[1:]):  # in other tables of units such a row states that there are none
        return Problem("not_an_offset", "", "the row has no bounds")
    return [*cells]
