"""Rows of CSV and TSV files, with the numbers of their lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pyarrow as pa
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

from ...errors import DataError
from ..common.files.lines import iter_byte_blocks, iter_lines
from ..common.spans import Problem
from .quoted_rows import quoted_batches, quoting
from .row_batches import Batch

DELIMITERS = (",", "\t", ";", "|")


NAME_ENCODING = ", or name its encoding (option `encoding`, such as `encoding=cp1252`)"


def first_line(path: Path, encoding: str = "utf-8") -> str:
    """The first line that is not empty. Raises DataError when there is none, or it is no text."""
    return numbered_first_line(path, encoding)[1]


def numbered_first_line(
    path: Path, encoding: str = "utf-8", *, max_bytes: int = 1 << 20
) -> tuple[int, str]:
    """`first_line` with its number, from 1."""
    for number, line in iter_lines(path, default=encoding, max_bytes=max_bytes):
        if isinstance(line, Problem):
            more = NAME_ENCODING if line.rule == "undecodable" and encoding == "utf-8" else ""
            raise DataError(f"{path.name}, line {number}: {line.message}{more}")
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
        return next(csv.reader([line], delimiter=delimiter, quoting=quoting(delimiter)), [])
    except csv.Error as error:
        raise DataError(f"{line[:80]!r} is not a row of a table ({error})") from error


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
            yield from [batch] if batch is not None else quoted_batches([block], delimiter)
        else:
            yield from quoted_batches(chain([block], blocks), delimiter)


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
