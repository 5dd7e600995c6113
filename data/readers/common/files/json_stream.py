"""JSON values of a large file, one at a time: JSON lines, or the elements of one JSON array.

Tools export either; the first character shows which. Memory holds one value (at most
`MAX_VALUE_CHARS`), not the file: an array is decoded in a window that grows only while a value is
incomplete. Python's `json` parses the values; no maintained streaming parser is faster.
"""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import Any, TypeAlias

from ....errors import DataError
from ..span_rules import Problem
from .lines import iter_lines, open_binary
from .text import encoding_of

JsonObject: TypeAlias = dict[str, Any]

MAX_VALUE_CHARS = 64 * 1024 * 1024
_WINDOW = 1 << 18
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# JSON text whose escaped surrogates are all in pairs; possessive, so that it never backtracks
_PAIRED = re.compile(
    r"(?:[^\\]++|\\(?:[^u]|u(?:(?![dD][89a-fA-F])"
    r"|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})))*+"
)
# a token cut by the window's end is reported at most this far before it (`-Infinity`, `\uXXXX`)
_CUT_TOKEN = 16


def iter_objects(file: Path | bytes) -> Iterator[tuple[str, JsonObject | Problem]]:
    """Yield `(where, object)` for each JSON object of a file; where = "line 12" or "element 12".

    `file` is a path, or the bytes of an archive's entry.

    Rules of the yielded `Problem`s: `bad_json`, `not_an_object`, `lone_surrogate` (half a character
    pair, which no UTF-8 text can hold), and those of `iter_lines`. After an invalid line reading
    continues; after an invalid array element the rest of the array cannot be located and reading
    stops.

    Raises DataError when the file cannot be opened, is empty, or does not begin like JSON.
    """
    if _first_character(file) == "[":
        for number, value in enumerate(_array_elements(file), 1):
            yield f"element {number}", value
        return
    lines = _lines(file) if isinstance(file, bytes) else iter_lines(file, max_bytes=MAX_VALUE_CHARS)
    for number, line in lines:
        if isinstance(line, Problem):
            yield f"line {number}", line
        elif line.strip():
            yield f"line {number}", _parse_object(line)


def first_object(file: Path | bytes) -> JsonObject | None:
    """Return the first object of the file, or None if its beginning has none; for probes."""
    try:
        for _, value in iter_objects(file):
            return None if isinstance(value, Problem) else value
    except DataError:
        pass
    return None


def iter_entries(file: Path) -> Iterator[JsonObject]:
    """Yield the values of a file that is one object of objects, as far as they are; for probes."""
    try:
        if _first_character(file) != "{":
            return
    except DataError:
        return
    with _open_path_or_bytes(file) as stream:
        window = _Window(stream)
        while not window.lost:
            window.position = window.skip_space() + 1  # past "{" or ","
            window.skip_space()
            window.value()  # the key, a text
            at = window.skip_space()
            if window.lost or window.text[at : at + 1] != ":":
                return
            window.position = at + 1
            window.skip_space()
            value = window.value()
            if isinstance(value, Problem):
                return
            yield value
            at = window.skip_space()
            if window.text[at : at + 1] != ",":
                return


def _open_path_or_bytes(file: Path | bytes) -> BufferedIOBase:
    return io.BytesIO(file) if isinstance(file, bytes) else open_binary(file)


def _lines(data: bytes) -> Iterator[tuple[int, str | Problem]]:
    """Apply `iter_lines` to bytes in UTF-8, with or without a byte order mark."""
    _, mark = encoding_of(data)
    for number, raw in enumerate(io.BytesIO(data[mark:]), 1):
        try:
            yield number, raw.decode()
        except UnicodeDecodeError as error:
            near = repr(raw[error.start : error.start + 20])
            yield number, Problem("undecodable", near, "the line is not UTF-8; convert it to UTF-8")


def _first_character(file: Path | bytes) -> str:
    with _open_path_or_bytes(file) as stream:
        start = stream.read(4096)
    encoding, mark = encoding_of(start)
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    first = decoder.decode(start[mark:]).lstrip()[:1]
    if first not in ("[", "{"):
        found = "is empty" if not first else f"begins with {first!r}"
        name = file.name if isinstance(file, Path) else "the entry"
        raise DataError(f"{name}: {found}; expected JSON lines or a JSON array of objects")
    return first


def _parse_object(text: str) -> JsonObject | Problem:
    try:
        value, end = _DECODER.raw_decode(text)  # equivalent to `json.loads`, a fifth faster
        if end == len(text):
            return _object_or_problem(value, text)
    except (RecursionError, ValueError):
        pass  # surrounding white space, or an error that the slow path reports
    try:
        value = json.loads(text)
    except RecursionError:
        return Problem("bad_json", text[:80], "the JSON is nested too deeply")
    except ValueError as error:
        if text.strip() == "{":
            message = "an object spans several lines; write one per line, or a JSON array"
            return Problem("bad_json", "{", message)
        return Problem("bad_json", text[:80], f"not a JSON value: {error}")
    return _object_or_problem(value, text)


def _object_or_problem(value: object, text: str) -> JsonObject | Problem:
    if not isinstance(value, dict):
        return Problem("not_an_object", text[:80], "expected a JSON object")
    if "\\u" in text and _SURROGATE.search(text) and not _PAIRED.fullmatch(text):
        return Problem(
            "lone_surrogate",
            text[:80],
            "the text contains half of a surrogate pair, which is not a character",
        )
    return value


def _array_elements(file: Path | bytes) -> Iterator[JsonObject | Problem]:
    with _open_path_or_bytes(file) as stream:
        window = _Window(stream)
        window.position = window.skip_space() + 1  # past "["
        first = True
        while True:
            at = window.skip_space()
            mark = window.text[at : at + 1]
            if mark == "]":
                return
            if not first:
                if mark != ",":
                    yield window.broken("expected `,` or `]` after a value", at)
                    return
                window.position = at + 1
                window.skip_space()
            value = window.value()
            yield value
            if isinstance(value, Problem) and window.lost:
                return
            first = False


class _Window:
    """The part of the file's text held in memory: from the current value as far as needed."""

    def __init__(self, stream: BufferedIOBase) -> None:
        encoding, mark = encoding_of(stream.read(4))
        stream.seek(mark)
        self.text = ""
        self.position = 0
        self.lost = False
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._undecodable: Problem | None = None
        self._end = False

    def more(self, chars: int = _WINDOW) -> bool:
        """Drop the text already parsed and read more; return False at the end of the file."""
        if self._end:
            return False
        raw = self._stream.read(chars)
        try:
            piece = self._decoder.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            near = repr(error.object[error.start : error.start + 20])
            self._undecodable = Problem(
                "undecodable", near, "the file is not UTF-8 from here on; convert it to UTF-8"
            )
            piece, raw = "", b""
        self._end = not raw
        self.text = self.text[self.position :] + piece
        self.position = 0
        return not self._end

    def skip_space(self) -> int:
        """Skip white space and return the position of the next other character."""
        while True:
            match = _SPACE.match(self.text, self.position)
            self.position = match.end() if match else self.position
            if self.position < len(self.text) or not self.more():
                return self.position

    def value(self) -> JsonObject | Problem:
        """Return the JSON value at the position and move past it.

        Returns a Problem with `lost` set when the text is damaged and the next value cannot be
        located.
        """
        grow = _WINDOW
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.position)
            except json.JSONDecodeError as error:
                cut = error.pos >= len(self.text) - _CUT_TOKEN
                cut = cut or error.msg.startswith("Unterminated string")
                if not cut or len(self.text) - self.position > MAX_VALUE_CHARS:
                    return self.broken(error.msg, error.pos)
                if not self.more(grow):
                    return self.broken(f"{error.msg}: the file is truncated", error.pos)
                grow *= 2
                continue
            except RecursionError:
                return self.broken("the JSON is nested too deeply", self.position)
            except ValueError as error:  # an integer of thousands of digits
                return self.broken(str(error), self.position)
            text = self.text[self.position : end]
            self.position = end
            return _object_or_problem(value, text)

    def broken(self, reason: str, at: int) -> Problem:
        """Return the Problem of a damaged array, after which reading cannot continue."""
        self.lost = True
        if self._undecodable is not None:
            return self._undecodable
        near = self.text[max(0, at - 20) : at + 40]
        return Problem("bad_json", near, f"{reason}; the rest of the array cannot be read")
