"""pygamma-agreement's CSV: annotator, category, start, end; no header; one file per document.

The file does not state the unit of its bounds. If all bounds are whole numbers they are kept
unchanged (`char`); a file with any fraction is read as seconds and stored in whole milliseconds. γ
does not change with the scale. The option `offset_unit` sets the unit, for sources that mix both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from ...blocks import Rows
from ...errors import DataError
from ..base import SourceOptions
from ..common.bounds import MEANINGS, UnitOfBounds
from ..common.records.make_records import require_no_layers
from ..common.span_rules import Problem, are_digits, is_number, parse_integer
from ..options import FormatOptions, Option
from ..tables.cells import Batch, Row
from ..tables.delimited import first_line, sniff_delimiter, split_line
from ..tables.layout import Columns, Layout
from ..tables.options import TableOptions
from ..tables.reader import open_table
from ..tables.records import TableRecords
from ..tables.rows_without_checks import batch_rows

_NAMES = ("annotator", "category", "start", "end")
_PROBED, _FEWEST_NUMBERED = 200, 10  # rows
_WRITTEN = TableOptions(columns=_NAMES)
_COLUMNS = Columns(Layout.UNITS, {name: at for at, name in enumerate(_NAMES)})


@dataclass(frozen=True)
class PygammaOptions(FormatOptions):
    offset_unit: Annotated[
        UnitOfBounds | None,
        Option(
            "what the bounds count",
            values=MEANINGS,
            unset="`char` if all bounds are whole numbers, else `s`",
        ),
    ] = None


class PygammaCsvReader:
    NAME = "pygamma_csv"
    DESCRIPTION = "pygamma-agreement's CSV: annotator, category, start, end, without header"
    PATTERNS: tuple[str, ...] = ("*.csv",)
    OPTIONS = PygammaOptions

    def probe(self, path: Path) -> bool:
        if path.is_dir() or path.suffix.lower() not in (".csv", ".tsv", ".txt"):
            return False
        try:
            first = first_line(path)
            delimiter = sniff_delimiter(first)
            if len(split_line(first, delimiter)) != len(_NAMES):
                return False
            batch = next(open_table(path, replace(_WRITTEN, delimiter=delimiter)).batches, None)
        except DataError:
            return False
        rows = [] if batch is None else batch.head(_PROBED)
        return _are_units([_stripped(row) for row in rows if not isinstance(row, Problem)])

    def read(self, path: Path, options: SourceOptions) -> Iterator[Rows]:
        require_no_layers(self.NAME, options)
        unit = options.of_format(PygammaOptions).offset_unit or _guessed_unit(path)
        own = TableOptions(offset_unit=unit)
        table = TableRecords(path, _COLUMNS, len(_NAMES), options, own)
        for batch in open_table(path, _WRITTEN).batches:
            rows = Batch(batch.numbers, [*map(_stripped, batch.rows)])
            yield from batch_rows(table, rows, "line")


READER = PygammaCsvReader()


def _are_units(rows: Sequence[Row]) -> bool:
    """Whether the rows are units: any table of four columns may end in two numbers.

    The first row has an annotator and two numbers, and most rows end after they start. If
    categories are numbers too, annotators must repeat, as the rows may be items with ratings; if
    annotators also are, units must be many, with bounds that rarely repeat.
    """
    first = rows[0] if rows else []
    if isinstance(first, Problem) or not first or not first[0]:
        return False
    if not all(map(is_number, map(str, first[2:]))):
        return False
    texts = [[str(cell) for cell in row] for row in rows if isinstance(row, list)]
    bounded = [row for row in texts if is_number(row[2]) and is_number(row[3])]
    spans = [row for row in bounded if float(row[2]) < float(row[3])]
    if 2 * len(spans) < len([row for row in bounded if "nan" not in row]):
        return False
    if not all(is_number(row[1]) for row in spans):
        return True
    repeated = len({row[0] for row in spans}) < len(spans)
    if not all(is_number(row[0]) for row in spans):
        return repeated
    rarely = min(len({row[2] for row in spans}), len({row[3] for row in spans})) > len(spans) / 2
    return repeated and rarely and len(spans) >= _FEWEST_NUMBERED


def _guessed_unit(path: Path) -> UnitOfBounds:
    """Return `char` when every bound is a whole number, else `s`; a first pass over the file."""
    for batch in open_table(path, _WRITTEN).batches:
        cells = (cell for row in batch.rows if isinstance(row, list) for cell in row[2:4])
        bounds = [cell for cell in cells if isinstance(cell, str)]
        if not are_digits(bounds) and any(map(_is_fraction, bounds)):
            return "s"
    return "char"


def _is_fraction(cell: str) -> bool:
    return parse_integer(cell.strip()) is None and is_number(cell)


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
