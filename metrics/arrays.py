"""Types of the arrays that measures take and return, products, division where a divisor may be 0.

A kernel compiles once for each dtype of its arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Flags = NDArray[np.bool_]
Number: TypeAlias = np.integer[Any] | np.floating[Any]

_MOST_NUMBERS = 9_216  # of a matrix that BLAS multiplies by a vector in one thread
_MOST_PRODUCTS = 262_144  # of numbers in a product of matrices that BLAS computes in one thread
_FEWEST_ROWS = 16  # of a block, else the matrix is wide and threads are worth it


def divide(top: NDArray[Number], bottom: NDArray[Number]) -> Floats:
    """Return top / bottom, broadcast; nan where the bottom is 0.

    >>> divide(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    if top.shape != bottom.shape:
        top, bottom = np.broadcast_arrays(top, bottom)
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)


def product(left: Floats, right: Floats) -> Floats:
    """Return left @ right, (B, R) and (R, F), where R may be very large and B and F are small."""
    found = np.zeros((len(left), right.shape[1]))
    for rows in _blocks(len(right), *found.shape):
        found += left[:, rows] @ right[rows]
    return found


def weighted_moments(rows: Floats, weights: NDArray[Number]) -> tuple[Floats, Floats]:
    """Return Σ w x, (F,), and Σ w x x', (F, F), over the rows x of a matrix (R, F).

    >>> weighted_moments(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([1, 3]))
    (array([1., 5.]), array([[1., 2.],
           [2., 7.]]))
    """
    width = rows.shape[1]
    total, squares = np.zeros(width), np.zeros((width, width))
    for those in _blocks(len(rows), width, width):
        some = rows[those]
        counted = some * weights[those, None]
        total += counted.sum(axis=0)
        squares += some.T @ counted
    return total, squares


def _blocks(n_rows: int, first: int, second: int) -> Iterator[slice]:
    """Yield the rows of two matrices, of so many columns, that BLAS multiplies in one thread.

    Products of narrow matrices are bound by memory. In threads they take longer, and the threads
    keep their cores busy for some time afterwards.
    """
    step = min(_MOST_NUMBERS // max(first, second, 1), _MOST_PRODUCTS // max(first * second, 1))
    if step < _FEWEST_ROWS:
        step = max(1, n_rows)
    for start in range(0, n_rows, step):
        yield slice(start, start + step)


def shares(counts: NDArray[Number]) -> Floats:
    """Return counts over their sum along the last axis; nan where the sum is 0.

    >>> shares(np.array([[3, 1], [0, 0]]))
    array([[0.75, 0.25],
           [ nan,  nan]])
    """
    return divide(counts, counts.sum(axis=-1, keepdims=True))


def distinct_rows(rows: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the distinct rows, the number of each row among them, and how often each occurs.

    rows  integers (N, C). Returns (P, C) in lexicographic order, (N,) and (P,).

    The same as `numpy.unique` of rows, which compares them column by column, in a tenth of its
    time.

    >>> distinct_rows(np.array([[1, 0], [0, 2], [1, 0]]))[0].tolist()
    [[0, 2], [1, 0]]
    """
    keys, n_keys = np.zeros(len(rows), dtype=np.int64), 1
    for column in rows.T if len(rows) else ():
        least = int(column.min())
        width = int(column.max()) - least + 1
        if n_keys * width >= 1 << 62:
            known, keys = np.unique(keys, return_inverse=True)
            n_keys = len(known)
        keys = keys * width + (column - least)
        n_keys *= width
    _, first, inverse, counts = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    return rows[first], inverse, counts


def numbered(values: NDArray[np.integer[Any]]) -> tuple[NDArray[np.integer[Any]], Ints]:
    """Return the distinct integers in ascending order, and the number of each value among them.

    values  (N,). Returns (P,) and (N,).

    The same as `numpy.unique`, without sorting if the integers are in a narrow range.

    >>> numbered(np.array([7, 5, 7]))[1].tolist()
    [1, 0, 1]
    """
    least = int(values.min(initial=0))
    width = int(values.max(initial=0)) - least + 1
    if width > max(values.size, 1 << 10):
        different, numbers = np.unique(values, return_inverse=True)
        return different, numbers.astype(np.int64)
    occurs = np.zeros(width, dtype=np.bool_)
    occurs[values - least] = True
    different = (np.flatnonzero(occurs) + least).astype(values.dtype)
    return different, (np.cumsum(occurs) - 1)[values - least]
