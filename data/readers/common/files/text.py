"""Text that matches the offsets: decoding that shifts nothing, UTF-16 offsets, surface checks.

Line ends stay unchanged ("\\r\\n" is two code points) and nothing is normalised: an offset of the
export refers to the same character here. A byte order mark is dropped unless the tool counts it.
"""

from __future__ import annotations

import codecs
import hashlib
from bisect import bisect_left
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ....errors import DataError
from ....untrusted.files import open_regular
from ..span_rules import Problem, parse_integer, span_problem

Offsets: TypeAlias = NDArray[np.int64]

# UTF-32 first: its little-endian mark begins with that of UTF-16
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def encoding_of(start: bytes, default: str = "utf-8") -> tuple[str, int]:
    """Return the encoding and length of a byte order mark; (default, 0) without a mark."""
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding, len(mark)
    return default, 0


def decode(data: bytes, source: str, *, default: str = "utf-8") -> str:
    """Decode by the byte order mark, or else as `default`; no other character changes.

    Raises DataError (`source`, byte position) when the bytes are not valid in that encoding.
    """
    encoding, skip = encoding_of(data, default)
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{source}: byte {error.start + skip} is not {encoding.upper()}; "
            "convert the file to UTF-8"
        ) from error
    except LookupError as error:
        raise DataError(f"{source}: unknown encoding {default!r}") from error


def first_bytes(path: Path, n_bytes: int = 4096) -> bytes:
    """Return the beginning of a file; empty for a folder or a file that cannot be opened."""
    try:
        with open_regular(path) as stream:
            return stream.read(n_bytes)
    except OSError:
        return b""


def is_type_system(path: Path) -> bool:
    """Return whether a file describes the types of UIMA's XMI files, which is not an export."""
    return path.suffix.lower() == ".xml" and b"<typeSystemDescription" in first_bytes(path)


def sha256_of(content: str | bytes) -> str:
    """Return the hexadecimal SHA-256 of bytes, or of a text's UTF-8 (lone surrogates kept)."""
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return hashlib.sha256(data).hexdigest()


class Utf16Offsets:
    """Converts between UTF-16 code unit offsets and code point offsets of one text.

    Tools written in Java or JavaScript count an emoji as two units; the tables count code points.
    """

    def __init__(self, text: str) -> None:
        self.length = len(text)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        # indices of code points that take two units, and the UTF-16 offset of their second unit
        self._wide = np.flatnonzero(codes > 0xFFFF)
        self._second = self._wide + np.arange(len(self._wide)) + 1
        self._seconds: list[int] = self._second.tolist()
        self.utf16_length = self.length + len(self._wide)
        self.is_plain = not len(self._wide)  # every character is one unit

    def to_code_points(self, offsets: ArrayLike) -> Offsets:
        """Convert UTF-16 `offsets` to code points; -1 outside the text or inside a pair."""
        units = np.asarray(offsets, dtype=np.int64)
        outside = (units < 0) | (units > self.utf16_length)
        if self.is_plain:
            return np.where(outside, -1, units)
        before = np.searchsorted(self._second, units, side="left")
        inside = self._second[np.minimum(before, len(self._second) - 1)] == units
        return np.where(inside | outside, -1, units - before)

    def to_code_point(self, offset: int) -> int:
        """Convert one offset that is inside the text, as `to_code_points`; -1 inside a pair."""
        before = bisect_left(self._seconds, offset)
        inside = before < len(self._seconds) and self._seconds[before] == offset
        return -1 if inside else offset - before

    def from_code_points(self, offsets: ArrayLike) -> Offsets:
        """Convert code point `offsets` to UTF-16; -1 outside the text."""
        points = np.asarray(offsets, dtype=np.int64)
        outside = (points < 0) | (points > self.length)
        return np.where(outside, -1, points + np.searchsorted(self._wide, points, side="left"))


def parse_utf16_bounds(start: str, end: str, offsets: Utf16Offsets) -> tuple[int, int] | Problem:
    """Convert UTF-16 bounds as written to `[start, end)` in code points, or return the problem.

    Rules: `not_an_offset`, the rules of `span_problem`, and `inside_character`.
    """
    first, last = parse_integer(start), parse_integer(end)
    if first is None or last is None:
        value = f"{start} {end}"
        return Problem("not_an_offset", value, f"{value!r} is not a pair of whole numbers")
    return convert_utf16_bounds(first, last, offsets)


def convert_utf16_bounds(start: int, end: int, offsets: Utf16Offsets) -> tuple[int, int] | Problem:
    """Apply `parse_utf16_bounds` to integers."""
    if offsets.is_plain and 0 <= start < end <= offsets.length:
        return start, end
    problem = span_problem(start, end, length=offsets.utf16_length)
    if problem is not None:
        return problem
    points = (offsets.to_code_point(start), offsets.to_code_point(end))
    if min(points) < 0:
        message = "a bound falls inside a character that takes two UTF-16 code units"
        return Problem("inside_character", f"{start} {end}", message)
    return points
