"""Formats with one file per annotator: each repeats the documents, which are kept once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....blocks import Block, Rows
from ....schema import Document
from .hash_map import HashMap

_NO_TEXT = -1  # never returned by `hash`


class SameText:
    """Drops the record of a document that an earlier file of the source has with the same text.

    A document with another text is yielded, so that the rule `text_agrees` rejects the rows of its
    file. 16 bytes per document are held.
    """

    def __init__(self) -> None:
        self._texts = HashMap()

    def without_repeated(self, rows: Iterable[Rows]) -> Iterator[Rows]:
        for record in rows:
            if isinstance(record, Block) and record.TABLE == Document.TABLE:
                yield from self.without_repeated(record.records())
            elif not isinstance(record, Document) or self._is_new(record):
                yield record

    def _is_new(self, document: Document) -> bool:
        key = hash(document.document)
        text = hash(document.sha256) if document.sha256 else _NO_TEXT
        known = self._texts[key]
        if known is None:
            self._texts[key] = text
        return known is None or (_NO_TEXT not in (known, text) and known != text)
