"""RTTM, Rich Transcription Time Marked: one line an interval, onset and **duration**.

Documented in NIST's Rich Transcription evaluation plans (RT-09, appendix A). Ten fields between
blanks: type, file, channel, onset, duration, orthography, subtype, name, confidence, look-ahead;
older writers leave the last out.

Conventions:
* seconds become whole milliseconds, halves up; the end is onset + duration in exact decimals,
  rounded once;
* the document is the line's file field, its length unknown (-1); the category is the name
  (the speaker); a channel other than 1 or `<NA>` is kept as an attribute;
* the annotator is the source's `annotator`, else the name of the RTTM file (`annotator_from=file`,
  the default) or of its folder (`folder`);
* only lines of type SPEAKER are read (option `types`); `;;` begins a comment; lines of another
  type are passed over, as they carry metadata (SPKR-INFO) or another annotation.

Memory holds the names of the documents met, which is what saying each of them once needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from data.errors import DataError
from data.readers.base import SourceOptions
from data.readers.lines import iter_lines
from data.readers.naming import source_name
from data.readers.records import rejected
from data.readers.spans import Problem
from data.readers.times import milliseconds, seconds
from data.readers.unit_maker import UnitMaker
from data.schema import Document, OffsetUnit, Record, Unit

_TYPES = frozenset(
    (
        *("SPEAKER", "LEXEME", "NON-LEX", "NON-SPEECH", "NOSCORE", "NO_RT_METADATA", "SEGMENT"),
        *("FILLER", "EDIT", "SU", "CB", "A/P", "SPKR-INFO"),
    )
)


class RttmReader:
    NAME = "rttm"
    DESCRIPTION = "RTTM speaker intervals (NIST Rich Transcription)"
    PATTERNS: tuple[str, ...] = ("*.rttm",)
    OPTIONS: Mapping[str, str] = {
        "annotator_from": "`file` (default: the RTTM file's name) or `folder` (its folder's name)",
        "types": "the line types to read, separated by commas (default: SPEAKER)",
    }

    def probe(self, path: Path) -> bool:
        try:
            with path.open("rb") as stream:
                start = stream.read(4096).decode("utf-8-sig", "replace")
        except OSError:
            return False
        rows = [line.split() for line in start.splitlines() if line.strip()]
        rows = [row for row in rows if not row[0].startswith(";;")][:5]
        return bool(rows) and all(
            row[0] in _TYPES and (len(row) >= 8 or row is rows[-1]) for row in rows
        )

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        annotator = options.annotator or _annotator(path, options)
        types = {name.strip() for name in options.extra.get("types", "SPEAKER").split(",")}
        documents: set[str] = set()
        read = 0
        for number, line in iter_lines(path):
            where = f"line {number}"
            if isinstance(line, Problem):
                yield rejected(line, source=source, where=where, table=Unit.TABLE)
                continue
            fields = line.split()
            if not fields or fields[0].startswith(";;"):
                continue
            read += fields[0] in _TYPES
            problem = _problem(fields)
            if problem is not None:
                yield rejected(
                    problem,
                    source=source,
                    where=where,
                    table=Unit.TABLE,
                    annotator=annotator,
                )
                continue
            if fields[0] not in types:
                continue
            maker = UnitMaker(fields[1], annotator, source, options)
            unit = _unit(maker, fields, where)
            if isinstance(unit, Unit) and unit.document not in documents:
                documents.add(unit.document)
                yield Document(
                    document=unit.document,
                    length=-1,
                    offset_unit=OffsetUnit.MS,
                    batch=options.batch,
                    source=source,
                )
                yield maker.assignment()
            yield unit
        if not read:
            raise DataError(f"{source}: no line of an RTTM file in it (expected SPEAKER …)")


def _annotator(path: Path, options: SourceOptions) -> str:
    origin = options.extra.get("annotator_from", "file")
    if origin == "file":
        return path.stem
    if origin == "folder":
        folder = PurePosixPath(source_name(path, options)).parent.name
        return folder or path.resolve().parent.name
    raise DataError(f"option annotator_from = {origin!r}: allowed are file and folder")


def _problem(fields: list[str]) -> Problem | None:
    line = " ".join(fields)[:120]
    if fields[0] not in _TYPES:
        return Problem("unknown_type", fields[0][:80], f"{fields[0][:80]!r} is no RTTM line type")
    if len(fields) < 8:
        return Problem("missing_field", line, f"{len(fields)} fields; an RTTM line has 9 or 10")
    return None


def _unit(maker: UnitMaker, fields: list[str], where: str) -> Record:
    onset, duration = seconds(fields[3]), seconds(fields[4])
    if onset is None or duration is None:
        value = f"{fields[3]} {fields[4]}"
        return maker.rejected(Problem("not_a_time", value, "onset or duration is no number"), where)
    channel = fields[2]
    return maker.unit(
        where.removeprefix("line "),
        milliseconds(onset),
        milliseconds(onset + duration),
        fields[7],
        source_offsets=f"{fields[3]} +{fields[4]}",
        attributes=() if channel in ("1", "<NA>") else (("channel", channel),),
        where=where,
    )


READER = RttmReader()
