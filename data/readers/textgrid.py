"""Praat TextGrid: interval tiers over a recording.

Documented in Praat's manual, "TextGrid file formats". Long and short text files are the same
sequence of strings, numbers and flags once the words around them are skipped, which is how Praat
itself reads them and how this reader does (UTF-8 or UTF-16 by byte order mark, else the option
`encoding`; a quote in a string is doubled). Binary TextGrids are refused with a sentence.

Conventions:
* seconds become whole milliseconds, halves up; the document's length is the file's `xmax`;
* an interval without text (or with white space only) is a gap, not a unit; the text is the
  category;
* the annotator is the tier, its name without the blanks around it; with `annotator_from=file`
  the file (option `layout` says how its path is read) and the tier is the layer; a tier without
  units is an annotator who finished and found nothing;
* a point of a point tier has no length and is refused (`zero_length`).

The own reader: praatio (6.2) searches for words in the text, so that a label that holds
`item [` or `intervals [` breaks it, and it has no line of an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from data.blocks import Rows, as_records, rows
from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.naming import (
    LAYOUT_OPTION,
    document_and_annotator,
    document_name,
    source_name,
)
from data.readers.spans import Problem
from data.readers.text import decode
from data.readers.times import PLAIN_SECONDS, milliseconds, plain_milliseconds, seconds
from data.readers.unit_maker import UnitMaker
from data.readers.whole_file import document_bytes
from data.schema import Document, OffsetUnit, Record, State

_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(<[a-z]+>)|([^\s"<]+)|(["<])')
_NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?%?$")
_INTERVAL = re.compile(
    r"\s+(?:intervals \[\d+\]:\s+)?"
    rf"(?:xmin = )?({PLAIN_SECONDS})\s+(?:xmax = )?({PLAIN_SECONDS})\s+"
    r'(?:text = )?"([^"]*(?:""[^"]*)*)"(?!")'
)
_HEADER = re.compile(r'\s*File type\s*=\s*"ooTextFile( short)?"\s+(Object class\s*=\s*)?"TextGrid"')


_ReadTier: TypeAlias = "Callable[[_Tokens, UnitMaker, str, int, str], Iterator[Rows]]"


class TextGridReader:
    NAME = "textgrid"
    DESCRIPTION = "Praat TextGrid, long or short text"
    PATTERNS: tuple[str, ...] = ("*.TextGrid", "*.textgrid", "*.Textgrid")
    OPTIONS: Mapping[str, str] = {
        "annotator_from": "`tier` (default: each tier is an annotator) or `file`",
        "tiers": "the tiers to read, separated by commas (default: all)",
        "encoding": "of a file without byte order mark (default: utf-8)",
        **LAYOUT_OPTION,
    }

    def probe(self, path: Path) -> bool:
        try:
            with path.open("rb") as stream:
                start = stream.read(512)
        except OSError:
            return False
        if start.startswith((b"\xff\xfe", b"\xfe\xff")):
            start = start.replace(b"\0", b"")[2:]
        text = start.decode("latin-1").removeprefix("ï»¿")
        return bool(_HEADER.match(text)) or start.startswith(b"ooBinaryFile\x08TextGrid")

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        return as_records(self._rows(path, options, _tier))

    def read_blocks(self, path: Path, options: SourceOptions) -> Iterator[Rows]:
        return self._rows(path, options, _tier_at_once)

    def _rows(self, path: Path, options: SourceOptions, read: _ReadTier) -> Iterator[Rows]:
        source = source_name(path, options)
        data = document_bytes(path, source)
        if data.startswith(b"ooBinaryFile"):
            raise DataError(f"{source}: a binary TextGrid; in Praat use Save as text file")
        text = decode(data, source, default=options.extra.get("encoding", "utf-8"))
        if not _HEADER.match(text):
            raise DataError(f"{source}: does not begin as a TextGrid does")
        origin = options.extra.get("annotator_from", "file" if options.annotator else "tier")
        if origin not in ("tier", "file"):
            raise DataError(f"option annotator_from = {origin!r}: allowed are tier and file")
        if origin == "file":
            document, annotator = document_and_annotator(path, options)
        else:
            document, annotator = document_name(path, options), ""
        tokens = _Tokens(text, source)
        tokens.skip_header()
        tokens.number("xmin")
        length = milliseconds(tokens.number("xmax"))
        if length <= 0:
            raise DataError(f"{source}: xmax is {length} ms; a recording has a length")
        yield Document(
            document=document,
            length=length,
            offset_unit=OffsetUnit.MS,
            batch=options.batch,
            source=source,
        )
        maker = UnitMaker(document, annotator, source, options, length=length)
        chosen = {name.strip() for name in options.extra.get("tiers", "").split(",")} - {""}
        yield from _tiers(tokens, maker, chosen, read, per_tier=origin == "tier")


def _tiers(
    tokens: _Tokens, maker: UnitMaker, chosen: set[str], read: _ReadTier, *, per_tier: bool
) -> Iterator[Rows]:
    """The units of the tiers and the assignments; a damaged rest becomes one Rejected."""
    names: set[str] = set()
    try:
        count = tokens.count() if tokens.flag() == "<exists>" else 0
        for index in range(1, count + 1):
            kind, name = tokens.string("class"), tokens.string("name").strip()
            name = name or f"tier {index}"
            wanted = not chosen or name in chosen
            if per_tier:
                maker = UnitMaker(
                    maker.document, name, maker.source, maker.options, length=maker.length
                )
            if wanted and name in names:
                problem = Problem("duplicate_id", name, f"two tiers are called {name!r}")
                yield maker.rejected(problem, f"tier {index}", "")
                wanted = False
            names.add(name)
            layer = "" if per_tier else name
            for row in read(tokens, maker, kind, index, layer):
                if wanted and maker.wants(layer):
                    yield row
            if per_tier and wanted:
                yield maker.assignment()
    except DataError as error:
        yield maker.rejected(Problem("damaged", "", str(error)), "", "")
        if maker.annotator:  # what stands before the damage is kept, but it is not all
            yield maker.assignment(State.UNFINISHED)
        return
    if not per_tier:
        yield maker.assignment()


def _tier(tokens: _Tokens, maker: UnitMaker, kind: str, index: int, layer: str) -> Iterator[Record]:
    tokens.number("xmin")
    tokens.number("xmax")
    interval = kind == "IntervalTier"
    for row in range(1, tokens.count() + 1):
        line = tokens.line
        start = end = tokens.number("start")
        if interval:
            end = tokens.number("end")
        text = tokens.string("text")
        if text.strip():
            yield maker.unit(
                f"{index}:{row}",
                milliseconds(start),
                milliseconds(end),
                text,
                layer=layer,
                source_offsets=f"{start} {end}",
                where=f"line {line}",
            )


def _tier_at_once(
    tokens: _Tokens, maker: UnitMaker, kind: str, index: int, layer: str
) -> Iterator[Rows]:
    """`_tier`, with all its units at once where every interval is plain and lies in the file."""
    place = tokens.place
    tokens.number("xmin")
    tokens.number("xmax")
    marked = tokens.intervals(tokens.count()) if kind == "IntervalTier" else None
    if marked is None:
        tokens.go_to(place)
        yield from _tier(tokens, maker, kind, index, layer)
        return
    starts = [plain_milliseconds(row[1]) for row in marked]
    ends = [plain_milliseconds(row[2]) for row in marked]
    if not all(0 <= a < b <= maker.length for a, b in zip(starts, ends, strict=True)):
        tokens.go_to(place)
        yield from _tier(tokens, maker, kind, index, layer)
        return
    maker.annotated = maker.annotated or bool(marked)
    columns = {
        "document": maker.document,
        "annotator": maker.annotator,
        "unit": [f"{index}:{row[0]}" for row in marked],
        "start": starts,
        "end": ends,
        "category": [row[3].replace('""', '"') for row in marked],
        "layer": layer,
        "source_offsets": [f"{row[1]} {row[2]}" for row in marked],
        "source": maker.source,
        "where": [f"line {row[4]}" for row in marked],
    }
    yield from rows("units", len(marked), columns)


class _Tokens:
    """Strings, numbers and flags of a text file of Praat; every other word is a comment."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._at = self._end = 0  # where the last word began and ended
        self._counted = (0, 1)  # a place and its line
        self._matches = self._scan()

    @property
    def place(self) -> tuple[int, int, tuple[int, int]]:
        """Where the last word stands, for `go_to`."""
        return self._at, self._end, self._counted

    def go_to(self, place: tuple[int, int, tuple[int, int]]) -> None:
        """Read on from the place."""
        self._at, self._end, self._counted = place
        self._matches = self._scan()

    def intervals(self, count: int) -> list[tuple[int, str, str, str, int]] | None:
        """Number, start, end, text (as written) and line of the marked among the next `count`.

        None, and nothing is read, unless all intervals stand there as Praat writes them.
        """
        found: list[tuple[int, str, str, str, int]] = []
        text, end = self._text, self._end
        place, line = self._at, self.line  # of the word before an interval, where its line is told
        begin = place
        matches = islice(_INTERVAL.finditer(text, end), count)
        number = 0
        for number, match in enumerate(matches, 1):
            if match.start() != end:
                return None
            mark = match[3]
            if mark and not mark.isspace():
                line += text.count("\n", place, begin)
                place = begin
                found.append((number, match[1], match[2], mark, line))
            begin, end = match.start(3) - 1, match.end()
        if number != count:
            return None
        self.go_to((begin, end, (place, line)))
        return found

    @property
    def line(self) -> int:
        """The line of the last word."""
        place, line = self._counted
        self._counted = (self._at, line + self._text.count("\n", place, self._at))
        return self._counted[1]

    def _scan(self) -> Iterator[tuple[str, str]]:
        for match in _TOKEN.finditer(self._text, self._end):
            self._at, self._end = match.span()
            group = match.lastindex
            if group == 3:
                if _NUMBER.match(word := match[3]):
                    yield "number", word
            elif group == 1:
                yield "string", match[1].replace('""', '"')
            elif group == 2:
                yield "flag", match[2]
            else:
                raise DataError(f"{self._source} line {self.line}: a string or flag has no end")

    def _next(self, kind: str, what: str) -> str:
        found, value = next(self._matches, ("end of file", ""))
        if found != kind:
            raise DataError(
                f"{self._source} line {self.line}: expected a {kind} for {what}, found {found}"
                f" {value[:40]!r}; the file is cut or damaged"
            )
        return value

    def skip_header(self) -> None:
        self._next("string", "the file type")
        self._next("string", "the object class")

    def string(self, what: str) -> str:
        return self._next("string", what)

    def flag(self) -> str:
        return self._next("flag", "the tiers")

    def number(self, what: str) -> Decimal:
        text = self._next("number", what)
        value = seconds(text)
        if value is None:
            raise DataError(f"{self._source} line {self.line}: {what} {text!r} is no time")
        return value

    def count(self) -> int:
        value = self.number("a size")
        if value != value.to_integral_value() or not 0 <= value < 10**9:
            raise DataError(f"{self._source} line {self.line}: {value} is no size")
        return int(value)


READER = TextGridReader()
