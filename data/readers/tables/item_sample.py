"""All rows of some items of a long table, wherever they stand in it, so that its key is verified.

The first rows of a sorted table may be of one question, or of one annotator: what the rows of an
item have in common shows only in all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...arrow_columns import column, number_column
from .cells import Batch
from .column_facts import ColumnFacts, batch_columns

_MOST_ROWS, _MOST_CELLS = 20_000, 400_000
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(31)


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
    most = np.uint64(2**64 - 1)
    hashes, kept = np.zeros(0, dtype=np.uint64), [column([], pa.string())] * width
    for batch in batches:
        yield batch
        columns = batch_columns(batch, width)
        if not columns:
            continue
        own = _hashes([columns[k] for k in item])
        small = own <= most
        chosen = number_column(small)
        hashes = np.concatenate([hashes, own[small]])
        kept = [
            pa.concat_arrays([before, more.filter(chosen)])
            for before, more in zip(kept, columns, strict=True)
        ]
        while len(hashes) > wanted and most > hashes.min():
            most = max(most // np.uint64(2), hashes.min())
            small = hashes <= most
            chosen = number_column(small)
            hashes, kept = hashes[small], [before.filter(chosen) for before in kept]
    verify(ColumnFacts(header, kept))


def _hashes(columns: Sequence[pa.Array]) -> NDArray[np.uint64]:
    """Return a number for each row that is equal where the texts of all columns are equal."""
    found = np.zeros(len(columns[0]), dtype=np.uint64)
    for texts in columns:
        found = found * _MULTIPLIER + _hashes_of_texts(texts)
        found ^= found >> _SHIFT
        found *= _MULTIPLIER
    return found


def _hashes_of_texts(texts: pa.Array) -> NDArray[np.uint64]:
    """Return the sums of the texts' bytes, each multiplied by a number of its place."""
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    if data is None or ends[0] == ends[-1]:
        return np.zeros(len(texts), dtype=np.uint64)
    signs = np.frombuffer(data, np.uint8)[ends[0] : ends[-1]].astype(np.uint64)
    lengths = np.diff(ends)
    places = np.arange(len(signs)) - np.repeat(ends[:-1] - ends[0], lengths)
    weights = (np.arange(1, int(lengths.max()) + 1, dtype=np.uint64) * _MULTIPLIER) | np.uint64(1)
    sums = np.zeros(len(signs) + 1, dtype=np.uint64)
    np.cumsum((signs + np.uint64(1)) * (weights**3)[places], out=sums[1:])
    return sums[ends[1:] - ends[0]] - sums[ends[:-1] - ends[0]]
