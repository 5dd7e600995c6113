"""Formats whose offsets count tokens: each file repeats them, and they should be the same."""

from __future__ import annotations

from ...notes import SourceNotes
from .hash_map import HashMap


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
