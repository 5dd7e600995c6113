"""Rules that a span must keep to become a unit, with messages shared by all readers."""

from __future__ import annotations

from typing import NamedTuple

MOST_DIGITS = 18
"""Fits in an int64, and keeps hostile files from spelling numbers of a million digits."""


class Problem(NamedTuple):
    """A broken rule: its stable name, the offending value, and a readable message."""

    rule: str
    value: str
    message: str


def span_problem(start: int, end: int, *, length: int = -1) -> Problem | None:
    """Return what is wrong with `[start, end)` in a document of `length` (-1: unknown), or None.

    Rules: `negative_offset`, `end_before_start`, `zero_length` (its positional dissimilarity is
    0/0), `outside_document`.
    """
    if 0 <= start < end and (end <= length or length < 0):
        return None
    value = f"{start} {end}"
    if start < 0 or end < 0:
        return Problem("negative_offset", value, f"offset {min(start, end)} is negative")
    if end < start:
        return Problem("end_before_start", value, f"end ({end}) is before start ({start})")
    if start == end:
        return Problem("zero_length", value, f"the unit at {start} has zero length")
    return Problem("outside_document", value, f"end ({end}) is after the document's end ({length})")


def parse_integer(text: str) -> int | None:
    """Return the integer that `text` spells in plain digits with an optional sign, or None."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    plain = digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS
    return int(text) if plain else None


def is_number(text: str) -> bool:
    """Return whether `float` can read the text."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def are_digits(texts: list[str]) -> bool:
    """Return whether `parse_integer` can read every text, without signs."""
    joined = "".join(texts)
    return joined.isascii() and joined.isdigit() and max(map(len, texts)) <= MOST_DIGITS


def surface_problem(text: str, pieces: list[tuple[int, int]], surface: str) -> Problem | None:
    """Return `surface_mismatch` when `surface` differs from `text` at `pieces`, white space aside.

    Tools write a line end inside a unit as a space and join the pieces of a discontinuous unit
    with one: runs of white space compare equal, every other character must be the same. The pieces
    may be joined in the order given or in that of the text.
    """
    found = ""
    for ordered in (sorted(pieces), pieces):
        found = " ".join(text[start:end] for start, end in ordered)
        if found == surface or found.split() == surface.split():
            return None
    return Problem(
        "surface_mismatch",
        surface[:200],
        f"the document has {found[:80]!r} where the export says {surface[:80]!r}",
    )
