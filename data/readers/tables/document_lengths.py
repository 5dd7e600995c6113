"""Lengths of documents in a column of a table of units."""

from __future__ import annotations

from collections.abc import Iterable

from ...schema import Document
from ..common.bounds import Bounds
from ..common.records.first_mentions import FirstMentions
from ..common.span_rules import Problem
from .cells import Batch, cell_text
from .layout import Columns


def are_document_lengths(
    batches: Iterable[Batch], columns: Columns, at: int, bounds: Bounds
) -> bool:
    """Whether every document has one length in the column `at`, which no unit of it exceeds."""
    lengths: dict[str, str] = {}
    ends: dict[str, int] = {}
    document, end = columns.at.get("document"), columns.at["end"]
    for row in (row for batch in batches for row in batch.rows):
        if isinstance(row, Problem) or len(row) <= max(at, end, document or 0):
            continue
        name = "" if document is None else cell_text(row[document])
        length = cell_text(row[at]).strip()
        if length and lengths.setdefault(name, length) != length:
            return False
        bound = bounds.pair("0", cell_text(row[end]))
        if not isinstance(bound, Problem):
            ends[name] = max(ends.get(name, 0), bound[1])
    found = {name: bounds.pair("0", length) for name, length in lengths.items()}
    return bool(found) and all(
        not isinstance(bound, Problem) and bound[1] >= ends.get(name, 0)
        for name, bound in found.items()
    )


class DocumentLengths:
    """Lengths of documents seen so far; the first row with a length also yields the document."""

    def __init__(self, bounds: Bounds, seen: FirstMentions) -> None:
        self._bounds, self._seen = bounds, seen
        self._known: dict[str, int] = {}

    def new(self, document: str, cell: str) -> list[Document] | Problem:
        """Return the document if its length is new, nothing if known or empty, or the problem."""
        if not cell:
            return []
        bounds = self._bounds.pair("0", cell)
        if isinstance(bounds, Problem):
            message = f"the length of the document, {cell!r}, must be a positive number"
            return Problem("bad_length", cell, message)
        length, known = bounds[1], self._known.get(document)
        if known is None:
            self._known[document] = length
            return [self._seen.with_length(document, length)]
        if known != length:
            message = f"the document is {length} long here, but {known} in an earlier row"
            return Problem("other_length", cell, message)
        return []
