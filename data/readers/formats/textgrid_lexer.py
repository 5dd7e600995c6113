"""Tokens of a TextGrid: strings, numbers and flags, as Praat reads its text files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from ...errors import DataError
from ..common.bounds import parse_seconds

_TOKEN = re.compile(r'"((?:[^"]|"")*)"|(<[a-z]+>)|([^\s"<]+)|(["<])')
_NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?%?$")


class Tokens:
    """Strings, numbers and flags of a Praat text file; every other word is a comment."""

    def __init__(self, text: str, source: str) -> None:
        self._text = text
        self._source = source
        self._at = 0  # position of the last token
        self._counted = (0, 1)  # a position and its line
        self._matches = self._scan()

    def require_end(self, what: str) -> None:
        """Raise DataError when anything but comments follows."""
        if next(self._matches, None) is not None:
            raise DataError(
                f"{self._source}, line {self.line}: the file continues after {what}: one of its "
                "counts is wrong"
            )

    @property
    def line(self) -> int:
        """Return the line of the last token."""
        place, line = self._counted
        self._counted = (self._at, line + self._text.count("\n", place, self._at))
        return self._counted[1]

    def _scan(self) -> Iterator[tuple[str, str]]:
        for match in _TOKEN.finditer(self._text):
            self._at = match.start()
            group = match.lastindex
            if group == 3:
                if _NUMBER.match(word := match[3]):
                    yield "number", word
            elif group == 1:
                yield "string", match[1].replace('""', '"')
            elif group == 2:
                yield "flag", match[2]
            else:
                raise DataError(f"{self._source} line {self.line}: a string or flag is not closed")

    def _next_token(self, kind: str, what: str) -> str:
        found, value = next(self._matches, ("end of file", ""))
        if found != kind:
            raise DataError(
                f"{self._source} line {self.line}: expected a {kind} for {what}, found {found}"
                f" {value[:40]!r}; the file is truncated or damaged"
            )
        return value

    def skip_header(self) -> None:
        self._next_token("string", "the file type")
        self._next_token("string", "the object class")

    def string(self, what: str) -> str:
        return self._next_token("string", what)

    def flag(self) -> str:
        return self._next_token("flag", "the tiers")

    def number(self, what: str) -> Decimal:
        text = self._next_token("number", what)
        value = parse_seconds(text)
        if value is None:
            raise DataError(f"{self._source} line {self.line}: {what} {text!r} is not a time")
        return value

    def count(self) -> int:
        value = self.number("a size")
        if value != value.to_integral_value() or not 0 <= value < 10**9:
            raise DataError(f"{self._source} line {self.line}: {value} is not a size")
        return int(value)
