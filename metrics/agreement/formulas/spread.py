"""Distances between K categories as the formulas read them, without a K × K table for a large K.

A formula reads three things: the distances of some pairs of categories, their mean under two
distributions, and their sum. A `Table` gives them for any distance. Nominal distances and squared
differences (interval, ordinal) give them from K numbers, so that thousands of categories, such as
measurements that never repeat, need no K × K table for each replicate.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...arrays import Floats, Ints

_NOTHING = 1e-24  # share of the squared range; rounding error if only one category is used


class Spread(Protocol):
    """Distances δ between K categories, at most 1 unless a formula has its own scale.

    `at` takes cells c·K + k, int64 (P,), and returns (P,) or (B, P); `between` takes distributions
    (B, …, K) and returns Σ_ck left_c right_k δ_ck, (B, …); `total` is Σ_ck δ_ck, a number or (B,).
    """

    def at(self, cells: Ints) -> Floats: ...

    def between(self, left: Floats, right: Floats) -> Floats: ...

    def total(self) -> Floats | float: ...

    def dense(self) -> Floats:
        """Return the whole table, (K, K) or (B, K, K)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Any distance as a table: (K, K), or (B, K, K) if the distance depends on the labels."""

    table: Floats

    def at(self, cells: Ints) -> Floats:
        flat = self.table.reshape(*self.table.shape[:-2], self.table.shape[-1] ** 2)
        return flat if cells.size == flat.shape[-1] else flat[..., cells]

    def between(self, left: Floats, right: Floats) -> Floats:
        table = self.table
        if table.ndim == 3 and left.ndim == 3:
            table = table[:, None]
        if table.ndim == 2:
            return np.asarray(((left @ table) * right).sum(axis=-1))
        return np.asarray((left * (table @ right[..., None])[..., 0]).sum(axis=-1))

    def total(self) -> Floats | float:
        return np.asarray(self.table.sum(axis=(-2, -1)))

    def dense(self) -> Floats:
        return self.table


@dataclass(frozen=True, slots=True)
class Different:
    """Nominal distance: 0 for the same category, 1 for different ones."""

    n_categories: int

    def at(self, cells: Ints) -> Floats:
        return (cells // self.n_categories != cells % self.n_categories).astype(np.float64)

    def between(self, left: Floats, right: Floats) -> Floats:
        return np.asarray(left.sum(axis=-1) * right.sum(axis=-1) - (left * right).sum(axis=-1))

    def total(self) -> Floats | float:
        return float(self.n_categories) * (self.n_categories - 1)

    def dense(self) -> Floats:
        return 1.0 - np.eye(self.n_categories)


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """Squared difference of the positions of two categories, (K,) or (B, K) in [0, 1]."""

    places: Floats

    def at(self, cells: Ints) -> Floats:
        n_categories = self.places.shape[-1]
        first, second = cells // n_categories, cells % n_categories
        return np.asarray((self.places[..., first] - self.places[..., second]) ** 2)

    def between(self, left: Floats, right: Floats) -> Floats:
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
        return self.between(ones, ones)

    def dense(self) -> Floats:
        return np.asarray((self.places[..., :, None] - self.places[..., None, :]) ** 2)
