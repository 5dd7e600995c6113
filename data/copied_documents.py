"""Find documents of one source that are copies of one another under different names.

Two documents that an annotator annotated both are copies if they have the same text or, where
neither has a text, the same units of the same annotators. Equal labels are no evidence, nor are
short texts or few units, which may be equal by accident.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .blocks import Block, Rows
from .schema import Assignment, Document, Unit

SHORTEST_TEXT = 50  # code points
_FEWEST_UNITS = 4
_JOINED_BY = (np.maximum, np.maximum, np.add, np.add, np.bitwise_or)  # the words of runs
_N_WORDS = len(_JOINED_BY)
_MOST_WAITING = 256  # runs
_UNIT = ("start_offset", "end_offset", "annotator", "category", "layer", "pass")
_VALUES = attrgetter("document", *_UNIT[:-1], "pass_")
_WORD = 2**64
_BITS = 64  # of a word; more annotators share bits

_Words = NDArray[np.uint64]


class CopiedDocument(NamedTuple):
    """A document and an earlier one of which it is a copy."""

    document: str
    original: str


@dataclass(slots=True)
class _Run:
    """Consecutive rows of a document: its text (0: none), units (their hashes added), annotators.

    annotators  bit k is set for the annotator who was met as the k-th
    """

    document: str = ""
    text: int = 0
    n_units: int = 0
    units: int = 0
    annotators: int = 0

    def words(self) -> tuple[int, int, int, int, int]:
        return hash(self.document) % _WORD, self.text, self.n_units, self.units, self.annotators


class CopiedDocuments:
    """Takes the rows of a source in any order; holds 40 bytes and the name of each document."""

    def __init__(self) -> None:
        self._run = _Run()
        self._waiting = array("Q")  # of runs that ended
        self._names: list[bytes] = []
        self._reduced: list[_Words] = [np.empty(0, dtype=np.uint64)] * _N_WORDS
        self._reduced_names = np.empty(0, dtype="S1")
        self._bits: dict[str, int] = {}

    def add(self, row: Rows) -> None:
        """Compare a row, or the rows of a block, with those before."""
        if row.TABLE == Unit.TABLE:
            self._add_units(row)
        elif isinstance(row, Document) and row.text is not None:
            self._run_of(row.document).text = _text_word(row.document, row.text)
        elif isinstance(row, Assignment):
            self._run_of(row.document).annotators |= self._bit(row.annotator)

    def copies(self) -> list[CopiedDocument]:
        """Return the copies met so far, in the order of their first rows."""
        self._reduce()
        _, texts, n_units, units, annotators = self._reduced
        has_text = texts > 0
        keys = np.where(has_text, texts, units)
        is_comparable = has_text | (n_units >= _FEWEST_UNITS)
        _, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
        earlier: dict[tuple[int, int], list[int]] = {}
        copies = []
        for at in np.flatnonzero(is_comparable & (counts[which] > 1)).tolist():
            key = int(keys[at]), 0 if has_text[at] else int(n_units[at])
            same = earlier.setdefault(key, [])
            original = next((one for one in same if annotators[one] & annotators[at]), None)
            if original is None:
                same.append(at)
            else:
                copies.append(CopiedDocument(self._name(at), self._name(original)))
        return copies

    def _name(self, at: int) -> str:
        return bytes(self._reduced_names[at]).decode("utf-8", "surrogatepass")

    def _bit(self, annotator: str) -> int:
        return 1 << self._bits.setdefault(annotator, len(self._bits)) % _BITS

    def _add_units(self, row: Rows) -> None:
        if isinstance(row, Block):
            columns = (row.column(name) for name in ("document", *_UNIT))
            units: Iterable[tuple[object, ...]] = zip(*columns, strict=False)
        else:
            units = (_VALUES(row),)
        for document, *unit in units:
            run = self._run_of(str(document))
            run.n_units += 1
            run.units = (run.units + hash(tuple(unit))) % _WORD
            run.annotators |= self._bit(str(unit[2]))

    def _run_of(self, document: str) -> _Run:
        if self._run.document != document:
            self._end_run()
            self._run.document = document
        return self._run

    def _end_run(self) -> None:
        if self._run.document:
            self._waiting.extend(self._run.words())
            self._names.append(self._run.document.encode("utf-8", "surrogatepass"))
        self._run = _Run()
        if len(self._names) >= max(_MOST_WAITING, len(self._reduced_names) // 8):
            self._reduce()

    def _reduce(self) -> None:
        """Join the runs of each document, in the order of the first ones."""
        if self._run.document:
            self._end_run()
        if not self._names:
            return
        waiting = np.array(self._waiting, dtype=np.uint64).reshape(-1, _N_WORDS).T
        self._waiting = array("Q")
        names = np.concatenate([self._reduced_names, np.array(self._names)])
        self._names = []
        documents = np.concatenate([self._reduced[0], waiting[0]])
        _, first, which = np.unique(documents, return_index=True, return_inverse=True)
        order = np.argsort(first)
        at = np.argsort(order)[which]
        joined = []
        for k, (before, now) in enumerate(zip(self._reduced, waiting, strict=True)):
            column = np.zeros(len(first), dtype=np.uint64)
            _JOINED_BY[k].at(column, at, np.concatenate([before, now]))
            joined.append(column)
        self._reduced, self._reduced_names = joined, names[first[order]]


def _text_word(document: str, text: str) -> int:
    """Return a hash of the text, above 0; a short text is equal to no other."""
    text = text.rstrip()
    compared = text if len(text) >= SHORTEST_TEXT else (document, text)
    return hash(compared) % _WORD or 1
