"""The one rule for a table of distances between categories: agreement, alignment and scores."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Floats
from .errors import MetricsError

_TOLERANCE = 1e-12  # of a table that was computed or read with rounded digits


def distance_matrix(table: ArrayLike, n_categories: int | None = None) -> Floats:
    """Convert a table of distances to float64 (K, K), exactly symmetric.

    n_categories  K; None: any

    Raises MetricsError unless the table is square, symmetric, between 0 and 1, and 0 on the
    diagonal.

    >>> distance_matrix([[0, 0.5], [0.5, 0]])
    array([[0. , 0.5],
           [0.5, 0. ]])
    """
    out = np.array(table, dtype=np.float64)
    size = out.shape[0] if n_categories is None and out.ndim else n_categories
    if out.shape != (size, size):
        expected = "a square table" if n_categories is None else f"({size}, {size})"
        raise MetricsError(
            f"the table of distances has shape {out.shape}; expected {expected}, with one row and "
            "one column for each category"
        )
    bad = np.argwhere(~((out >= 0) & (out <= 1)))
    if bad.size:
        row, column = bad[0]
        raise MetricsError(
            f"the distance between categories {row} and {column} is {out[row, column]:g}: it must "
            "be between 0 and 1"
        )
    if np.diagonal(out).any():
        k = np.flatnonzero(np.diagonal(out))[0]
        raise MetricsError(f"category {k} is at distance {out[k, k]:g} from itself: it must be 0")
    bad = np.argwhere(np.abs(out - out.T) > _TOLERANCE)
    if bad.size:
        row, column = bad[0]
        raise MetricsError(
            f"the table of distances is not symmetric: {out[row, column]:g} from category {row} to "
            f"{column}, {out[column, row]:g} in the other direction"
        )
    return (out + out.T) / 2
