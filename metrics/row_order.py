"""The order in which rows of numbers are drawn, found from the numbers.

Random numbers are drawn one after the other, so an interval depends on which row comes first; in an
order by name it would change with the names. Here, rows and columns are told apart by the numbers
in which they meet (colour refinement, Weisfeiler & Leman 1968), so neither the order of the rows
nor that of the columns matters. Rows that still are equal can be exchanged with the names of their
columns: one is taken, and the refinement goes on. Hashes are added modulo 2⁶⁴, in any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Ints, Ints32

Hashes = NDArray[np.uint64]

MOST_CHOICES = 64  # of one among equal rows; further equal ones keep their order
_DIGITS = 30  # binary digits that are compared: sums of floats differ by their order of additions


def row_order(times: Ints, *rows: Any) -> Ints:
    """Return the order of rows that each stand for so many equal ones, (D,).

    times  (D,): how many
    rows   parts of the rows, (D, …) each, dense or sparse
    """
    at = [part.nonzero() for part in rows]
    row = np.concatenate([own for own, _ in at])
    first = np.cumsum([0, *(part.shape[1] for part in rows)])
    column = np.concatenate([own + before for (_, own), before in zip(at, first, strict=False)])
    values = [np.asarray(part[own]).ravel() for part, own in zip(rows, at, strict=True)]
    numbers, n_times = hashes_of_numbers(np.concatenate(values)), mixed(times)
    of_rows, n_different = n_times, 0
    for _ in range(MOST_CHOICES):
        while n_different < np.unique(of_rows).size:
            n_different = np.unique(of_rows).size
            of_columns = mixed(added(column, mixed(numbers + of_rows[row]), first[-1]))
            met = added(row, mixed(numbers + of_columns[column]), len(times))
            of_rows = mixed(met + mixed(of_rows + n_times))
        _, lowest, n_equal = np.unique(of_rows, return_index=True, return_counts=True)
        if (n_equal == 1).all():
            break
        chosen = lowest[n_equal > 1][0]
        of_rows[chosen] = mixed(of_rows[chosen : chosen + 1])[0]
    return np.argsort(of_rows, kind="stable")


def places(order: Ints) -> Ints:
    """Return the place of each number in an order, as integers."""
    found = np.empty_like(order)
    found[order] = np.arange(order.size)
    return found


def added(at: Ints | Ints32, hashes: Hashes, size: int) -> Hashes:
    """Return the sums of the hashes at each of `size` places."""
    found = np.zeros(size, dtype=np.uint64)
    np.add.at(found, at, hashes)
    return found


def mixed(numbers: Ints | Hashes) -> Hashes:
    """Return well-distributed hashes of integers (the finaliser of SplitMix64)."""
    found = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return found ^ (found >> np.uint64(31))


def hashes_of_numbers(values: Floats) -> Hashes:
    """Return hashes of numbers, equal where they differ by rounding only."""
    mantissa, exponent = np.frexp(np.asarray(values, dtype=np.float64))
    return mixed(np.rint(np.ldexp(mantissa, _DIGITS)).astype(np.int64) * 4096 + exponent)
