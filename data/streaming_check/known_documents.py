"""What is known of each document while a campaign is read: its text, length and sources."""

from __future__ import annotations

from array import array

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..schema import OffsetUnit

UNKNOWN = -1
_BIT = {str(unit): 1 << k for k, unit in enumerate(OffsetUnit)}


class Documents:
    """Documents by number, in order of first occurrence."""

    def __init__(self) -> None:
        self._codes: dict[str, int] = {}
        self._names: list[str] = []
        self._texts: list[str] = []  # hash of the first text given
        self._lengths = array("q")
        self._sources = array("q")  # the last source that described the document
        self._named = array("q")  # the last source that described or annotated the document
        self._described_in = array("b")  # offset units in the current source, as bits
        self._counted_in = array("b")  # offset units that units were counted in, in all sources
        self._reading = UNKNOWN
        self._n_of: dict[int, int] = {}
        self._strange: set[tuple[int, int]] = set()  # (document, source) with a different text

    def __len__(self) -> int:
        return len(self._codes)

    def __contains__(self, name: str) -> bool:
        return name in self._codes

    def name(self, code: int) -> str:
        return self._names[code]

    def describe(self, rows: pa.Table, source: int) -> NDArray[np.bool_]:
        """Add rows of the table documents; return which of them have a different text."""
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
        """Return the documents' numbers, adding new documents; `source` is where they were read."""
        encoded = column.combine_chunks().dictionary_encode()
        codes = [self._code_of(name, source) for name in encoded.dictionary.to_pylist()]
        return np.array(codes, dtype=np.int64)[encoded.indices.to_numpy()]

    def described_by(self, codes: NDArray[np.int64], source: int) -> NDArray[np.bool_]:
        """Return which of the documents this source has described."""
        return _numbers_at(self._sources, codes) == source

    def have_units(self, codes: NDArray[np.int64]) -> None:
        """Record that the current source has units in these documents, in its offset units."""
        now = np.frombuffer(self._described_in, dtype=np.int8)[codes]
        np.bitwise_or.at(np.frombuffer(self._counted_in, dtype=np.int8), codes, now)

    def counted_unlike(self) -> dict[str, tuple[str, ...]]:
        """Return documents whose units are counted in several offset units, with these units."""
        return {
            self._names[code]: tuple(unit for unit, bit in _BIT.items() if bits & bit)
            for code, bits in enumerate(self._counted_in)
            if bits & (bits - 1)
        }

    def lengths(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return lengths of documents, -1 if no export states them."""
        return _numbers_at(self._lengths, codes)

    def has_other_text(self, codes: NDArray[np.int64], source: int) -> NDArray[np.bool_]:
        """Return where this source's text differs from the document's text."""
        bad = [code for code, of in self._strange if of == source]
        return np.isin(codes, np.array(bad, dtype=np.int64))

    def n_of(self, source: int) -> int:
        """Return how many documents the source describes or annotates."""
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
    """Return a copy of the numbers at these indices: arrays with exported buffers cannot grow."""
    if not len(codes):
        return np.empty(0, dtype=np.int64)
    taken: NDArray[np.int64] = np.frombuffer(numbers, dtype=np.int64)[codes]
    return taken
