"""Rows of strings from any tabular file: CSV, TSV, JSON lines, Parquet, Excel; some at a time.

No cell is ever read as a number: "01" stays "01", and "1.50" is not 1.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from ...errors import DataError
from ..common.spans import Problem
from .cells import ROWS, Batch, Row, as_cell
from .delimited import delimited_batches, first_line, sniff_delimiter
from .json_rows import json_rows
from .own_tables import as_written

DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet",)
EXCEL = (".xlsx", ".xlsm")
MOST_COLUMNS = 10_000
SUFFIXES = (*DELIMITED, *JSON_LINES, *PARQUET, *EXCEL)


class TooManyColumnsError(DataError):
    """A table too wide to be one that is meant."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """`header` are the columns' names; each row has its cells in that order, or is a Problem.

    `word` says what the batches' numbers count: "line" or "row".
    """

    header: list[str]
    batches: Iterator[Batch]
    word: str

    def rows(self) -> Iterator[tuple[str, Row]]:
        """(where, row) one by one."""
        for batch in self.batches:
            for number, row in zip(batch.numbers, batch.rows, strict=True):
                yield f"{self.word} {number}", row


def open_rows(
    path: Path,
    *,
    names: Sequence[str] = (),
    encoding: str = "utf-8",
    delimiter: str | None = None,
    sheet: str | None = None,
) -> TableFile:
    """The rows of a tabular file, by its suffix; `names` when it has no header line.

    A CSV's delimiter is the one of `,` tab `;` `|` that its first line has most of. Raises
    DataError for another suffix, an empty file or a damaged container.
    """
    suffix = path.suffix.lower()
    if suffix in DELIMITED:
        delimiter = delimiter or sniff_delimiter(first_line(path, encoding))
        batches = delimited_batches(path, encoding, delimiter)
        opened = _with_header(batches, list(names), "line", path.name)
        opened = replace(opened, batches=as_written(opened.header, opened.batches))
    elif suffix in JSON_LINES:
        opened = TableFile(*json_rows(path), "line")
    elif suffix in PARQUET:
        opened = _parquet(path)
    elif suffix in EXCEL:
        from .excel import sheet_batches

        opened = _with_header(sheet_batches(path, sheet), list(names), "row", path.name)
    else:
        raise DataError(f"{path.name}: a table must be one of {', '.join(SUFFIXES)}")
    check_header(opened.header, path.name)
    return opened


def check_header(header: Sequence[str], source: str) -> None:
    """Raise DataError for more than `MOST_COLUMNS` columns, or for a name that comes twice.

    A name comes twice often in a table whose first line is data.
    """
    if len(header) > MOST_COLUMNS:
        raise TooManyColumnsError(
            f"{source}: the table has {len(header):,} columns, and at most {MOST_COLUMNS:,} are "
            "read; give it one row per label (columns item, annotator, label) instead"
        )
    doubled = next((name for name, n in Counter(header).items() if n > 1), None)
    if doubled is None:
        return
    raise DataError(
        f"{source}: the column {doubled!r} stands twice in the first line; if that line names no "
        "columns, say what they are: `--option columns=annotator,item,label` (agree, score), "
        '`options = { columns = "annotator,item,label" }` (a campaign\'s source)'
    )


def _with_header(batches: Iterator[Batch], names: list[str], word: str, source: str) -> TableFile:
    """The first row taken off as the header, unless the names are given."""
    if names:
        return TableFile(names, batches, word)
    first = next(batches, None)
    if first is None:
        raise DataError(f"{source}: the file is empty")
    header = first.rows[0]
    if isinstance(header, Problem):
        raise DataError(f"{source}, {word} {first.numbers[0]}: {header.message}")
    while header and header[-1] is None:
        header.pop()
    cells = [str(cell or "").strip() for cell in header]
    rest = [first.part(1)] if len(first) > 1 else []
    return TableFile(cells, chain(rest, batches), word)


def _parquet(path: Path) -> TableFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path.open("rb"))
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error})") from error

    def batches() -> Iterator[Batch]:
        number = 1
        try:
            for batch in file.iter_batches(batch_size=ROWS):
                numbers = range(number, number + batch.num_rows)
                yield Batch(numbers, columns=[_string_column(column) for column in batch.columns])
                number += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{path.name}: damaged after row {number - 1} ({error})") from error

    return TableFile(list(file.schema_arrow.names), batches(), "row")


def _string_column(column: Any) -> Any:
    """Every value as a string; a column of lists, or of anything nested, as a list of cells."""
    import pyarrow as pa

    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        return [None if v is None else [str(each) for each in v] for v in column.to_pylist()]
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        return [as_cell(value) for value in column.to_pylist()]
    return column.cast(pa.string())
