"""Formats with one file per annotator: each repeats the documents.

The records of documents are kept once. Where offsets count tokens, the tokens should be the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ....blocks import Block, Rows
from ....schema import Document
from ...notes import SourceNotes

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


class HashMap:
    """Maps hashes to hashes, 16 bytes per entry; recent ones in a dict, older in sorted arrays."""

    def __init__(self, recent: int = 65_536) -> None:
        self._most = recent
        self._recent: dict[int, int] = {}
        self._old = np.empty((2, 0), dtype=np.int64)  # sorted keys, and their values

    def __len__(self) -> int:
        return len(self._recent) + self._old.shape[1]

    def __getitem__(self, key: int) -> int | None:
        """Return the value of the key; None when it has none."""
        found = self._recent.get(key)
        if found is not None:
            return found
        keys, values = self._old
        at = int(keys.searchsorted(key))
        return int(values[at]) if at < len(keys) and keys[at] == key else None

    def __setitem__(self, key: int, value: int) -> None:
        """Set the value of a key that has none."""
        self._recent[key] = value
        if len(self._recent) >= self._most:
            recent = np.array([[*self._recent], [*self._recent.values()]], dtype=np.int64)
            joined = np.concatenate([self._old, recent], axis=1)
            self._old = joined[:, np.argsort(joined[0])]
            self._recent.clear()


class OneTokens:
    """Notes documents whose tokens differ from those of an earlier file; 16 bytes per document.

    Their rows are kept: other programs spell some tokens differently, and systems replace some.
    """

    def __init__(self) -> None:
        self._tokens = HashMap()

    def check(self, document: str, digest: bytes, notes: SourceNotes) -> None:
        """Compare the tokens of a file with those that the document had before.

        digest  a hash of the tokens
        """
        key, tokens = hash(document), hash(digest)
        known = self._tokens[key]
        if known is None:
            self._tokens[key] = tokens
        elif known != tokens:
            notes.note_other_tokens(document)
