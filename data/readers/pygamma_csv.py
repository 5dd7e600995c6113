"""pygamma-agreement's CSV: annotator, category, start, end; no header; one file a document.

The file does not say what its bounds count. Bounds that are all whole numbers are kept as they
stand (`char`); a file with any fraction is read as seconds and kept as whole milliseconds. γ does
not change with the scale. `offset_unit` says it outright, for a source that mixes both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.bounds import OFFSET_UNIT_OPTION, Bounds
from data.readers.delimited_rows import first_line, sniff_delimiter, split_line
from data.readers.naming import document_name, source_name
from data.readers.records import refuse_layers, rejected
from data.readers.row_batches import Cell
from data.readers.seen import Seen
from data.readers.spans import Problem, integer
from data.readers.table_rows import open_rows
from data.schema import Record, Unit

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
        refuse_layers(self.NAME, options)
        source, document = source_name(path, options), document_name(path, options)
        bounds = Bounds(options.extra.get("offset_unit") or _guessed_unit(path))
        seen = Seen(source, options, bounds.offset_unit)
        for where, row in open_rows(path, names=_NAMES).rows():
            unit = _unit(row, bounds, document, source, where)
            if isinstance(unit, Problem):
                yield rejected(
                    unit,
                    source=source,
                    where=where,
                    table="units",
                    document=document,
                    annotator=str(row[0]) if isinstance(row, list) and row else "",
                )
            else:
                yield from seen.new(document, unit.annotator)
                yield unit


READER = PygammaCsvReader()


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _guessed_unit(path: Path) -> str:
    """`char` when every bound is a whole number, else `s`: a first pass over the file."""
    for _, row in open_rows(path, names=_NAMES).rows():
        if isinstance(row, list) and any(
            isinstance(cell, str) and integer(cell.strip()) is None and _is_number(cell)
            for cell in row[2:4]
        ):
            return "s"
    return "char"


def _unit(
    row: list[Cell] | Problem, bounds: Bounds, document: str, source: str, where: str
) -> Unit | Problem:
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
