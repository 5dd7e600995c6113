"""Columns of a table looked at whole: which rows are plain, and what their cells say.

A row that is not plain is not refused here: it goes to the reader of single rows, which knows the
rules and finds the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...blocks import Rows
from .spans import MOST_DIGITS

Mask: TypeAlias = NDArray[np.bool_]
_SHORT_RUNS = 16  # with runs shorter than this on average, rows one by one are faster
_SECONDS = r"^[0-9]{1,12}(\.[0-9]{1,12})?$"


def as_mask(found: pa.Array | pa.ChunkedArray) -> Mask:
    """A column of true and false as an array; nothing is false."""
    mask: Mask = pc.fill_null(found, False).to_numpy(zero_copy_only=False)
    return mask


def filled(column: pa.Array) -> Mask:
    """Where there is a string with something in it."""
    return as_mask(pc.not_equal(column, ""))


def stripped(column: pa.Array) -> pa.Array:
    """The strings without white space at either end, as Python sees it."""
    encoded = column.dictionary_encode()
    values = [value.strip() for value in encoded.dictionary.to_pylist()]
    return pa.array(values, pa.string()).take(encoded.indices)


def whole_numbers(column: pa.Array) -> tuple[NDArray[np.int64], Mask]:
    """The numbers that strings of plain digits spell, and where; 0 elsewhere."""
    plain = pc.and_(
        pc.ascii_is_decimal(column), pc.less_equal(pc.binary_length(column), MOST_DIGITS)
    )
    digits = pc.if_else(pc.fill_null(plain, False), column, "0")
    return pc.cast(digits, pa.int64()).to_numpy(), as_mask(plain)


def milliseconds(column: pa.Array, factor: float) -> tuple[NDArray[np.int64], Mask]:
    """Decimal numbers times `factor`, rounded half to even, and where there are any."""
    plain = pc.match_substring_regex(column, _SECONDS)
    numbers = pc.cast(pc.if_else(pc.fill_null(plain, False), column, "0"), pa.float64())
    return np.rint(numbers.to_numpy() * factor).astype(np.int64), as_mask(plain)


def runs(plain: Mask) -> Iterator[tuple[int, int, bool]]:
    """(start, end, whether plain) of the runs of equal values."""
    if len(plain):
        edges = np.flatnonzero(plain[1:] != plain[:-1]) + 1
        bounds = [0, *edges.tolist(), len(plain)]
        for start, end in pairwise(bounds):
            yield start, end, bool(plain[start])


def by_runs(
    plain: Mask,
    blocks: Callable[[int, int], Iterator[Rows]],
    singly: Callable[[int, int], Iterator[Rows]],
) -> Iterator[Rows]:
    """`blocks` of each run of plain rows and `singly` of the others, in order: (start, end)."""
    found = list(runs(plain))
    if len(found) * _SHORT_RUNS > len(plain) + _SHORT_RUNS:
        found = [(0, len(plain), False)]
    for start, end, good in found:
        yield from (blocks if good else singly)(start, end)


def repeated(values: list[str], counts: NDArray[np.int64]) -> pa.Array:
    """Each value as many times as its count says."""
    at = np.repeat(np.arange(len(values)), counts)
    return pa.array(values, pa.string()).take(pa.array(at))


def numbered(counts: NDArray[np.int64]) -> pa.Array:
    """0, 1 … for each count, as strings."""
    before = np.repeat(np.cumsum(counts) - counts, counts)
    return pc.cast(pa.array(np.arange(len(before)) - before), pa.string())


def whole_spans(
    spans: list[Any], lengths: NDArray[np.int64]
) -> tuple[pa.Array, pa.Array, list[str]] | None:
    """Starts, ends and categories of `[start, end, category]` as JSON gives them.

    None unless every span is such a list of two integers and a string, and covers something of a
    document of its length.
    """
    if not spans:
        return pa.array([], pa.int64()), pa.array([], pa.int64()), []
    if {*map(type, spans)} != {list} or {*map(len, spans)} != {3}:
        return None
    flat = list(chain.from_iterable(spans))
    starts, ends, categories = flat[0::3], flat[1::3], flat[2::3]
    if {*map(type, starts), *map(type, ends)} != {int} or {*map(type, categories)} != {str}:
        return None
    try:
        start, end = pa.array(starts, pa.int64()), pa.array(ends, pa.int64())
    except OverflowError:
        return None
    first, last = start.to_numpy(), end.to_numpy()
    if not ((first >= 0) & (first < last) & (last <= lengths)).all():
        return None
    return start, end, categories
