"""Cite numbers in a document with their locations in results.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .corpus_to_release import Corpus

Style = Literal["text", "markdown"]


class Citations:
    """Cites numbers of `results.json` by JSON pointer (RFC 6901), in prose without it."""

    def __init__(self, corpus: Corpus, style: Style) -> None:
        self._corpus = corpus
        self._style = style

    def at(self, pointer: str) -> object:
        """Return the value at a pointer. Raises KeyError or IndexError if there is none."""
        found: object = self._corpus.json
        for part in pointer.split("/")[1:]:
            if isinstance(found, Mapping):
                found = found[part.replace("~1", "/").replace("~0", "~")]
            elif isinstance(found, list):
                found = found[int(part)]
            else:
                raise KeyError(pointer)
        return found

    def number(self, pointer: str, digits: int = 3) -> str:
        value = self._number(pointer)
        say = self._corpus.say
        shown = say.integer(value) if isinstance(value, int) else say.number(value, digits)
        return self._cited(shown, pointer)

    def percent(self, pointer: str) -> str:
        """Format a share as a percentage; a whole confidence level has no decimals."""
        value = self._number(pointer)
        is_level = pointer.endswith(("/level", "/level_of_shares"))
        digits = 0 if is_level and round(100 * value, 9).is_integer() else 1
        return self._cited(self._corpus.say.percent(value, digits), pointer)

    def text(self, pointer: str) -> str:
        """Cite a text of the results that may contain figures."""
        return self._cited(str(self.at(pointer)), pointer)

    def _number(self, pointer: str) -> float:
        value = self.at(pointer)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ValueError(f"{pointer} of results.json is not a number")
        return value

    def _cited(self, shown: str, pointer: str) -> str:
        if self._style == "markdown":  # prose
            return shown
        return f"{shown} [results.json#{pointer}]"


def pointer_part(name: str) -> str:
    """Encode a key of an object as a part of a pointer."""
    return name.replace("~", "~0").replace("/", "~1")
