"""The CSV of Brégeon's resampling tool (2018): three counts, then one row per annotator.

    3,2,5            numbers of annotators, classes and observables
    1,2,1,.,2        annotator 1: one label per observable, "." where it is missing
    1,2,2,1,2        annotator 2 …

The counts may be on one line or on three, with any delimiter. They are checked against the body: a
file with other numbers of rows or labels, or with more classes, was truncated or assembled wrongly.
The file has no names of annotators and items: they are named by their numbers, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...errors import DataError
from ...schema import Label, Record
from ..base import SourceOptions
from ..common.files.lines import iter_lines
from ..common.naming import document_name, source_name
from ..common.records.first_mentions import FirstMentions
from ..common.records.make_records import require_no_layers
from ..common.span_rules import Problem, parse_integer
from ..options import FormatOptions
from ..tables.delimited import DELIMITERS, sniff_delimiter, split_line

MISSING = "."
_MOST_PROBED = 1000  # lines


@dataclass(frozen=True, slots=True)
class BregeonTable:
    """`rows[a][j]` is annotator a's label of item j, "." when missing, read from `lines[a]`."""

    n_classes: int
    rows: list[list[str]]
    lines: list[int]


class BregeonReader:
    NAME = "bregeon"
    DESCRIPTION = (
        "Brégeon's CSV: the numbers of annotators, classes and observables, then one row per "
        "annotator"
    )
    PATTERNS: tuple[str, ...] = ("*.csv",)
    OPTIONS = FormatOptions

    def probe(self, path: Path) -> bool:
        if path.is_dir() or path.suffix.lower() not in (".csv", ".tsv", ".txt"):
            return False
        rows: list[list[str]] = []
        n_wanted = 4
        try:
            for _, line in iter_lines(path, max_bytes=1 << 20):
                if isinstance(line, Problem):
                    return False
                if line.strip():
                    rows.append(_cells(line))
                if len(rows) == 4:
                    counts, body = _header_counts(rows)
                    if counts is None or not body or len(body[0]) != counts[2]:
                        return False
                    n_wanted = min(counts[0] + 4, _MOST_PROBED)
                if len(rows) >= n_wanted:
                    break
        except DataError:
            return False
        return _is_described(rows)

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        require_no_layers(self.NAME, options)
        source, document = source_name(path, options), document_name(path, options)
        table = read_bregeon(path, source)
        seen = FirstMentions(source, options)
        for a, (row, line) in enumerate(zip(table.rows, table.lines, strict=True), start=1):
            yield from seen.new(document, str(a))
            for j, label in enumerate(row, start=1):
                if label != MISSING:
                    yield Label(
                        document=document,
                        item=str(j),
                        annotator=str(a),
                        labels=(label,),
                        source=source,
                        location=f"line {line}, column {j}",
                    )


READER = BregeonReader()


def read_bregeon(path: Path, source: str) -> BregeonTable:
    """Read the whole table. Raises DataError when the body contradicts the three counts."""
    lines: list[int] = []
    table: list[list[str]] = []
    for number, line in iter_lines(path):
        if isinstance(line, Problem):
            raise DataError(f"{source}, line {number}: {line.message}")
        if line.strip():
            lines.append(number)
            table.append(_cells(line))
    counts, rows = _header_counts(table)
    if counts is None:
        raise DataError(
            f"{source}: the file must begin with the numbers of annotators, classes and observables"
        )
    n_annotators, n_classes, n_items = counts
    lines = lines[len(lines) - len(rows) :]
    if len(rows) != n_annotators:
        raise DataError(f"{source}: declares {n_annotators} annotators but has {len(rows)} rows")
    for row, number in zip(rows, lines, strict=True):
        if len(row) != n_items:
            raise DataError(
                f"{source}, line {number}: declares {n_items} observables but has {len(row)}"
            )
    classes = sorted({label for row in rows for label in row} - {MISSING})
    if len(classes) > n_classes:
        raise DataError(
            f"{source}: declares {n_classes} classes but has {len(classes)} "
            f"({', '.join(classes[:10])})"
        )
    return BregeonTable(n_classes, rows, lines)


def _is_described(rows: list[list[str]]) -> bool:
    """Whether the first lines count the rows below; any table may begin with three numbers.

    Rows of another width than the counts are evidence enough: a table's rows have one width. Rows
    of three numbers may be ratings by three annotators, unless they have Brégeon's missing label.
    """
    counts, body = _header_counts(rows)
    if counts is None or not body or len(body[0]) != counts[2]:
        return False
    n_annotators, n_classes, n_items = counts
    if n_items != len(rows[0]):
        return True
    labels = {label for row in body for label in row}
    agree = len(body) == n_annotators and {*map(len, body)} == {n_items}
    return agree and MISSING in labels and len(labels) - 1 <= n_classes


def _cells(line: str) -> list[str]:
    """Return a line's cells without trailing empty ones (spreadsheets pad the line of counts)."""
    delimiter = sniff_delimiter(line)
    bare = not any(mark in line for mark in DELIMITERS)
    cells = line.split() if bare else [cell.strip() for cell in split_line(line, delimiter)]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _header_counts(table: list[list[str]]) -> tuple[tuple[int, int, int] | None, list[list[str]]]:
    """Return the three counts, on one line or on three, and the rows after them."""
    taken = 1 if table and len(table[0]) == 3 else 3
    numbers = [parse_integer(cell) for row in table[:taken] for cell in row]
    if len(numbers) != 3 or any(number is None or number < 1 for number in numbers):
        return None, table
    first, second, third = (number or 0 for number in numbers)
    return (first, second, third), table[taken:]
