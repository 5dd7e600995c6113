"""How long the documents of a table of units are, as the rows say it."""

from __future__ import annotations

from ...schema import Document
from ..common.bounds import Bounds
from ..common.records.seen import Seen
from ..common.spans import Problem


class DocumentLengths:
    """The lengths met so far; the first row that says one brings the document with it."""

    def __init__(self, bounds: Bounds, seen: Seen) -> None:
        self._bounds, self._seen = bounds, seen
        self._known: dict[str, int] = {}

    def new(self, document: str, cell: str) -> list[Document] | Problem:
        """What the row's cell says of its document: nothing, its length, or what is wrong."""
        if not cell:
            return []
        bounds = self._bounds.pair("0", cell)
        if isinstance(bounds, Problem):
            message = f"the length of the document, {cell!r}, is no number above 0"
            return Problem("bad_length", cell, message)
        length, known = bounds[1], self._known.get(document)
        if known is None:
            self._known[document] = length
            return [self._seen.with_length(document, length)]
        if known != length:
            message = f"the document is {length} long here, and {known} in a row before"
            return Problem("other_length", cell, message)
        return []
