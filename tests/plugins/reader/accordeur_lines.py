"""A format of one label per line: `document item annotator label`, separated by spaces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.common.naming import source_name
from accordeur.data.readers.common.records.first_mentions import FirstMentions
from accordeur.data.readers.options import FormatOptions, Option
from accordeur.data.schema import Label, Record, Rejected


@dataclass(frozen=True)
class LinesOptions(FormatOptions):
    comment: Annotated[str, Option("the sign at the start of lines that are not read")] = "#"


class Lines:
    NAME = "lines"
    DESCRIPTION = "document, item, annotator and label on each line"
    PATTERNS = ("*.lines",)
    OPTIONS = LinesOptions

    def probe(self, path: Path) -> bool:
        return path.is_file() and path.suffix == ".lines"

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        own, source = options.of_format(LinesOptions), source_name(path, options)
        mentions = FirstMentions(source, options)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            location, fields = f"line {number}", line.split()
            if line.startswith(own.comment):
                continue
            if len(fields) != 4:
                yield Rejected(source, location, "four_fields", line, "the line needs 4 fields")
                continue
            document, item, annotator, label = fields
            yield from mentions.new(document, annotator)
            yield Label(document, item, annotator, (label,), source=source, location=location)


READER = Lines()
