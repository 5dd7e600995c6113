"""A format of one label per line: `document item annotator label`, separated by spaces."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from accordeur.data.readers.base import SourceOptions
from accordeur.data.schema import Assignment, Document, Label, Record, Rejected


class Lines:
    NAME = "lines"
    DESCRIPTION = "document, item, annotator and label on each line"
    PATTERNS = ("*.lines",)
    OPTIONS: dict[str, str] = {}  # noqa: RUF012

    def probe(self, path: Path) -> bool:
        return path.is_file() and path.suffix == ".lines"

    def read(self, path: Path, options: SourceOptions) -> Iterator[Record]:
        documents, assigned = set(), set()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            fields = line.split()
            if len(fields) != 4:
                yield Rejected(path.name, f"line {number}", "four_fields", line, "needs 4 fields")
                continue
            document, item, annotator, label = fields
            if document not in documents:
                documents.add(document)
                yield Document(document, -1, source=path.name)
            if (document, annotator) not in assigned:
                assigned.add((document, annotator))
                yield Assignment(document, annotator, source=path.name)
            yield Label(document, item, annotator, (label,), source=path.name, location=str(number))


READER = Lines()
