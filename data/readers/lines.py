"""Lines of a large text file, one at a time, whatever their bytes: memory stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedIOBase, BufferedReader, BytesIO
from pathlib import Path

from data.errors import DataError
from data.readers.spans import Problem
from data.readers.text import encoding_of

MAX_LINE_BYTES = 64 * 1024 * 1024
_CHUNK = 1 << 20
_BUFFER = 1 << 16


def open_binary(path: Path) -> BufferedReader:
    """The file opened for reading bytes. Raises DataError (never OSError) with the reason."""
    try:
        return BufferedReader(path.open("rb", buffering=0), _BUFFER)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def iter_lines(
    file: Path | bytes, *, default: str = "utf-8", max_bytes: int = MAX_LINE_BYTES
) -> Iterator[tuple[int, str | Problem]]:
    """`(line number from 1, text without its line end)`; a `Problem` for a line that is no text.

    Rules: `undecodable` (the other lines go on) and `line_too_long` (over `max_bytes`; the line is
    skipped without being held). A byte order mark is dropped. UTF-16 and UTF-32 need their mark.
    Raises DataError when the file cannot be opened.
    """
    with BytesIO(file) if isinstance(file, bytes) else open_binary(file) as stream:
        encoding, mark = encoding_of(stream.read(4), default)
        stream.seek(mark)
        if encoding.startswith(("utf-16", "utf-32")):
            yield from _wide_lines(stream, encoding, max_bytes)
            return
        number = 0
        while raw := stream.readline(max_bytes + 1):
            number += 1
            if len(raw) > max_bytes and not raw.endswith(b"\n"):
                _skip_line(stream)
                yield number, _too_long(max_bytes)
                continue
            try:
                yield number, raw.rstrip(b"\r\n").decode(encoding)
            except UnicodeDecodeError as error:
                yield number, _undecodable(raw, error, encoding)


def _skip_line(stream: BufferedIOBase) -> None:
    while (piece := stream.readline(_CHUNK)) and not piece.endswith(b"\n"):
        pass


def _wide_lines(
    stream: BufferedIOBase, encoding: str, max_bytes: int
) -> Iterator[tuple[int, str | Problem]]:
    """Lines of UTF-16 or UTF-32, whose line feed byte may stand inside a character."""
    feed = "\n".encode(encoding)
    width = len(feed)
    held = b""
    number = 0
    while True:
        chunk = stream.read(_CHUNK)
        held += chunk
        at, position = 0, held.find(feed)
        while position >= 0:
            if position % width == 0:
                number += 1
                yield number, _decoded(held[at:position], encoding)
                at = position + width
            position = held.find(feed, position + 1)
        held = held[at:]
        if len(held) > max_bytes:
            raise DataError(_too_long(max_bytes).message)
        if not chunk:
            break
    if held:
        yield number + 1, _decoded(held, encoding)


def _decoded(raw: bytes, encoding: str) -> str | Problem:
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        return _undecodable(raw, error, encoding)
    return text.rstrip("\r")


def _undecodable(raw: bytes, error: UnicodeDecodeError, encoding: str) -> Problem:
    value = raw[max(0, error.start - 20) : error.start + 20]
    return Problem(
        "undecodable",
        repr(value),
        f"byte {error.start} of the line is not {encoding.upper()}; convert it to UTF-8",
    )


def _too_long(max_bytes: int) -> Problem:
    return Problem("line_too_long", "", f"the line is longer than {max_bytes} bytes")
