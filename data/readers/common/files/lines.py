"""Read the lines of a large text file one by one, whatever their bytes, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BufferedIOBase, BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, TypeAlias

from ....errors import DataError
from ....untrusted.budget import budget
from ....untrusted.files import open_regular
from ..span_rules import Problem
from .text import encoding_of

MAX_LINE_BYTES = 64 * 1024 * 1024
BLOCK_BYTES = 1 << 17
_BUFFER = 1 << 16

ByteBlock: TypeAlias = tuple[int, bytes | Problem, str]
"""Number of the first line, the lines, and their encoding."""


def open_binary(path: Path) -> BufferedReader:
    """Open the file for reading bytes. Raises DataError (never OSError) with the reason."""
    try:
        return BufferedReader(open_regular(path, buffering=0), _BUFFER)  # type: ignore[arg-type]  # a raw stream
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def iter_lines(
    file: Path | bytes, *, default: str = "utf-8", max_bytes: int = MAX_LINE_BYTES
) -> Iterator[tuple[int, str | Problem]]:
    """Yield `(line number from 1, text without its line end)`; a `Problem` for an invalid line.

    Rules: `undecodable` (reading continues) and `line_too_long` (over `max_bytes`; the line is
    skipped without being held). A byte order mark is dropped; UTF-16 and UTF-32 require one. Raises
    DataError when the file cannot be opened or its encoding is unknown.
    """
    for number, text in decode_blocks(iter_byte_blocks(file, default=default, max_bytes=max_bytes)):
        if isinstance(text, Problem):
            yield number, text
        else:
            yield from enumerate(text[:-1].split("\n"), number)


def decode_blocks(blocks: Iterable[ByteBlock]) -> Iterator[tuple[int, str | Problem]]:
    """Decode blocks of bytes to text that ends in a line feed, each with its first line's number.

    A block that cannot be decoded is yielded line by line.
    """
    for number, block, encoding in blocks:
        if isinstance(block, Problem):
            yield number, block
            continue
        try:
            yield number, _with_line_feeds(block.decode(encoding))
        except UnicodeDecodeError:
            for k, raw in enumerate(block.removesuffix(b"\n").split(b"\n"), number):
                line = decode_line(raw, encoding)
                yield k, line if isinstance(line, Problem) else line + "\n"


def _with_line_feeds(text: str) -> str:
    if "\r" in text:
        text = "\n".join(line.rstrip("\r") for line in text.split("\n"))
    return text if text.endswith("\n") else text + "\n"


def iter_byte_blocks(
    file: Path | bytes, *, default: str = "utf-8", max_bytes: int = MAX_LINE_BYTES
) -> Iterator[ByteBlock]:
    """Yield whole lines as bytes, with their line ends, about `BLOCK_BYTES` at a time.

    A line longer than `max_bytes` is yielded as the Problem `line_too_long`. UTF-16 and UTF-32 are
    converted to UTF-8, carriage returns of a file that has no line feed (of an old Macintosh) to
    line feeds. Raises DataError for more blank lines than the budget allows.
    """
    with BytesIO(file) if isinstance(file, bytes) else open_binary(file) as opened:
        encoding, mark = encoding_of(opened.read(4), default)
        stream = _with_feeds(opened, mark, max_bytes)
        try:
            feed = "\n".encode(encoding)
        except LookupError as error:
            raise DataError(
                f"unknown encoding {encoding!r}; use an encoding that Python supports"
            ) from error
        if len(feed) > 1:
            for number, line in _lines_of_wide_encoding(stream, encoding, max_bytes):
                yield number, line if isinstance(line, Problem) else line.encode() + b"\n", "utf-8"
            return
        number, n_blank, limits = 1, 0, budget()
        while block := stream.read(BLOCK_BYTES):
            if not block.endswith(b"\n"):
                block += stream.readline(max_bytes + 1)
            n_blank = n_blank + len(block) if block.isspace() else 0
            if n_blank > limits.blank_bytes:
                name = "the entry" if isinstance(file, bytes) else file.name
                raise limits.breach("blank_bytes", name, f"line {number:,} follows blank lines")
            is_short = len(block) <= max_bytes
            for piece in [block] if is_short else _without_long_lines(stream, block, max_bytes):
                yield number, piece, encoding
                number += 1 if isinstance(piece, Problem) else piece.count(b"\n")


class _ReturnsAsFeeds(RawIOBase):
    """Bytes of `stream`, each carriage return as a line feed."""

    def __init__(self, stream: BufferedIOBase) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read(len(buffer)).replace(b"\r", b"\n")
        buffer[: len(block)] = block
        return len(block)


def _with_feeds(stream: BufferedIOBase, start: int, max_bytes: int) -> BufferedIOBase:
    """Return the stream from `start` on, with line feeds if it has carriage returns alone."""
    stream.seek(start)
    first = stream.readline(max_bytes)
    stream.seek(start)
    if b"\n" in first or b"\r" not in first.strip():
        return stream
    return BufferedReader(_ReturnsAsFeeds(stream), _BUFFER)


def _without_long_lines(
    stream: BufferedIOBase, block: bytes, max_bytes: int
) -> Iterator[bytes | Problem]:
    """Yield the block's lines except those that are too long; the rest of a cut line is skipped."""
    start = 0
    while start < len(block):
        end = block.find(b"\n", start) + 1
        if (end or len(block)) - start > max_bytes + bool(end):
            if not end:
                _skip_line(stream)
            yield Problem("line_too_long", "", f"the line is longer than {max_bytes} bytes")
        else:
            yield block[start : end or len(block)]
        start = end or len(block)


def _skip_line(stream: BufferedIOBase) -> None:
    while (piece := stream.readline(BLOCK_BYTES)) and not piece.endswith(b"\n"):
        pass


def _lines_of_wide_encoding(
    stream: BufferedIOBase, encoding: str, max_bytes: int
) -> Iterator[tuple[int, str | Problem]]:
    """Yield lines of UTF-16 or UTF-32, whose line feed byte may be part of a character."""
    feed = "\n".encode(encoding)
    width = len(feed)
    held = b""
    number = 0
    while True:
        chunk = stream.read(BLOCK_BYTES)
        held += chunk
        at, position = 0, held.find(feed)
        while position >= 0:
            if position % width == 0:
                number += 1
                yield number, decode_line(held[at:position], encoding)
                at = position + width
            position = held.find(feed, position + 1)
        held = held[at:]
        if len(held) > max_bytes:
            raise DataError(f"line {number + 1} is longer than {max_bytes} bytes")
        if not chunk:
            break
    if held:
        yield number + 1, decode_line(held, encoding)


def decode_line(raw: bytes, encoding: str) -> str | Problem:
    """Decode one line without its line end, or return the Problem `undecodable`."""
    try:
        return raw.decode(encoding).rstrip("\r")
    except UnicodeDecodeError as error:
        value = raw[max(0, error.start - 20) : error.start + 20]
        return Problem(
            "undecodable",
            repr(value),
            f"byte {error.start} of the line is not {encoding.upper()}; convert it to UTF-8",
        )
