"""Rows of CSV and TSV files, with the numbers of their lines."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

from data.errors import DataError
from data.readers.common.lines import ByteBlock, iter_byte_blocks, iter_lines, text_blocks
from data.readers.common.spans import Problem
from data.readers.tables.row_batches import ROWS, Batch

DELIMITERS = (",", "\t", ";", "|")


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


def delimited_batches(path: Path, encoding: str, delimiter: str) -> Iterator[Batch]:
    """The cells of each line that is not empty; a quoted cell may go over several lines.

    Blocks of lines before the first quotation mark are cut by Arrow where they have one width.
    Rules of a Problem: `bad_row` and those of `iter_lines`.
    """
    blocks = iter_byte_blocks(path, default=encoding)
    for block in blocks:
        number, lines, encoding = block
        if isinstance(lines, bytes) and b'"' not in lines:
            plain = encoding == "utf-8"
            batch = _unquoted_batch(number, lines, delimiter) if plain else None
            yield from [batch] if batch is not None else _parsed([block], delimiter)
        else:
            yield from _parsed(chain([block], blocks), delimiter)


def _unquoted_batch(number: int, lines: bytes, delimiter: str) -> Batch | None:
    """UTF-8 lines as columns; None when `csv` might see something else in them."""
    lines = lines.replace(b"\r\n", b"\n")
    last = len(lines) - lines.rfind(b"\n", 0, -1)
    if b"\r" in lines or last > csv.field_size_limit():
        return None
    width = lines.count(delimiter.encode(), 0, lines.find(b"\n")) + 1
    if width == 1:
        return None
    names = [str(k) for k in range(width)]
    try:
        table = read_csv(
            pa.py_buffer(lines),
            ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=names),
            ParseOptions(delimiter=delimiter, quote_char=False, ignore_empty_lines=False),
            ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )
    except (pa.ArrowInvalid, ValueError):
        return None
    columns = [column.combine_chunks() for column in table.columns]
    return Batch(range(number, number + table.num_rows), columns=columns)


def _parsed(blocks: Iterable[ByteBlock], delimiter: str) -> Iterator[Batch]:
    parser = _Parser(blocks, delimiter)
    while batch := parser.batch():
        yield batch


class _Parser:
    """The blocks as `csv` cuts them; every row keeps the number of its (last) line."""

    def __init__(self, blocks: Iterable[ByteBlock], delimiter: str) -> None:
        self._tabs = delimiter == "\t"
        self._quotes = False
        self._refused: list[tuple[int, Problem]] = []
        self._before: int | None = None  # lines that the parser has not counted
        lines = chain.from_iterable(self._texts(blocks))
        self._rows = csv.reader(lines, delimiter=delimiter, quoting=_quoting(delimiter))

    def _texts(self, blocks: Iterable[ByteBlock]) -> Iterator[StringIO]:
        for number, text in text_blocks(blocks):
            if self._before is None:
                self._before = number - 1
            if isinstance(text, Problem):
                self._refused.append((number, text))
            else:
                self._quotes = self._quotes or (self._tabs and '"' in text)
                yield StringIO(text, newline="\n")

    @property
    def _line(self) -> int:
        return int(self._rows.line_num) + (self._before or 0)

    def batch(self) -> Batch | None:
        """The next rows, up to a line that was refused; None after the last."""
        numbers: list[int] = []
        rows: list[Any] = []
        try:
            for cells in self._rows:
                if self._refused:
                    self._add_refused(numbers, rows)
                if cells:
                    numbers.append(self._line)
                    rows.append([*map(_unquoted, cells)] if self._quotes else cells)
                    if len(rows) >= ROWS:
                        break
            else:
                self._add_refused(numbers, rows)
        except csv.Error as error:
            self._add_refused(numbers, rows)
            numbers.append(self._line)
            message = f"not a row of a table ({error}); look for a stray quote"
            rows.append(Problem("bad_row", "", message))
        return Batch(numbers, rows) if rows else None

    def _add_refused(self, numbers: list[int], rows: list[Any]) -> None:
        for number, problem in self._refused:
            numbers.append(number)
            rows.append(problem)
        self._before = (self._before or 0) + len(self._refused)
        self._refused.clear()
