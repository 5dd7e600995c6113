"""RTTM, Rich Transcription Time Marked: one line per interval, with onset and **duration**.

Documented in NIST's Rich Transcription evaluation plans (RT-09, appendix A). Ten fields separated
by blanks: type, file, channel, onset, duration, orthography, subtype, name, confidence, look-ahead;
older writers omit the last.

Conventions:
* seconds become whole milliseconds, halves up; the end is onset + duration in exact decimals,
  rounded once;
* the document is the line's file field, its length unknown (-1); the category is the name
  (the speaker); a channel other than 1 or `<NA>` is kept as an attribute;
* the annotator is the source's `annotator`, else what the option `paths` names, else the name of
  the RTTM file;
* only lines of type SPEAKER are read (option `types`); `;;` begins a comment; lines of other types
  are skipped, because they carry metadata (SPKR-INFO) or other annotations.

Memory holds 8 bytes per document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ...errors import DataError
from ...schema import OffsetUnit, Record, Unit
from ...sentences import printable
from ..base import SourceOptions
from ..common.bounds import parse_seconds, to_milliseconds
from ..common.files.lines import iter_lines
from ..common.files.text import first_bytes
from ..common.naming import source_name
from ..common.records.first_mentions import FirstMentions
from ..common.records.make_records import make_rejected
from ..common.records.unit_maker import UnitMaker
from ..common.span_rules import Problem
from ..options import FormatOptions, Names, Option

_TYPES = frozenset(
    (
        *("SPEAKER", "LEXEME", "NON-LEX", "NON-SPEECH", "NOSCORE", "NO_RT_METADATA", "SEGMENT"),
        *("FILLER", "EDIT", "SU", "CB", "A/P", "SPKR-INFO"),
    )
)


@dataclass(frozen=True)
class RttmOptions(FormatOptions):
    types: Annotated[Names, Option("the line types to read, separated by commas")] = ("SPEAKER",)


class RttmReader:
    NAME = "rttm"
    DESCRIPTION = "RTTM speaker intervals (NIST Rich Transcription)"
    PATTERNS: tuple[str, ...] = ("*.rttm",)
    OPTIONS = RttmOptions

    def probe(self, path: Path) -> bool:
        start = first_bytes(path).decode("utf-8-sig", "replace")
        rows = [line.split() for line in start.splitlines() if line.strip()]
        rows = [row for row in rows if not row[0].startswith(";;")][:5]
        return bool(rows) and all(
            row[0] in _TYPES and (len(row) >= 8 or row is rows[-1]) for row in rows
        )

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        file = _File(path, options)
        for number, line in iter_lines(path):
            yield from file.line(number, line)
        file.check()


READER = RttmReader()


class _File:
    """The records from the lines of one file."""

    def __init__(self, path: Path, options: SourceOptions) -> None:
        self.source = source_name(path, options)
        self.options = options
        self.annotator = options.annotator or printable(path.stem)
        self.types = options.of_format(RttmOptions).types
        self.seen = FirstMentions(self.source, options, OffsetUnit.MS)
        self.read = 0

    def check(self) -> None:
        """Raise DataError when no line was in RTTM format."""
        if not self.read:
            raise DataError(f"{self.source}: contains no RTTM line (expected SPEAKER …)")

    def line(self, number: int, line: str | Problem) -> Iterator[Record]:
        location = f"line {number}"
        fields = [] if isinstance(line, Problem) else line.split()
        if isinstance(line, str) and (not fields or fields[0].startswith(";;")):
            return
        problem = line if isinstance(line, Problem) else _problem(fields)
        if fields:
            self.read += fields[0] in _TYPES
        if problem is not None:
            yield make_rejected(
                problem,
                source=self.source,
                location=location,
                table=Unit.TABLE,
                annotator=self.annotator if fields else "",
            )
        elif fields[0] in self.types:
            unit = _unit(
                UnitMaker(fields[1], self.annotator, self.source, self.options), fields, location
            )
            if isinstance(unit, Unit):
                yield from self.seen.new(unit.document, self.annotator)
            yield unit


def _problem(fields: list[str]) -> Problem | None:
    line = " ".join(fields)[:120]
    if fields[0] not in _TYPES:
        return Problem("unknown_type", fields[0][:80], f"{fields[0][:80]!r}: not an RTTM line type")
    if len(fields) < 8:
        return Problem("missing_field", line, f"{len(fields)} fields; an RTTM line has 9 or 10")
    return None


def _unit(maker: UnitMaker, fields: list[str], location: str) -> Record:
    onset, duration = parse_seconds(fields[3]), parse_seconds(fields[4])
    if onset is None or duration is None:
        value = f"{fields[3]} {fields[4]}"
        return maker.rejected(
            Problem("not_a_time", value, "onset or duration is not a number"), location
        )
    channel = fields[2]
    return maker.unit(
        location.removeprefix("line "),
        to_milliseconds(onset),
        to_milliseconds(onset + duration),
        fields[7],
        source_offsets=f"{fields[3]} +{fields[4]}",
        attributes=() if channel in ("1", "<NA>") else (("channel", channel),),
        location=location,
    )
