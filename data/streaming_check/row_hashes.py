"""64-bit hashes of some columns of rows, to remember rows in 8 bytes each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Keys: TypeAlias = NDArray[np.uint64]
_MULTIPLIER = 0x9E3779B97F4A7C15  # odd; its powers distinguish the columns, modulo 2^64


def keys_of(
    rows: pa.Table, columns: Sequence[str], *, hash_of: Callable[[str], int] = hash
) -> Keys:
    """Return one hash per row, equal for rows that are equal in all the columns.

    hash_of  a 64-bit signed hash of a string; `hash` differs from process to process
    """
    mixed = np.zeros(rows.num_rows, dtype=np.uint64)
    factor = 1
    for name in columns:
        factor = factor * _MULTIPLIER % 2**64
        mixed += _column_hashes(rows[name], hash_of) * np.uint64(factor)
    return mixed


def _column_hashes(column: pa.ChunkedArray, hash_of: Callable[[str], int]) -> Keys:
    if pa.types.is_integer(column.type):
        return column.to_numpy().astype(np.int64).view(np.uint64)
    encoded = column.combine_chunks().dictionary_encode()
    hashes = np.array([*map(hash_of, encoded.dictionary.to_pylist())], dtype=np.int64)
    return hashes.view(np.uint64)[encoded.indices.to_numpy()]


class KeySet:
    """Keys seen so far, in sorted arrays that are each more than twice as long as the next."""

    def __init__(self) -> None:
        self._sorted: list[Keys] = []

    def first(self, keys: Keys) -> NDArray[np.bool_]:
        """Return True for the first row with each key, and add the keys."""
        order = keys.argsort(kind="stable")
        ordered = keys[order]
        new = np.append(True, ordered[1:] != ordered[:-1])[: len(keys)]
        new[new] = ~self._has_sorted(ordered[new])
        self._merge_keys(ordered[new])
        first = np.empty(len(keys), dtype=np.bool_)
        first[order] = new
        return first

    def keys(self) -> Keys:
        """Return all keys, in order."""
        if len(self._sorted) != 1:
            joined = np.concatenate([np.empty(0, dtype=np.uint64), *self._sorted])
            self._sorted = [np.sort(joined, kind="stable")]
        return self._sorted[0]

    def has(self, keys: Keys) -> NDArray[np.bool_]:
        """Return whether each key was added before."""
        order = keys.argsort()
        held = np.empty(len(keys), dtype=np.bool_)
        held[order] = self._has_sorted(keys[order])
        return held

    def _has_sorted(self, keys: Keys) -> NDArray[np.bool_]:
        held = np.zeros(len(keys), dtype=np.bool_)
        for known in self._sorted:
            if not len(known):
                continue
            held |= known[np.minimum(known.searchsorted(keys), len(known) - 1)] == keys
        return held

    def _merge_keys(self, keys: Keys) -> None:
        while self._sorted and len(self._sorted[-1]) <= 2 * len(keys):
            keys = np.sort(np.concatenate([self._sorted.pop(), keys]), kind="stable")
        if len(keys):
            self._sorted.append(keys)
