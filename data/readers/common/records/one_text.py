"""Formats of one file per annotator: the document stands in each, its text must be the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....blocks import Block, Rows
from ....schema import Assignment, Document, Excluded, Rejected
from ..spans import Problem
from .hash_set import HashMap
from .steps import refusal_of

_NO_TEXT = -1  # which no `hash` is


class OneText:
    """Keeps the first record of each document of a source, and refuses work on another text.

    It holds sixteen bytes per document. A reader yields the document before its units, else
    only the document's own record can be refused.
    """

    def __init__(self) -> None:
        self._texts = HashMap()

    def checked(self, rows: Iterable[Rows]) -> Iterator[Rows]:
        """The rows of one file: known documents dropped, work on another text refused."""
        refused: dict[str, Problem] = {}
        for record in rows:
            if not refused and record.TABLE != Document.TABLE:
                yield record
            elif isinstance(record, Block) and record.TABLE == "documents":
                yield from self.checked(record.records())
            elif isinstance(record, Block):
                yield from self._checked_block(record, refused)
            elif isinstance(record, Document):
                key = hash(record.document)
                text = hash(record.sha256) if record.sha256 else _NO_TEXT
                known = self._texts[key]
                if known is None:
                    self._texts[key] = text
                    yield record
                elif _NO_TEXT not in (known, text) and known != text:
                    refused[record.document] = problem = _other_text(record)
                    yield refusal_of(record, problem)
            elif record.document not in refused or isinstance(
                record, Rejected | Excluded | Assignment
            ):
                yield record
            else:
                yield refusal_of(record, refused[record.document])

    def _checked_block(self, block: Block, refused: dict[str, Problem]) -> Iterator[Rows]:
        if not refused or block.TABLE in ("assignments", "excluded"):
            yield block
            return
        for record in block.records():
            problem = refused.get(record.document)
            yield record if problem is None else refusal_of(record, problem)


def _other_text(record: Document) -> Problem:
    return Problem(
        "text_differs",
        f"length {record.length}",
        f"{record.source} has another text of {record.document} than the files before it; "
        "its offsets mean other characters",
    )
