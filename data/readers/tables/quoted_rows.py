"""Rows as Python's `csv` cuts them, where a quotation mark that is never closed costs its own line.

`csv` reads on after such a mark, up to the next one or the file's end, and makes one row of all
those lines; here the line is refused and the others are read again.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain
from typing import Any

from ..common.files.lines import ByteBlock, text_blocks
from ..common.spans import Problem
from .row_batches import ROWS, Batch

_NOT_CLOSED = "a quotation mark on this line is not closed: close it, or write it twice"
_BLOCKS_KEPT = 8  # more than the longest cell that `csv` takes


def quoting(delimiter: str) -> Any:
    # tab-separated files hold bare quotation marks; a comma-separated one quotes its cells
    return csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL


def quoted_batches(blocks: Iterable[ByteBlock], delimiter: str) -> Iterator[Batch]:
    """The cells of each line that is not empty; a quoted cell may go over several lines."""
    parser = _Parser(blocks, delimiter)
    while batch := parser.batch():
        yield batch


@dataclass(slots=True)
class _Text:
    """Lines that were handed to `csv`, from the line `number` on."""

    number: int
    text: str
    lines: list[str] = field(default_factory=list)

    def line(self, number: int) -> str | None:
        """The line with its line feed; None where it is not one of these."""
        self.lines = self.lines or self.text[:-1].split("\n")  # not at other ends of lines
        at = number - self.number
        return f"{self.lines[at]}\n" if 0 <= at < len(self.lines) else None


class _Feed:
    """Lines, of which some can be put back."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.back: deque[str] = deque()
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return self.back.popleft() if self.back else next(self._lines)


class _Parser:
    """Blocks of lines to batches; every row keeps the number of its (last) line."""

    def __init__(self, blocks: Iterable[ByteBlock], delimiter: str) -> None:
        self._delimiter = delimiter
        self._tabs = delimiter == "\t"
        self._quotes = False
        self._refused: list[tuple[int, Problem]] = []
        self._before: int | None = None  # lines that the parser has not counted
        self._last = 0  # line of the row before this batch
        self._texts: deque[_Text] = deque(maxlen=_BLOCKS_KEPT)
        self._feed: _Feed | None = None
        self._lines = chain.from_iterable(self._opened(blocks))
        self._rows = self._reader(self._lines)

    def _reader(self, lines: Iterable[str], *, strict: bool = True) -> Any:
        style = quoting(self._delimiter)
        return csv.reader(
            lines, delimiter=self._delimiter, quoting=style, strict=strict and not self._tabs
        )

    def _opened(self, blocks: Iterable[ByteBlock]) -> Iterator[StringIO]:
        for number, text in text_blocks(blocks):
            if self._before is None:
                self._before = self._last = number - 1
            if isinstance(text, Problem):
                self._refused.append((number, text))
            else:
                self._quotes = self._quotes or (self._tabs and '"' in text)
                self._texts.append(_Text(number, text))
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
            number, row = self._damaged(numbers[-1] if numbers else self._last, error)
            numbers.append(number)
            rows.append(row)
        self._last = numbers[-1] if numbers else self._last
        return Batch(numbers, rows) if rows else None

    def _add_refused(self, numbers: list[int], rows: list[Any]) -> None:
        for number, problem in self._refused:
            numbers.append(number)
            rows.append(problem)
        self._before = (self._before or 0) + len(self._refused)
        self._refused.clear()

    def _damaged(self, before: int, error: csv.Error) -> tuple[int, list[str] | Problem]:
        """The row after line `before`, which `csv` refused; lines it swallowed are put back."""
        last = self._line
        held = {k: line for k in range(before + 1, last + 1) if (line := self._held(k)) is not None}
        while held and not held[min(held)].strip():
            held.pop(min(held))
        first = min(held, default=last)
        if first == last:
            return last, self._leniently(held.get(last, ""), error)
        swallowed = [held[k] for k in sorted(held) if k > first]
        if self._feed is None:
            self._feed = _Feed(self._lines)
        self._feed.back.extendleft(reversed(swallowed))
        self._rows, self._before = self._reader(self._feed), last - len(swallowed)
        return first, Problem("bad_row", held[first].strip()[:200], _NOT_CLOSED)

    def _held(self, number: int) -> str | None:
        return next((found for text in self._texts if (found := text.line(number))), None)

    def _leniently(self, line: str, error: csv.Error) -> list[str] | Problem:
        """One line's cells, whatever stands behind a quotation mark: no other line is concerned."""
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
            message = "a carriage return stands in the middle of the line: put its cell in quotes"
        return Problem("bad_row", line.strip()[:200], message)


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell
