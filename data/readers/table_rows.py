"""Rows of strings from any tabular file: CSV, TSV, JSON lines, Parquet, Excel; one at a time.

No cell is ever read as a number: "01" stays "01", and "1.50" is not 1.5.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from data.errors import DataError
from data.readers.lines import MAX_LINE_BYTES, iter_lines
from data.readers.spans import Problem

Cell: TypeAlias = str | list[str] | None
DELIMITED = (".csv", ".tsv", ".tab", ".txt")
JSON_LINES = (".jsonl", ".ndjson")
PARQUET = (".parquet",)
EXCEL = (".xlsx", ".xlsm")
SUFFIXES = (*DELIMITED, *JSON_LINES, *PARQUET, *EXCEL)
_JSON = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
DELIMITERS = (",", "\t", ";", "|")


class Rows(NamedTuple):
    """`header` are the columns' names; each row is (where, cells in that order, or a Problem)."""

    header: list[str]
    rows: Iterator[tuple[str, list[Cell] | Problem]]


def open_rows(
    path: Path,
    *,
    names: Sequence[str] = (),
    encoding: str = "utf-8",
    delimiter: str | None = None,
    sheet: str | None = None,
) -> Rows:
    """The rows of a tabular file, by its suffix; `names` when it has no header line.

    A CSV's delimiter is the one of `,` tab `;` `|` that its first line has most of. Raises
    DataError for another suffix, an empty file or a damaged container.
    """
    suffix = path.suffix.lower()
    if suffix in DELIMITED:
        opened = _delimited(path, list(names), encoding, delimiter)
    elif suffix in JSON_LINES:
        opened = _json_lines(path)
    elif suffix in PARQUET:
        opened = _parquet(path)
    elif suffix in EXCEL:
        opened = _excel(path, list(names), sheet)
    else:
        raise DataError(f"{path.name}: a table must be one of {', '.join(SUFFIXES)}")
    doubled = [name for name in opened.header if opened.header.count(name) > 1]
    if doubled:
        raise DataError(f"{path.name}: the column {doubled[0]!r} stands twice in the header")
    return opened


def first_line(path: Path, encoding: str = "utf-8") -> str:
    """The first line that is not empty. Raises DataError when there is none, or it is no text."""
    return numbered_first_line(path, encoding)[1]


def numbered_first_line(
    path: Path, encoding: str = "utf-8", *, max_bytes: int = 1 << 20
) -> tuple[int, str]:
    """`first_line` with its number, from 1."""
    for number, line in iter_lines(path, default=encoding, max_bytes=max_bytes):
        if isinstance(line, Problem):
            raise DataError(f"{path.name}, line {number}: {line.message}")
        if line.strip():
            return number, line
    raise DataError(f"{path.name}: the file is empty")


def sniff_delimiter(line: str) -> str:
    """The delimiter that a header line has most of, "," when it has none of them."""
    outside = "".join(part for k, part in enumerate(line.split('"')) if k % 2 == 0)
    best = max(DELIMITERS, key=outside.count)
    return best if outside.count(best) else ","


def split_line(line: str, delimiter: str) -> list[str]:
    """One line's cells. Raises DataError when it is no row (a carriage return in the middle)."""
    try:
        return next(csv.reader([line], delimiter=delimiter, quoting=_quoting(delimiter)), [])
    except csv.Error as error:
        raise DataError(f"{line[:80]!r} is not a row of a table ({error})") from error


def _quoting(delimiter: str) -> Any:
    # tab-separated files hold bare quotation marks; a comma-separated one quotes its cells
    return csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell


def _delimited(path: Path, names: list[str], encoding: str, delimiter: str | None) -> Rows:
    if delimiter is None:
        delimiter = sniff_delimiter(first_line(path, encoding))
    rows = _parsed_lines(path, encoding, delimiter)
    if names:
        return Rows(names, rows)
    for where, row in rows:
        if isinstance(row, Problem):
            raise DataError(f"{path.name}, {where}: {row.message}")
        return Rows([str(cell).strip() for cell in row], rows)
    raise DataError(f"{path.name}: the file is empty")


def _parsed_lines(
    path: Path, encoding: str, delimiter: str
) -> Iterator[tuple[str, list[Cell] | Problem]]:
    """The cells of each line that is not empty; a quoted cell may go over several lines."""
    refused: list[tuple[str, Problem]] = []
    number = 0

    def feed() -> Iterator[str]:
        nonlocal number
        for number, line in iter_lines(path, default=encoding):
            if isinstance(line, Problem):
                refused.append((f"line {number}", line))
            else:
                yield line + "\n"

    parser = csv.reader(feed(), delimiter=delimiter, quoting=_quoting(delimiter))
    tabs = delimiter == "\t"
    while True:
        row: list[Cell] | Problem | None
        try:
            cells = next(parser, None)
        except csv.Error as error:
            row = Problem("bad_row", "", f"not a row of a table ({error}); look for a stray quote")
        else:
            row = list(map(_unquoted, cells)) if tabs and cells else cells  # type: ignore[assignment]
        while refused:
            yield refused.pop(0)
        if row is None:
            return
        if row:
            yield f"line {number}", row


def _as_cell(value: Any) -> Cell:
    """A JSON value as the string that was written; numbers come as strings already."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return [str(_as_cell(each)) for each in value]
    return json.dumps(value, ensure_ascii=False)


def _json_object(line: str) -> dict[str, Any] | Problem:
    try:
        value = _JSON.decode(line)
    except (ValueError, RecursionError) as error:
        return Problem("bad_json", line[:200], f"not JSON ({error})")
    if not isinstance(value, dict):
        return Problem("not_an_object", line[:200], "a row must be a JSON object")
    return value


def _json_lines(path: Path) -> Rows:
    """The first object's keys are the columns; a later row may leave some out."""
    first = _json_object(numbered_first_line(path, max_bytes=MAX_LINE_BYTES)[1])
    if isinstance(first, Problem):
        raise DataError(f"{path.name}: {first.message} in the first line")
    header = list(first)

    def rows() -> Iterator[tuple[str, list[Cell] | Problem]]:
        for number, line in iter_lines(path):
            if isinstance(line, Problem):
                yield f"line {number}", line
            elif line.strip():
                yield f"line {number}", _json_cells(line, header)

    return Rows(header, rows())


def _json_cells(line: str, header: list[str]) -> list[Cell] | Problem:
    value = _json_object(line)
    if isinstance(value, Problem):
        return value
    cells = [cell if type(cell) is str else _as_cell(cell) for cell in map(value.get, header)]
    if _SURROGATE.search(line) and _has_lone_surrogate(cells):
        return Problem("lone_surrogate", line[:200], "half a character pair is no character")
    return cells


def _has_lone_surrogate(cells: list[Cell]) -> bool:
    flat = [cell if isinstance(cell, str) else "".join(cell or ()) for cell in cells]
    try:
        "".join(flat).encode()
    except UnicodeEncodeError:
        return True
    return False


def _parquet(path: Path) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path.name}: not a readable Parquet file ({error})") from error
    header = list(file.schema_arrow.names)

    def rows() -> Iterator[tuple[str, list[Cell] | Problem]]:
        number = 0
        try:
            for batch in file.iter_batches(batch_size=8192):
                columns = [_string_column(column) for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    yield f"row {number}", list(cells)
        except (pa.ArrowException, OSError) as error:
            raise DataError(f"{path.name}: damaged after row {number} ({error})") from error

    return Rows(header, rows())


def _string_column(column: Any) -> list[Cell]:
    import pyarrow as pa

    if pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        return [None if v is None else [str(each) for each in v] for v in column.to_pylist()]
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_nested(column.type):
        return [_as_cell(value) for value in column.to_pylist()]
    return list(column.cast(pa.string()).to_pylist())


def _excel(path: Path, names: list[str], sheet: str | None) -> Rows:
    from data.readers.excel import sheet_rows

    rows = sheet_rows(path, sheet)
    if names:
        return Rows(names, rows)
    for _, row in rows:
        header = row if isinstance(row, list) else []
        while header and header[-1] is None:
            header.pop()
        return Rows([str(cell or "").strip() for cell in header], rows)
    raise DataError(f"{path.name}: the sheet is empty")
