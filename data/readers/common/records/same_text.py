"""Formats with one file per annotator: each repeats the document, whose text must be the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....blocks import Block, Rows
from ....schema import Assignment, Document, Excluded, Rejected
from ..spans import Problem
from .hash_map import HashMap
from .make_records import reject_record

_NO_TEXT = -1  # never returned by `hash`


class SameText:
    """Keeps the first record of each document of a source, and rejects work on a different text.

    It holds 16 bytes per document. A reader must yield the document before its units; otherwise
    only the document's own record can be rejected.
    """

    def __init__(self) -> None:
        self._texts = HashMap()

    def checked(self, rows: Iterable[Rows]) -> Iterator[Rows]:
        """Yield one file's rows without known documents, and reject work on other texts."""
        rejected: dict[str, Problem] = {}
        for record in rows:
            if not rejected and record.TABLE != Document.TABLE:
                yield record
            elif isinstance(record, Block) and record.TABLE == "documents":
                yield from self.checked(record.records())
            elif isinstance(record, Block):
                yield from self._checked_block(record, rejected)
            elif isinstance(record, Document):
                key = hash(record.document)
                text = hash(record.sha256) if record.sha256 else _NO_TEXT
                known = self._texts[key]
                if known is None:
                    self._texts[key] = text
                    yield record
                elif _NO_TEXT not in (known, text) and known != text:
                    rejected[record.document] = problem = _differing_text_problem(record)
                    yield reject_record(record, problem)
            elif record.document not in rejected or isinstance(
                record, Rejected | Excluded | Assignment
            ):
                yield record
            else:
                yield reject_record(record, rejected[record.document])

    def _checked_block(self, block: Block, rejected: dict[str, Problem]) -> Iterator[Rows]:
        if not rejected or block.TABLE in ("assignments", "excluded"):
            yield block
            return
        for record in block.records():
            problem = rejected.get(record.document)
            yield record if problem is None else reject_record(record, problem)


def _differing_text_problem(record: Document) -> Problem:
    if record.text is None and record.length < 0:
        return Problem(
            "text_differs",
            record.document,
            f"{record.source} has another content for {record.document} than earlier files, as "
            "tasks of two projects that were numbered independently",
        )
    return Problem(
        "text_differs",
        f"length {record.length}",
        f"{record.source} has a different text for {record.document} than earlier files; its "
        "offsets refer to other characters",
    )
