"""All rows of some items of a long table, wherever they stand in it, so that its key is verified.

The first rows of a sorted table may be of one question, or of one annotator: what the rows of an
item have in common shows only in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias
from zlib import crc32

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...arrow_columns import codes_and_values, column, number_column
from .cells import Batch
from .column_facts import ColumnFacts

_MOST_ROWS, _MOST_CELLS = 20_000, 400_000
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(31)

Hashes: TypeAlias = NDArray[np.uint64]


class ItemSample:
    """Takes the batches of a table; holds all rows of a sample of its items.

    An item is in the sample if its hash is small, so that the sample has all rows of its items. It
    has 20,000 rows at most, unless those are of one item.
    """

    def __init__(
        self, header: Sequence[str], item: Sequence[int], verify: Callable[[ColumnFacts], None]
    ) -> None:
        """Sample by the columns at the positions `item`; `verify` may raise DataError."""
        self._header, self._item, self._verify = header, item, verify
        self._wanted = min(_MOST_ROWS, _MOST_CELLS // len(header))
        self._most = self._smallest = np.uint64(2**64 - 1)
        self._n_rows = 0
        self._hashes = [np.zeros(0, dtype=np.uint64)]
        self._kept = [[column([], pa.string())] * len(header)]

    def note(self, batch: Batch) -> None:
        """Keep the rows of the sample."""
        columns = batch.texts(len(self._header), range(len(self._header)), shown=True)
        if not columns:
            return
        own = _hashes([columns[k] for k in self._item])
        chosen = np.flatnonzero(own <= self._most)
        self._hashes.append(own[chosen])
        self._kept.append([more.take(number_column(chosen)) for more in columns])
        self._n_rows += len(chosen)
        self._smallest = own.min(initial=self._smallest)
        if self._n_rows <= self._wanted or self._most == self._smallest:
            return
        joined = np.concatenate(self._hashes)
        while self._n_rows > self._wanted and self._most > self._smallest:
            self._most = max(self._most // np.uint64(2), self._smallest)
            self._n_rows = int((joined <= self._most).sum())
        chosen = np.flatnonzero(joined <= self._most)
        self._hashes = [joined[chosen]]
        self._kept = [[c.take(number_column(chosen)) for c in _joined(self._kept)]]

    def check(self) -> None:
        """Call `verify` with the facts of the sample."""
        self._verify(ColumnFacts(self._header, _joined(self._kept)))


def _joined(parts: Sequence[Sequence[pa.Array]]) -> list[pa.Array]:
    return [pa.concat_arrays(own) for own in zip(*parts, strict=True)]


def _hashes(columns: Sequence[pa.Array]) -> Hashes:
    """Return a number for each row that is equal where the texts of all columns are equal."""
    found = np.zeros(len(columns[0]), dtype=np.uint64)
    for one in columns:
        codes, texts = codes_and_values(one.cast(pa.binary()))
        sums = np.array([crc32(text or b"") for text in texts.to_pylist()], dtype=np.uint64)
        found = (found ^ sums[codes]) * _MULTIPLIER
        found ^= found >> _SHIFT
    return found
