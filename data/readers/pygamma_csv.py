"""pygamma-agreement's CSV: annotator, category, start, end; no header; one file a document.

The file does not say what its bounds count. Bounds that are all whole numbers are kept as they
stand (`char`); a file with any fraction is read as seconds and kept as whole milliseconds. γ does
not change with the scale. `offset_unit` says it outright, for a source that mixes both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import DataError
from ..schema import Record, Unit
from .base import SourceOptions
from .common.bounds import OFFSET_UNIT_OPTION, Bounds
from .common.naming import document_name, source_name
from .common.records.seen import Seen
from .common.records.steps import refuse_layers, rejected
from .common.spans import MOST_DIGITS, Problem, integer
from .tables.delimited import first_line, sniff_delimiter, split_line
from .tables.row_batches import Cell, Row
from .tables.rows import open_rows

_NAMES = ("annotator", "category", "start", "end")


class PygammaCsvReader:
    NAME = "pygamma_csv"
    DESCRIPTION = "pygamma-agreement's CSV: annotator, category, start, end, without header"
    PATTERNS: tuple[str, ...] = ("*.csv",)
    OPTIONS: Mapping[str, str] = {
        "offset_unit": OFFSET_UNIT_OPTION + "; guessed without it: whole numbers `char`, else `s`"
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

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        units = _Units(path, options)
        for where, row in open_rows(path, names=_NAMES).rows():
            yield from units.records(where, row)


READER = PygammaCsvReader()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _guessed_unit(path: Path) -> str:
    """`char` when every bound is a whole number, else `s`: a first pass over the file."""
    for batch in open_rows(path, names=_NAMES).batches:
        columns = batch.columns or ()
        if len(columns) == len(_NAMES) and all(map(_only_digits, columns[2:])):
            continue
        for row in batch.rows:
            if isinstance(row, list) and any(map(_is_fraction, row[2:4])):
                return "s"
    return "char"


def _only_digits(column: Any) -> bool:
    """Whether a column of strings holds nothing but empty cells and what `integer` reads.

    Looked up in Arrow's buffers: its functions, and the pandas that they ask for, are slow to
    import.
    """
    if not isinstance(column, pa.Array) or column.offset or column.buffers()[2] is None:
        return False
    _, ends, letters = column.buffers()
    lengths = np.diff(np.frombuffer(ends, np.int32, len(column) + 1))
    return letters.to_pybytes().isdigit() and bool((lengths <= MOST_DIGITS).all())


def _is_fraction(cell: Cell) -> bool:
    return isinstance(cell, str) and integer(cell.strip()) is None and _is_number(cell)


class _Units:
    """The rows of one file on the way to units."""

    def __init__(self, path: Path, options: SourceOptions) -> None:
        refuse_layers(PygammaCsvReader.NAME, options)
        self.source = source_name(path, options)
        self.document = document_name(path, options)
        self.bounds = Bounds(options.extra.get("offset_unit") or _guessed_unit(path))
        self.seen = Seen(self.source, options, self.bounds.offset_unit)

    def records(self, where: str, row: Row) -> Iterator[Record]:
        unit = _unit(row, self.bounds, self.document, self.source, where)
        if not isinstance(unit, Problem):
            yield from self.seen.new(self.document, unit.annotator)
            yield unit
            return
        yield rejected(
            unit,
            source=self.source,
            where=where,
            table="units",
            document=self.document,
            annotator=str(row[0]) if isinstance(row, list) and row else "",
        )


def _unit(row: Row, bounds: Bounds, document: str, source: str, where: str) -> Unit | Problem:
    if isinstance(row, Problem):
        return row
    cells = [str(cell or "") for cell in row]
    if len(cells) != 4:
        return Problem(
            "wrong_number_of_columns", str(len(cells)), f"{len(cells)} cells where there must be 4"
        )
    if not cells[0].strip():
        return Problem("empty_value", "annotator", "the row has no annotator")
    pair = bounds.pair(cells[2], cells[3])
    if isinstance(pair, Problem):
        return pair
    return Unit(
        document=document,
        annotator=cells[0].strip(),
        unit=where.split()[-1],
        start=pair[0],
        end=pair[1],
        category=cells[1].strip(),
        source_offsets=f"{cells[2].strip()} {cells[3].strip()}",
        source=source,
        where=where,
    )
