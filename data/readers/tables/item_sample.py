"""All rows of some items of a long table, wherever they stand in it, so that its key is verified.

The first rows of a sorted table may be of one question, or of one annotator: what the rows of an
item have in common shows only in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias
from zlib import crc32

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...arrow_columns import column, number_column
from .cells import Batch
from .column_facts import ColumnFacts, batch_columns

_MOST_ROWS, _MOST_CELLS = 20_000, 400_000
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(31)
_ROWS = 8192  # hashed at once, in the processor's cache
_MOST_WORDS = 8  # that are hashed for all rows at once; more are so few that each text is
_FIRST_BYTES = np.array([256**n - 1 for n in range(9)], dtype=np.uint64)

Hashes: TypeAlias = NDArray[np.uint64]


def with_verified_items(
    batches: Iterator[Batch],
    header: Sequence[str],
    item: Sequence[int],
    verify: Callable[[ColumnFacts], None],
) -> Iterator[Batch]:
    """Yield the batches, then call `verify` with the facts of the rows of a sample of the items.

    item    positions of the columns that identify an item
    verify  may raise DataError

    An item is in the sample if its hash is small, so that the sample has all rows of its items. It
    has 20,000 rows at most, unless those are of one item.
    """
    width, wanted = len(header), min(_MOST_ROWS, _MOST_CELLS // len(header))
    n_rows, most = 0, np.uint64(2**64 - 1)
    smallest = most
    hashes, kept = [np.zeros(0, dtype=np.uint64)], [[column([], pa.string())] * width]
    for batch in batches:
        yield batch
        columns = batch_columns(batch, width)
        if not columns:
            continue
        own = _hashes([columns[k] for k in item])
        chosen = np.flatnonzero(own <= most)
        hashes.append(own[chosen])
        kept.append([more.take(number_column(chosen)) for more in columns])
        n_rows += len(chosen)
        smallest = own.min(initial=smallest)
        if n_rows <= wanted or most == smallest:
            continue
        joined = np.concatenate(hashes)
        while n_rows > wanted and most > smallest:
            most = max(most // np.uint64(2), smallest)
            n_rows = int((joined <= most).sum())
        chosen = np.flatnonzero(joined <= most)
        hashes, kept = [joined[chosen]], [[c.take(number_column(chosen)) for c in _joined(kept)]]
    verify(ColumnFacts(header, _joined(kept)))


def _joined(parts: Sequence[Sequence[pa.Array]]) -> list[pa.Array]:
    return [pa.concat_arrays(own) for own in zip(*parts, strict=True)]


def _hashes(columns: Sequence[pa.Array]) -> Hashes:
    """Return a number for each row that is equal where the texts of all columns are equal."""
    n_rows = len(columns[0])
    found = np.zeros(n_rows, dtype=np.uint64)
    for first in range(0, n_rows, _ROWS):
        own = found[first : first + _ROWS]
        for texts in columns:
            _add_texts(own, texts[first : first + _ROWS])
    return found


def _add_texts(hashes: Hashes, column: pa.Array) -> None:
    """Add texts to the hashes, eight bytes at a time."""
    _, offsets, data = column.buffers()
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    at, left = (ends[:-1] - ends[0]).astype(np.int64), np.diff(ends)
    hashes[:] = _mixed(hashes ^ left.astype(np.uint64))
    if data is None:
        return
    texts = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]]
    padded = np.concatenate([texts, np.zeros(8, dtype=np.uint8)])
    words = np.ndarray(len(padded) - 7, np.uint64, padded.data, strides=(1,))
    rows = np.arange(len(hashes))
    for _ in range(_MOST_WORDS):
        word = words.take(at) & _FIRST_BYTES.take(np.minimum(left, 8))
        hashes[rows] = _mixed(hashes[rows] ^ word)
        more = left > 8
        rows, at, left = rows[more], at[more] + 8, left[more] - 8
        if not len(rows):
            return
    ends_of_rows = zip(at.tolist(), (at + left).tolist(), strict=True)
    rest = [crc32(texts[first:last].data) for first, last in ends_of_rows]
    hashes[rows] = _mixed(hashes[rows] ^ np.array(rest, dtype=np.uint64))


def _mixed(hashes: Hashes) -> Hashes:
    hashes = hashes * _MULTIPLIER
    return hashes ^ (hashes >> _SHIFT)
