"""Rows of CSV and TSV files, with their line numbers.

Rows are split as by Python's `csv`, except that an unclosed quotation mark affects only its own
line: `csv` reads on after such a mark, up to the next one or the file's end, and makes one row of
all these lines; here the line is rejected and the other lines are parsed again.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

from ...errors import DataError
from ..common.files.lines import ByteBlock, decode_blocks, iter_byte_blocks, iter_lines
from ..common.span_rules import Problem
from .cells import ROWS, Batch

_NOT_CLOSED = "a quotation mark on this line is not closed: close it, or write it twice"
_BLOCKS_KEPT = 8  # longer than the longest cell that `csv` accepts
_FIRST_LINES, _LONGEST = 50, 1 << 12  # that show how cells are separated
DELIMITERS = (",", "\t", ";", "|")


NAME_ENCODING = ", or name its encoding (option `encoding`, such as `encoding=cp1252`)"


def first_line(path: Path, encoding: str = "utf-8") -> str:
    """Return the first line that is not empty. Raises DataError if there is none, or no text."""
    return numbered_first_line(path, encoding)[1]


def numbered_first_line(
    path: Path, encoding: str = "utf-8", *, max_bytes: int = 1 << 20
) -> tuple[int, str]:
    """Return `first_line` with its number, from 1."""
    for number, line in iter_lines(path, default=encoding, max_bytes=max_bytes):
        if isinstance(line, Problem):
            more = NAME_ENCODING if line.rule == "undecodable" and encoding == "utf-8" else ""
            raise DataError(f"{path.name}, line {number}: {line.message}{more}")
        if line.strip():
            return number, line
    raise DataError(f"{path.name}: the file is empty")


def sniff_delimiter(line: str) -> str:
    """Return the delimiter that is most frequent in a header line, "," when there is none."""
    outside = _outside(line)
    best = max(DELIMITERS, key=outside.count)
    return best if outside.count(best) else ","


def _outside(line: str) -> str:
    """Return a line without what is between quotation marks."""
    return "".join(part for k, part in enumerate(line.split('"')) if k % 2 == 0)


def _count(line: str, sign: str) -> int:
    return (line if _quoting(sign) == csv.QUOTE_NONE else _outside(line)).count(sign)


def delimiter_of(path: Path, encoding: str = "utf-8") -> str:
    """Return the delimiter of the first line, or of the lines below it where it separates nothing.

    Such as below a title, or in lists between as many tabs in each line.
    """
    lines = [*islice(iter_lines(path, default=encoding, max_bytes=1 << 20), _FIRST_LINES)]
    texts = [one for _, one in lines if isinstance(one, str) and one.strip()]
    are_texts = bool(texts) and all(isinstance(one, str) for _, one in lines)
    first = texts[0] if are_texts else first_line(path, encoding)
    best = sniff_delimiter(first)
    below = [one for one in texts if one != first]
    counts = {sign: {_count(one, sign) for one in (first, *below)} for sign in DELIMITERS}
    regular = [sign for sign in DELIMITERS if len(counts[sign]) == 1 and counts[sign] != {0}]
    if len(below) > 1 and "\t" in regular:
        return "\t"
    if not any(best in one for one in below):  # the first line is a title
        n_lines = {sign: sum(sign in one for one in below) for sign in DELIMITERS}
        usual = max(DELIMITERS, key=n_lines.__getitem__)
        best = usual if 2 * n_lines[usual] > len(below) else best
    return best


def is_separated_by_blanks(path: Path) -> bool:
    """Whether the first lines have as many words each and no delimiter, as judgements of TREC."""
    try:
        lines = [line for _, line in islice(iter_lines(path, max_bytes=_LONGEST), _FIRST_LINES)]
    except DataError:
        return False
    texts = [one for one in lines if isinstance(one, str) and one.strip()]
    first, *others = [len(one.split(" ")) for one in texts] or [0]
    widths = {*others} if first + 1 in others else {first, *others}  # R names the rows alone
    is_delimited = any(sign in one for one in texts for sign in DELIMITERS)
    return len(texts) > 1 and len(widths) == 1 and max(widths) > 2 and not is_delimited


def split_line(line: str, delimiter: str) -> list[str]:
    """Split one line into cells. Raises DataError when it is not a row (carriage return inside)."""
    try:
        return next(csv.reader([line], delimiter=delimiter, quoting=_quoting(delimiter)), [])
    except csv.Error as error:
        raise DataError(f"{line[:80]!r} is not a row of a table ({error})") from error


def delimited_batches(path: Path, encoding: str, delimiter: str) -> Iterator[Batch]:
    """Yield the cells of each line that is not empty; a quoted cell may span several lines.

    Blocks of lines are split by Arrow where it certainly splits them as `csv` does: all lines have
    the same width, and every quotation mark begins or ends a cell within its line. Rules of a
    Problem: `bad_row` and the rules of `iter_lines`.
    """
    blocks = iter_byte_blocks(path, default=encoding)
    for block in blocks:
        number, lines, encoding = block
        if isinstance(lines, Problem):
            yield Batch([number], [lines])
            continue
        try:
            text = lines if encoding == "utf-8" else lines.decode(encoding).encode()
            text = text.replace(b"\r\n", b"\n")
            text = text if text.endswith(b"\n") else text + b"\n"
            table = read_csv(pa.py_buffer(text), *_arrow_options(text, delimiter))
        except ValueError:
            may_go_on = b'"' in lines and _quoting(delimiter) != csv.QUOTE_NONE
            yield from _quoted_batches(chain([block], blocks if may_go_on else ()), delimiter)
            continue
        numbers: Sequence[int] = range(number, number + table.num_rows)
        if text.startswith(b"\n") or b"\n\n" in text:
            numbers = [k for k, line in enumerate(text[:-1].split(b"\n"), number) if line]
        yield Batch(numbers, columns=[column.combine_chunks() for column in table.columns])


def _arrow_options(
    lines: bytes, delimiter: str
) -> tuple[ReadOptions, ParseOptions, ConvertOptions]:
    """Return how Arrow splits lines. Raises ValueError when `csv` might split them differently."""
    last = len(lines) - lines.rfind(b"\n", 0, -1)
    quotes = b'"' in lines
    if b"\r" in lines or last > csv.field_size_limit():
        raise ValueError("a line may be none of its own, or is too long")
    if quotes and not _whole_cell_quoting(delimiter).fullmatch(lines):
        raise ValueError("a quotation mark is inside a cell")
    first = lines.lstrip(b"\n").partition(b"\n")[0]
    width = len(split_line(first.decode(errors="replace"), delimiter))
    if width < 2:
        raise ValueError("the lines have a single cell")
    names = [str(k) for k in range(width)]
    return (
        ReadOptions(use_threads=False, block_size=len(lines) + 1, column_names=names),
        ParseOptions(
            delimiter=delimiter, quote_char='"' if quotes else False, ignore_empty_lines=True
        ),
        ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
    )


@cache
def _whole_cell_quoting(delimiter: str) -> re.Pattern[bytes]:
    """Match lines in which a quotation mark begins, ends or is written twice within a cell."""
    end = re.escape(delimiter.encode())
    inside = end if _quoting(delimiter) == csv.QUOTE_NONE else b""  # not part of a cell even there
    cell = rb'(?:"(?:[^"\n' + inside + rb']++|"")*+"|[^"\n' + end + rb"]*+)"
    return re.compile(rb"(?:" + cell + rb"[\n" + end + rb"])*+")


def _quoting(delimiter: str) -> Any:
    # tab-separated files hold bare quotation marks; a comma-separated one quotes its cells
    return csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL


def _quoted_batches(blocks: Iterable[ByteBlock], delimiter: str) -> Iterator[Batch]:
    """Yield the cells of each line that is not empty; a quoted cell may span several lines."""
    parser = _Parser(blocks, delimiter)
    while batch := parser.batch():
        yield batch


@dataclass(slots=True)
class _Text:
    """Lines that were passed to `csv`, from line `number` on."""

    number: int
    text: str
    lines: list[str] = field(default_factory=list)

    def line(self, number: int) -> str | None:
        """Return the line with its line feed; None if it is not one of these lines."""
        self.lines = self.lines or self.text[:-1].split("\n")  # split at line feeds only
        at = number - self.number
        return f"{self.lines[at]}\n" if 0 <= at < len(self.lines) else None


class _Feed:
    """Lines, some of which can be put back."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.back: deque[str] = deque()
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return self.back.popleft() if self.back else next(self._lines)


class _Parser:
    """Parses blocks of lines to batches; every row keeps the number of its (last) line."""

    def __init__(self, blocks: Iterable[ByteBlock], delimiter: str) -> None:
        self._delimiter = delimiter
        self._tabs = delimiter == "\t"
        self._quotes = False
        self._refused: list[tuple[int, Problem]] = []
        self._before: int | None = None  # lines that the parser has not counted
        self._last = 0  # line of the row before this batch
        self._texts: deque[_Text] = deque(maxlen=_BLOCKS_KEPT)
        self._feed: _Feed | None = None
        self._lines = chain.from_iterable(self._open_text(blocks))
        self._rows = self._reader(self._lines)

    def _reader(self, lines: Iterable[str], *, strict: bool = True) -> Any:
        style = _quoting(self._delimiter)
        return csv.reader(
            lines, delimiter=self._delimiter, quoting=style, strict=strict and not self._tabs
        )

    def _open_text(self, blocks: Iterable[ByteBlock]) -> Iterator[StringIO]:
        for number, text in decode_blocks(blocks):
            if self._before is None:
                self._before = self._last = number - 1
            if isinstance(text, Problem):
                self._refused.append((number, text))
            else:
                self._quotes = self._quotes or (self._tabs and '"' in text)
                self._texts.append(_Text(number, text))
                yield StringIO(text, newline="\n")

    @property
    def _line_number(self) -> int:
        return int(self._rows.line_num) + (self._before or 0)

    def batch(self) -> Batch | None:
        """Return the next rows, up to a rejected line; None after the last row."""
        numbers: list[int] = []
        rows: list[Any] = []
        try:
            for cells in self._rows:
                if self._refused:
                    self._add_rejected_rows(numbers, rows)
                if cells:
                    numbers.append(self._line_number)
                    rows.append([*map(_unquoted, cells)] if self._quotes else cells)
                    if len(rows) >= ROWS:
                        break
            else:
                self._add_rejected_rows(numbers, rows)
        except csv.Error as error:
            self._add_rejected_rows(numbers, rows)
            number, row = self._recover_damaged(numbers[-1] if numbers else self._last, error)
            numbers.append(number)
            rows.append(row)
        self._last = numbers[-1] if numbers else self._last
        return Batch(numbers, rows) if rows else None

    def _add_rejected_rows(self, numbers: list[int], rows: list[Any]) -> None:
        for number, problem in self._refused:
            numbers.append(number)
            rows.append(problem)
        self._before = (self._before or 0) + len(self._refused)
        self._refused.clear()

    def _recover_damaged(self, before: int, error: csv.Error) -> tuple[int, list[str] | Problem]:
        """Return the row after line `before`, which `csv` rejected; put back lines it consumed."""
        last = self._line_number
        held = {
            k: line for k in range(before + 1, last + 1) if (line := self._held_line(k)) is not None
        }
        while held and not held[min(held)].strip():
            held.pop(min(held))
        first = min(held, default=last)
        if first == last:
            return last, self._parse_leniently(held.get(last, ""), error)
        swallowed = [held[k] for k in sorted(held) if k > first]
        if self._feed is None:
            self._feed = _Feed(self._lines)
        self._feed.back.extendleft(reversed(swallowed))
        self._rows, self._before = self._reader(self._feed), last - len(swallowed)
        return first, Problem("bad_row", held[first].strip()[:200], _NOT_CLOSED)

    def _held_line(self, number: int) -> str | None:
        return next((found for text in self._texts if (found := text.line(number))), None)

    def _parse_leniently(self, line: str, error: csv.Error) -> list[str] | Problem:
        """Return one line's cells, whatever follows a quotation mark; no other line is affected."""
        try:
            cells: list[str] = next(self._reader([line.rstrip("\n")], strict=False), [])
        except csv.Error:
            cells = []
        unclosed = "end of data" in str(error)
        if cells and not (unclosed and self._delimiter in cells[-1]):
            return cells
        message = f"not a row of a table ({error}); look for a stray quote"
        if unclosed:
            message = _NOT_CLOSED
        elif "\r" in line:
            message = "a carriage return in the middle of the line: put its cell in quotes"
        return Problem("bad_row", line.strip()[:200], message)


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell
