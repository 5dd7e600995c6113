"""Columns of a table looked at whole: which rows are plain, and what their cells say.

A row that is not plain is not refused here: it goes to the reader of single rows, which knows the
rules and finds the words.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Mask: TypeAlias = NDArray[np.bool_]
_MOST_DIGITS = 18  # of an int64
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
        pc.ascii_is_decimal(column), pc.less_equal(pc.binary_length(column), _MOST_DIGITS)
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
