"""CHAT transcripts (.cha): the utterances of each speaker as texts, for a distance between objects.

Documented in "Tools for Analyzing Talk, Part 1: The CHAT Transcription Format" (MacWhinney). A main
line `*CHI:` is an utterance, lines that begin with a tab continue the line before, lines with `%`
are dependent tiers of the utterance, lines with `@` headers.

Conventions:
* an utterance is the label of an item in the layer `utterances`: its text as written, with its
  codes and without the time. Distances normalise the text, if they are to;
* the item is the speaker and the time of the utterance (`CHI:1450-2900`, milliseconds); without a
  time it is the speaker and the number of the main line, which is the same for all annotators only
  if they transcribed the same utterances;
* dependent tiers are counted as excluded, a tier of a file at once; headers are not rows;
* the annotator is the header `@Transcriber`, unless the option `paths` says that the path names
  the annotator. Without this header it is the path's;
* an utterance without a text is an empty answer, read as missing;
* a file without `@End` is incomplete: its annotator did not finish.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ...errors import DataError
from ...schema import ExclusionReason, Label, OffsetUnit, Record, State
from ...untrusted.files import read_file
from ..base import SourceOptions
from ..common.files.text import decode, first_bytes
from ..common.naming import NamedByPath, document_and_annotator, source_name
from ..common.records.interval_texts import text_label
from ..common.records.make_records import make_document
from ..common.records.unit_maker import UnitMaker
from ..common.span_rules import Problem

LAYER = "utterances"
_MARK = "\x15"  # around a time
_NUMBER = r"(?<!\d)(\d{1,12})(?!\d)"
_TIME = re.compile(f"{_MARK}[^{_MARK}]*?{_NUMBER}_{_NUMBER}[^{_MARK}]*{_MARK}")
_UTTERANCE = re.compile(r"\*([^:\s]+):\s*(.*)", re.DOTALL)


class ChatReader:
    NAME = "chat"
    DESCRIPTION = "CHAT transcript (.cha): utterances, for a distance between objects"
    PATTERNS: tuple[str, ...] = ("*.cha",)
    OPTIONS = NamedByPath

    def probe(self, path: Path) -> bool:
        start = first_bytes(path).removeprefix(b"\xef\xbb\xbf")
        return start.startswith((b"@UTF8", b"@Begin")) and b"@Begin" in start

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        source = source_name(path, options)
        lines = _joined_lines(decode(read_file(path, source), source))
        if all(line.strip() != "@Begin" for _, line in lines):
            raise DataError(f"{source}: no @Begin; not a CHAT transcript")
        document, annotator = document_and_annotator(path, options)
        if not options.annotator:
            annotator = _header(lines, "@Transcriber:") or annotator
        yield make_document(document, source, options, offset_unit=OffsetUnit.MS)
        maker = UnitMaker(document, annotator, source, options)
        if not maker.wants(LAYER):
            return
        dependent: Counter[str] = Counter()
        n_utterances = 0
        for number, line in lines:
            if line.startswith("*"):
                n_utterances += 1
                yield _utterance(maker, line, n_utterances, f"line {number}")
            elif line.startswith("%"):
                dependent[line.partition(":")[0]] += 1
            elif line.strip() and not line.startswith("@"):
                message = "the line begins with none of @, *, % and a tab"
                problem = Problem("unknown_row", line[:80], message)
                yield maker.rejected(problem, f"line {number}", Label.TABLE)
        for tier, n in dependent.items():
            yield maker.excluded(ExclusionReason.OTHER_LAYER, tier, n, Label.TABLE)
        if any(line.strip() == "@End" for _, line in lines):
            yield maker.assignment()
        else:
            problem = Problem("damaged", "", "the file has no @End, so it is incomplete")
            yield maker.rejected(problem, "", "")
            yield maker.assignment(State.UNFINISHED)


def _joined_lines(text: str) -> list[tuple[int, str]]:
    """Return each line with its number, joined with the lines that continue it."""
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("\t") and lines:
            lines[-1] = lines[-1][0], f"{lines[-1][1]} {line.strip()}"
        else:
            lines.append((number, line.rstrip()))
    return lines


def _header(lines: list[tuple[int, str]], name: str) -> str:
    return next((line.removeprefix(name).strip() for _, line in lines if line.startswith(name)), "")


def _utterance(maker: UnitMaker, line: str, number: int, place: str) -> Record:
    found = _UTTERANCE.fullmatch(line)
    if found is None:
        problem = Problem("unknown_row", line[:80], "an utterance begins with *SPEAKER:")
        return maker.rejected(problem, place, Label.TABLE)
    speaker, spoken = found.groups()
    text = " ".join(_TIME.sub("", spoken).split())
    times = _TIME.findall(spoken)
    if _MARK in text:
        problem = Problem(
            "unknown_row", text[:80], "a time is not written START_END, in milliseconds"
        )
        return maker.rejected(problem, place, Label.TABLE)
    if not text:
        return maker.excluded(ExclusionReason.EMPTY_ANSWER, place, table=Label.TABLE)
    when = f"{int(times[0][0])}-{int(times[-1][1])}" if times else f"{number}"
    return text_label(maker, when, text, layer=LAYER, speaker=speaker, location=place)


READER = ChatReader()
