"""Columns of a table's rows looked at whole: which rows are plain, and what their cells say.

A row that is not plain is not refused here: it goes to the reader of single rows, which knows the
rules and finds the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...blocks import Rows
from ..common.spans import MOST_DIGITS

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


def whole_numbers(column: pa.Array) -> tuple[NDArray[np.int64], Mask]:
    """The numbers that strings of plain digits spell, and where; 0 elsewhere."""
    plain = pc.and_(
        pc.ascii_is_decimal(column), pc.less_equal(pc.binary_length(column), MOST_DIGITS)
    )
    digits = pc.if_else(pc.fill_null(plain, False), column, "0")
    return pc.cast(digits, pa.int64()).to_numpy(), as_mask(plain)


def bounds(column: pa.Array, factor: float) -> tuple[NDArray[np.int64], Mask]:
    """The bounds that plain digits spell, and where; with a factor, decimal numbers times it."""
    if factor == 1.0:
        return whole_numbers(column)
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
