"""Part of a text with the words around it."""

from __future__ import annotations


def words_around(text: str, start: int, end: int, around: int) -> tuple[str, tuple[int, int]]:
    """Return `text[start:end]` with whole words around it, and its position in the result."""
    if not text:
        return "", (0, 0)
    first, last = max(0, start - around), min(len(text), end + around)
    while 0 < first < start and not text[first - 1].isspace():
        first += 1
    while end < last < len(text) and not text[last].isspace():
        last -= 1
    before, after = "… " if first > 0 else "", " …" if last < len(text) else ""
    shift = len(before) - first
    # Each line break becomes one space, so that offsets stay valid.
    shown = "".join(" " if letter.isspace() else letter for letter in text[first:last])
    return f"{before}{shown}{after}", (start + shift, end + shift)
