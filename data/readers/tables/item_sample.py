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

from ...arrow_columns import codes_and_values, column, number_column
from .cells import Batch
from .column_facts import ColumnFacts, batch_columns

_MOST_ROWS, _MOST_CELLS = 20_000, 400_000
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(31)

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
    found = np.zeros(len(columns[0]), dtype=np.uint64)
    for one in columns:
        codes, texts = codes_and_values(one.cast(pa.binary()))
        sums = np.array([crc32(text or b"") for text in texts.to_pylist()], dtype=np.uint64)
        found = (found ^ sums[codes]) * _MULTIPLIER
        found ^= found >> _SHIFT
    return found
