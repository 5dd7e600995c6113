"""What is known of each document while a campaign is read: its text, its length, its source."""

from __future__ import annotations

from array import array

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..schema import OffsetUnit

UNKNOWN = -1
_BIT = {str(unit): 1 << k for k, unit in enumerate(OffsetUnit)}


class Documents:
    """Documents by number, in the order they were met."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._names: list[str] = []
        self._texts: list[str] = []  # hash of the first text given
        self._lengths = array("q")
        self._sources = array("q")  # the last one that described it
        self._named = array("q")  # the last one that described or annotated it
        self._described_in = array("b")  # offset units, as bits, by the source being read
        self._counted_in = array("b")  # those that units were counted in, by all
        self._reading = UNKNOWN
        self._n_of: dict[int, int] = {}
        self._strange: set[tuple[int, int]] = set()  # (document, source) of another text

    def __len__(self) -> int:
        return len(self._codes)

    def __contains__(self, name: str) -> bool:
        return name in self._codes

    def name(self, code: int) -> str:
        return self._names[code]

    def describe(self, rows: pa.Table, source: int) -> NDArray[np.bool_]:
        """Take in the table documents; which of its rows have another text than the document's."""
        differs = np.zeros(rows.num_rows, dtype=np.bool_)
        if source != self._reading:
            self._reading = source
            self._described_in = array("b", bytes(len(self._described_in)))
        wanted = ("document", "sha256", "length", "offset_unit")
        columns = (rows[name].to_pylist() for name in wanted)
        for r, (name, text, length, unit) in enumerate(zip(*columns, strict=True)):
            code = self._code_of(name, source)
            self._sources[code] = source
            self._described_in[code] |= _BIT.get(unit, 0)
            if text and not self._texts[code]:
                self._texts[code] = text
            if text and self._texts[code] != text:
                differs[r] = True
                self._strange.add((code, source))
            elif length > self._lengths[code]:
                self._lengths[code] = length
        return differs

    def codes(self, column: pa.ChunkedArray, source: int = UNKNOWN) -> NDArray[np.int64]:
        """The documents' numbers; new ones get theirs. `source`: where they were read."""
        encoded = column.combine_chunks().dictionary_encode()
        codes = [self._code_of(name, source) for name in encoded.dictionary.to_pylist()]
        return np.array(codes, dtype=np.int64)[encoded.indices.to_numpy()]

    def described_by(self, codes: NDArray[np.int64], source: int) -> NDArray[np.bool_]:
        """Which of them this source has described."""
        return _numbers_at(self._sources, codes) == source

    def have_units(self, codes: NDArray[np.int64]) -> None:
        """The source being read has units in them, counted as it described them."""
        now = np.frombuffer(self._described_in, dtype=np.int8)[codes]
        np.bitwise_or.at(np.frombuffer(self._counted_in, dtype=np.int8), codes, now)

    def counted_unlike(self) -> dict[str, tuple[str, ...]]:
        """The documents whose units are counted in several offset units, and in which."""
        return {
            self._names[code]: tuple(unit for unit, bit in _BIT.items() if bits & bit)
            for code, bits in enumerate(self._counted_in)
            if bits & (bits - 1)
        }

    def lengths(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """-1 where no export gives it."""
        return _numbers_at(self._lengths, codes)

    def has_other_text(self, codes: NDArray[np.int64], source: int) -> NDArray[np.bool_]:
        """Where this source's text is not the document's."""
        bad = [code for code, of in self._strange if of == source]
        return np.isin(codes, np.array(bad, dtype=np.int64))

    def n_of(self, source: int) -> int:
        """How many documents the source describes or annotates."""
        return self._n_of.get(source, 0)

    def _code_of(self, name: str, source: int) -> int:
        code = self._codes.setdefault(name, len(self._codes))
        if code == len(self._names):
            self._names.append(name)
            self._texts.append("")
            for column in (self._lengths, self._sources, self._named):
                column.append(UNKNOWN)
            for bits in (self._described_in, self._counted_in):
                bits.append(0)
        if self._named[code] != source != UNKNOWN:
            self._named[code] = source
            self._n_of[source] = self._n_of.get(source, 0) + 1
        return code


def _numbers_at(numbers: array[int], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers at these places, copied: an array that is looked into cannot grow."""
    if not len(codes):
        return np.empty(0, dtype=np.int64)
    taken: NDArray[np.int64] = np.frombuffer(numbers, dtype=np.int64)[codes]
    return taken
