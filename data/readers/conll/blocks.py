"""Lines of a CoNLL file looked at many at a time: plain ones give their chunks and labels at once.

A chunk tag continues a chunk by the rule of `chunks.ChunkReader` (lenient), which looks at no more
than the tag before it: B or I before an I or E of the same type. So all the tags of a piece of a
document can be compared with their neighbours at once. A piece ends where no chunk is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .chunks import OUTSIDE, PREFIXES, split_tag

_PREFIXES = "OBIES"
_O, _B, _I, _E, _S = range(5)
_NO_TAG = ""  # what stands for a line end between sentences: it closes chunks as O does

Ints: TypeAlias = NDArray[np.int64]


class _Tags(dict[str, int]):
    """A number for each tag, with its prefix and its type; `bad` once one is no tag at all."""

    def __init__(self) -> None:
        self.prefixes: list[int] = []
        self.types: list[int] = []
        self.numbers_of_types: dict[str, int] = {}
        self.bad = False
        self[_NO_TAG]  # number 0: outside

    def __missing__(self, tag: str) -> int:
        self.bad = self.bad or (tag or OUTSIDE).partition("-")[0] not in PREFIXES
        prefix, type_ = split_tag(tag or OUTSIDE)
        number = self[tag] = len(self)
        self.prefixes.append(max(_PREFIXES.find(prefix), 0))
        self.types.append(self.numbers_of_types.setdefault(type_, len(self.numbers_of_types)))
        return number


class Chunks(NamedTuple):
    """Each chunk's track, tokens `[start, end)` of the piece, type, and line that closes it."""

    track: Ints
    start: Ints
    end: Ints
    type: Ints
    closing: Ints


class Piece:
    """Tokens and sentence ends of one document: for each its line, and a tag for each track.

    lines    the numbers of the lines
    tags     a list for each track, "" at a sentence's end
    tokens   whether there is a token
    """

    def __init__(self, lines: Sequence[int], tags: list[list[str]], tokens: list[bool]) -> None:
        numbers = _Tags()
        coded = [np.fromiter(map(numbers.__getitem__, each), np.int64, len(each)) for each in tags]
        self.lines = lines
        self.names = [*numbers.numbers_of_types]
        self.all_are_tags = not numbers.bad
        prefixes, types = np.array(numbers.prefixes), np.array(numbers.types)
        self._prefixes = [prefixes[each] for each in coded]
        self._types = [types[each] for each in coded]
        self._before = np.cumsum(tokens)  # tokens up to each line, itself included

    def closed(self) -> int:
        """How many lines there are up to the last one after which no chunk is open."""
        outside = np.all([prefixes == _O for prefixes in self._prefixes], axis=0)
        return int(np.flatnonzero(outside)[-1]) + 1 if outside.any() else 0

    def n_tokens(self, end: int) -> int:
        """The tokens of the first `end` lines."""
        return int(self._before[end - 1]) if end else 0

    def chunks(self, end: int) -> Chunks:
        """The chunks of the first `end` lines, in the order in which they are closed."""
        found = [self._chunks_of(track, end) for track in range(len(self._prefixes))]
        if len(found) == 1:
            return found[0]
        whole = Chunks(*(np.concatenate(each) for each in zip(*found, strict=True)))
        order = np.lexsort((whole.start, whole.track, whole.closing))
        return Chunks(*(each[order] for each in whole))

    def _chunks_of(self, track: int, end: int) -> Chunks:
        prefix, type_ = self._prefixes[track][:end], self._types[track][:end]
        inside = (prefix[1:] == _I) | (prefix[1:] == _E)
        after = (prefix[:-1] == _B) | (prefix[:-1] == _I)
        continues = np.zeros(end, dtype=bool)
        continues[1:] = inside & after & (type_[1:] == type_[:-1])
        first = np.flatnonzero((prefix != _O) & ~continues)
        others = np.append(np.flatnonzero(~continues), end)
        last = others[np.searchsorted(others, first, side="right")] - 1
        own_end = (prefix[last] == _E) | (prefix[last] == _S)
        return Chunks(
            track=np.full(len(first), track),
            start=self._before[first] - 1,
            end=self._before[last],
            type=type_[first],
            closing=np.where(own_end, last, last + 1),
        )

    def units(self, chunks: Chunks, position: int, annotators: Sequence[str]) -> dict[str, Any]:
        """Columns of the chunks as units; `position` tokens stand before the piece."""
        starts = (chunks.start + position).tolist()
        ends = (chunks.end + position).tolist()
        bounds = list(zip(starts, ends, strict=True))
        return {
            "annotator": [annotators[track] for track in chunks.track.tolist()],
            "unit": [f"{start}-{end}" for start, end in bounds],
            "start": starts,
            "end": ends,
            "category": [self.names[type_] for type_ in chunks.type.tolist()],
            "source_offsets": [f"{start} {end}" for start, end in bounds],
            "where": [f"line {self.lines[at]}" for at in chunks.closing.tolist()],
        }


def labels(
    lines: Sequence[int],
    tags: list[list[str]],
    tokens: list[bool],
    items: str,
    position: int,
    annotators: Sequence[str],
) -> dict[str, list[Any]]:
    """Columns of the labels: one for each token and track that has one.

    lines, tags, tokens   as `Piece` has them
    items                 what stands before a token's position in the name of an item
    """
    at = (np.cumsum(tokens) - 1 + position).tolist()
    found = [
        (f"line {number}", f"{items}{place}", annotator, (tag,))
        for number, place, given in zip(lines, at, zip(*tags, strict=True), strict=True)
        for annotator, tag in zip(annotators, given, strict=True)
        if tag and tag != "_"
    ]
    columns = [list(column) for column in zip(*found, strict=True)] or [[], [], [], []]
    return dict(zip(("where", "item", "annotator", "labels"), columns, strict=True))
