"""Convert chunk tags of tokens (IOB1, IOB2, BIOES) to spans, by a strict or a lenient rule.

| scheme | a chunk |
|---|---|
| iob1 | I-X …; B-X only where it follows a chunk of the same type (Ramshaw and Marcus 1995) |
| iob2 | B-X I-X … (CoNLL-2000 and after); also called BIO |
| bioes | B-X I-X … E-X, or S-X; also IOBES, and BILOU with L for E and U for S |

`lenient` is the rule of conlleval (Tjong Kim Sang 2000), which accepts any sequence: a chunk begins
at B, S or U, and at I, E or L if no chunk of its type is open. `strict` accepts only chunks that
the scheme allows; other runs are rejected with every token.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

ChunkScheme = Literal["iob1", "iob2", "bio", "bioes", "iobes", "bilou"]
SCHEMES: dict[str, str] = {
    "iob1": "IB",
    "iob2": "BI",
    "bio": "BI",
    "bioes": "BIES",
    "iobes": "BIES",
    "bilou": "BILU",
}
OUTSIDE = "O"
UNKNOWN = "?"
PREFIXES = ("B", "I", "E", "S", "L", "U", "O", "_", "*")  # valid prefixes of a tag
_SAME = {"L": "E", "U": "S"}


class Chunk(NamedTuple):
    """Tokens `[start, end)` of one type; `broken` is the offending tag of a rejected run, or "".

    `is_cut`: beside a token whose tag is unknown, so that its bounds are unknown
    """

    start: int
    end: int
    type: str
    broken: str = ""
    is_cut: bool = False


def split_tag(tag: str) -> tuple[str, str]:
    """Split a tag in prefix (B, I, E, S or O) and type: `B-NP` is (B, NP), `_` is (O, "")."""
    if tag in (OUTSIDE, "_", "*", "-"):
        return OUTSIDE, ""
    prefix, _, type_ = tag.partition("-")
    return _SAME.get(prefix, prefix), type_


def is_chunk_tag(tag: str) -> bool:
    """Return whether a cell looks like a chunk tag of any of the schemes."""
    return tag in (OUTSIDE, "_") or (tag[:1] in "BIESLU" and tag[1:2] == "-" and len(tag) > 2)


@dataclass(slots=True)
class ChunkReader:
    """Takes one tag at a time; `end` closes the sentence, because chunks never cross its end."""

    scheme: str = "iob2"
    strict: bool = False
    _open: Chunk | None = None
    _last: tuple[str, str] = (OUTSIDE, "")

    @property
    def is_outside(self) -> bool:
        """Return whether the last token was outside every chunk."""
        return self._open is None and self._last[0] == OUTSIDE

    def tag(self, position: int, tag: str) -> Iterator[Chunk]:
        """Return the chunks closed by the token at `position`, including one that ends there."""
        prefix, type_ = split_tag(tag)
        continues = self._continues(prefix, type_)
        if not continues:
            yield from self._close()
        if prefix != OUTSIDE:
            if self._open is None:
                broken = tag if self.strict and not self._may_begin(prefix, type_) else ""
                is_cut = self._last[0] == UNKNOWN and prefix not in "BS"
                self._open = Chunk(position, position + 1, type_, broken, is_cut)
            else:
                self._open = self._open._replace(end=position + 1)
            if self.strict and prefix not in self._prefixes:
                self._open = self._open._replace(broken=tag)
            if prefix in "ES":
                self._last = (prefix, type_)
                yield from self._close()
        self._last = (prefix, type_)

    def unknown_tag(self) -> Iterator[Chunk]:
        """Return the chunk that is open at a token whose tag is unknown."""
        if self._open is not None:
            self._open = self._open._replace(is_cut=True)
        yield from self._close()
        self._last = (UNKNOWN, "")

    def end(self) -> Iterator[Chunk]:
        """Return the chunk that the end of the sentence closes."""
        yield from self._close()
        self._last = (OUTSIDE, "")

    def _continues(self, prefix: str, type_: str) -> bool:
        return (
            self._open is not None
            and prefix in "IE"
            and type_ == self._open.type
            and self._last[0] in "BI"
        )

    def _may_begin(self, prefix: str, type_: str) -> bool:
        if self.scheme == "iob1":
            after = self._last[0] in "BI" and self._last[1] == type_
            return prefix == "I" or (prefix == "B" and after)
        return prefix == "B" or (prefix == "S" and "S" in self._prefixes)

    def _close(self) -> Iterator[Chunk]:
        chunk, self._open = self._open, None
        if chunk is None:
            return
        needs_end = self.strict and "S" in self._prefixes and self._last[0] not in "ES"
        if needs_end and not chunk.broken:
            chunk = chunk._replace(broken=f"{self._last[0]}-{chunk.type}")
        yield chunk

    @property
    def _prefixes(self) -> str:
        return "".join(_SAME.get(p, p) for p in SCHEMES[self.scheme])
