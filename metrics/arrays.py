"""Types of the arrays that measures take and return, and division where a divisor may be 0.

A kernel compiles once for each dtype of its arrays.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]
Flags = NDArray[np.bool_]
Number: TypeAlias = np.integer[Any] | np.floating[Any]


def divide(top: NDArray[Number], bottom: NDArray[Number]) -> Floats:
    """Return top / bottom, broadcast; nan where the bottom is 0.

    >>> divide(np.array([1.0, 1.0]), np.array([2.0, 0.0]))
    array([0.5, nan])
    """
    if top.shape != bottom.shape:
        top, bottom = np.broadcast_arrays(top, bottom)
    return np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)


def shares(counts: NDArray[Number]) -> Floats:
    """Return counts over their sum along the last axis; nan where the sum is 0.

    >>> shares(np.array([[3, 1], [0, 0]]))
    array([[0.75, 0.25],
           [ nan,  nan]])
    """
    return divide(counts, counts.sum(axis=-1, keepdims=True))
