"""Distances between K categories as the formulas read them, without a K × K table for a large K.

A formula reads the distances of pairs of categories, their mean under two distributions, and their
sum; an item enters by the distances of the pairs of its labels. Nominal distances and squared
differences (interval, ordinal) give all of them from K numbers, so that thousands of categories,
such as measurements that never repeat, need no table. A `TableSpread` gives them for any distance.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from ...arrays import Floats, Ints
from ..counts import ItemCounts

_NO_SPREAD = 1e-12  # share of the mean square; rounding error if only one category is used
_NOTHING = 1e-24  # share of the squared range; rounding error if only one category is used


class Spread(Protocol):
    """Distances δ between K categories, at most 1 unless a formula has its own scale.

    fixed  whether all B batch elements have the same distances
    key    identifies the distances

    `of_category_pairs` returns the distances of pairs of categories, (P,) or (B, P); `mean_between`
    takes distributions (B, …, K) and returns Σ_ck left_c right_k δ_ck, (B, …); `total` is Σ_ck
    δ_ck, a number or (B,); `sum_within_rows` returns the sum of the distances of the ordered pairs
    of labels of each row, (R,), if the distances are fixed.
    """

    @property
    def fixed(self) -> bool: ...

    @property
    def key(self) -> bytes: ...

    def of_category_pairs(self, first: Ints, second: Ints) -> Floats: ...

    def mean_between(self, left: Floats, right: Floats) -> Floats: ...

    def total(self) -> Floats | float: ...

    def sum_within_rows(self, counts: ItemCounts) -> Floats: ...

    def as_table(self) -> Floats:
        """Return the whole table, (K, K) or (B, K, K)."""
        ...


def _digest(array: Floats) -> bytes:
    return hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16).digest()


@dataclass(frozen=True, eq=False)
class TableSpread:
    """Any distance as a table: (K, K), or (B, K, K) if the distance depends on the labels."""

    table: Floats

    @property
    def fixed(self) -> bool:
        return self.table.ndim == 2

    @cached_property
    def key(self) -> bytes:
        return _digest(self.table)

    def of_category_pairs(self, first: Ints, second: Ints) -> Floats:
        return np.asarray(self.table[..., first, second])

    def mean_between(self, left: Floats, right: Floats) -> Floats:
        table = self.table
        if table.ndim == 3 and left.ndim == 3:
            table = table[:, None]
        if table.ndim == 2:
            return np.asarray(((left @ table) * right).sum(axis=-1))
        return np.asarray((left * (table @ right[..., None])[..., 0]).sum(axis=-1))

    def total(self) -> Floats | float:
        return np.asarray(self.table.sum(axis=(-2, -1)))

    def sum_within_rows(self, counts: ItemCounts) -> Floats:
        padded = np.pad(self.table, (0, 1))  # code -1 is the last row and column
        columns = counts.columns
        out = np.zeros(columns.shape[1])
        for apart in range(1, columns.shape[0]):
            out += padded[columns[:-apart], columns[apart:]].sum(axis=0)
        return 2 * out

    def as_table(self) -> Floats:
        return self.table


@dataclass(frozen=True, eq=False)
class NominalSpread:
    """Nominal distance: 0 for the same category, 1 for different ones."""

    n_categories: int
    fixed: bool = True
    key: bytes = b"different"

    def of_category_pairs(self, first: Ints, second: Ints) -> Floats:
        return (first != second).astype(np.float64)

    def mean_between(self, left: Floats, right: Floats) -> Floats:
        return np.asarray(left.sum(axis=-1) * right.sum(axis=-1) - (left * right).sum(axis=-1))

    def total(self) -> Floats | float:
        return float(self.n_categories) * (self.n_categories - 1)

    def sum_within_rows(self, counts: ItemCounts) -> Floats:
        table = counts.table
        if isinstance(table, np.ndarray):
            alike = np.einsum("rk,rk->r", table, table)
        else:
            alike = np.asarray((table * table).sum(axis=1))
        return np.asarray(counts.n_labels.astype(np.float64) ** 2 - alike)

    def as_table(self) -> Floats:
        return 1.0 - np.eye(self.n_categories)


@dataclass(frozen=True, eq=False)
class SquaredSpread:
    """Squared difference of the positions of two categories, (K,) or (B, K) in [0, 1]."""

    places: Floats

    @property
    def fixed(self) -> bool:
        return self.places.ndim == 1

    @cached_property
    def key(self) -> bytes:
        return _digest(self.places)

    def of_category_pairs(self, first: Ints, second: Ints) -> Floats:
        return np.asarray((self.places[..., first] - self.places[..., second]) ** 2)

    def mean_between(self, left: Floats, right: Floats) -> Floats:
        places = self.places
        if places.ndim == 2 and left.ndim == 3:
            places = places[:, None]
        mass = left.sum(axis=-1) * right.sum(axis=-1)
        whole = np.maximum((left + right).sum(axis=-1, keepdims=True), np.finfo(float).tiny)
        apart = places - ((left + right) * places).sum(axis=-1, keepdims=True) / whole
        squares = apart**2
        found = (
            (left * squares).sum(axis=-1) * right.sum(axis=-1)
            + left.sum(axis=-1) * (right * squares).sum(axis=-1)
            - 2 * (left * apart).sum(axis=-1) * (right * apart).sum(axis=-1)
        )
        return np.asarray(np.where(found > _NOTHING * mass, found, 0.0))

    def total(self) -> Floats | float:
        ones = np.ones(self.places.shape)
        return self.mean_between(ones, ones)

    def sum_within_rows(self, counts: ItemCounts) -> Floats:
        """2 (n Σx² − (Σx)²) of the n labels of a row, x from one of its labels."""
        columns, places = counts.columns, np.append(self.places, 0.0)
        origin = places[columns.max(axis=0, initial=-1)]
        sums, squares = np.zeros(columns.shape[1]), np.zeros(columns.shape[1])
        for column in columns:
            apart = np.where(column >= 0, places[column] - origin, 0.0)
            sums += apart
            squares += apart**2
        return np.asarray(2 * (counts.n_labels * squares - sums**2))

    def as_table(self) -> Floats:
        return np.asarray((self.places[..., :, None] - self.places[..., None, :]) ** 2)

    def moments(self) -> MomentSpread:
        """Return the same distances in standard units of the categories; for fixed positions."""
        unit = float(self.places.std()) or 1.0
        places = (self.places - self.places.mean()) / unit
        squares = places**2
        return MomentSpread(
            np.stack([1 - places - squares, places, squares], axis=1), unit**2, self
        )


@dataclass(frozen=True, eq=False)
class MomentSpread:
    """`SquaredSpread` of fixed positions, for distributions by their mass, mean and mean square.

    A squared difference depends on nothing else, so that labels of K categories are as good as
    labels of three: of a category at x = (place − mean)/unit there are 1 − x − x² in the first, x
    in the second and x² in the third, one label in total.

    basis  (K, 3): labels of the three for one label of each category
    unit   square of the unit in which positions are measured
    """

    basis: Floats
    unit: float
    squares: SquaredSpread
    fixed: bool = True

    @property
    def key(self) -> bytes:
        return self.squares.key

    def reduced(self, matrix: Any) -> Floats:
        """Turn numbers of labels (…, M·K) into those of the three, (…, M·3), dense or sparse."""
        size = len(self.basis)
        parts = [matrix[:, at : at + size] @ self.basis for at in range(0, matrix.shape[1], size)]
        return np.concatenate(parts, axis=1)

    def of_category_pairs(self, first: Ints, second: Ints) -> Floats:
        return self.squares.of_category_pairs(first, second)

    def mean_between(self, left: Floats, right: Floats) -> Floats:
        one, other = left.sum(axis=-1), right.sum(axis=-1)
        squares = left[..., 2] * other + one * right[..., 2]
        found = squares - 2 * left[..., 1] * right[..., 1]
        return np.asarray(np.where(found > _NO_SPREAD * squares, found, 0.0) * self.unit)

    def total(self) -> Floats | float:
        return self.squares.total()

    def sum_within_rows(self, counts: ItemCounts) -> Floats:
        return self.squares.sum_within_rows(counts)

    def as_table(self) -> Floats:
        return self.squares.as_table()
