"""Conversion of continua and a dissimilarity to the arrays of the compiled engine."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints, Ints32
from .continuum import Continuum
from .dissimilarity import Dissimilarity, mean_unit_length, pair_costs
from .pair_graph import HAMMING, MATRIX, NO_POSITION, RATIO

_NO_MATRIX = np.empty((0, 0))
_ROWS = 32  # continua sorted at once


@dataclass(frozen=True, slots=True)
class RelativeCosts:
    """Dissimilarity relative to Δ∅: a kind of position, its weight, category costs, a matrix."""

    kind: int
    position_weight: float
    category: Floats
    matrix: Floats

    @property
    def kernel_arguments(self) -> tuple[int, float, Floats, Floats]:
        """Return the fields in the order of the kernels' arguments."""
        return self.kind, self.position_weight, self.category, self.matrix


def relative_costs(
    dissimilarity: Dissimilarity, n_categories: int, mean_length: float = math.nan
) -> RelativeCosts:
    """Return the costs of any continuum with K categories; `mean_length` is for `hamming`."""
    delta_empty, alpha = dissimilarity.delta_empty, dissimilarity.alpha
    kind, weight = RATIO, alpha
    if dissimilarity.position == "sporadic":
        weight = 4.0 * alpha / delta_empty
    elif dissimilarity.position == "hamming":
        kind = HAMMING
        weight = 2.0 * alpha / ((dissimilarity.mean_length or mean_length) * delta_empty)
    if dissimilarity.position == "none" or alpha == 0.0:
        kind, weight = NO_POSITION, 0.0
    category = dissimilarity.distances_with_unlabelled(n_categories)
    category *= dissimilarity.beta
    return RelativeCosts(kind, float(weight), category, _NO_MATRIX)


def relative_costs_of_continuum(
    continuum: Continuum, dissimilarity: Dissimilarity
) -> RelativeCosts:
    """Return the costs of one continuum; a user-defined pair function becomes a full matrix."""
    mean_length = math.nan
    if dissimilarity.position == "hamming" and dissimilarity.mean_length is None:
        mean_length = mean_unit_length(continuum)
    costs = relative_costs(dissimilarity, len(continuum.tagset), mean_length)
    if dissimilarity.pair_function is None:
        return costs
    index = np.arange(continuum.n_units)
    matrix = pair_costs(continuum, index[:, None], index[None, :], dissimilarity)
    matrix = np.ascontiguousarray(matrix / dissimilarity.delta_empty - 1.0)
    return RelativeCosts(MATRIX, 0.0, costs.category, matrix)


@dataclass(frozen=True, slots=True)
class SweepUnits:
    """Units in the order of the sweep: by document, then by midpoint (by end for HAMMING)."""

    starts: Floats
    ends: Floats
    codes: Ints32
    owners: Ints32
    key: Floats
    last_of_document: Ints
    order: Ints

    @property
    def kernel_arrays(self) -> tuple[Floats, Floats, Ints32, Ints32, Floats, Ints, Ints]:
        """Return the fields in the order of the kernels' arguments."""
        return (
            self.starts,
            self.ends,
            self.codes,
            self.owners,
            self.key,
            self.last_of_document,
            self.order,
        )

    def slice_units(self, first: int, last: int) -> SweepUnits:
        """Return units `first` to `last` (exclusive), in whole continua; `order` is unchanged."""
        some = slice(first, last)
        return SweepUnits(
            self.starts[some],
            self.ends[some],
            self.codes[some],
            self.owners[some],
            self.key[some],
            self.last_of_document[some] - first,
            self.order[some],
        )


def sweep_units(continuum: Continuum, position_kind: int) -> SweepUnits:
    """Return the sweep of one continuum.

    Keys are relative to one of the starts, so that shifting all offsets loses no precision.
    """
    starts, ends = continuum.starts, continuum.ends
    origin = starts[0]
    key = ends - origin
    if position_kind != HAMMING:
        key = 0.5 * (key + (starts - origin))
    order = key.argsort(kind="stable")
    last = np.empty(len(order), dtype=np.int64)
    last.fill(len(order))
    codes, owners = continuum.categories[order], continuum.owners[order]
    return SweepUnits(starts[order], ends[order], codes, owners, key[order], last, order)


def sweep_units_of_many(
    starts: Floats, ends: Floats, codes: Ints32, owners: Ints32, offsets: Ints, position_kind: int
) -> SweepUnits:
    """Return the sweep of D continua; continuum i has the units `offsets[i]:offsets[i + 1]`."""
    key = ends if position_kind == HAMMING else 0.5 * (starts + ends)
    order = _sort_within_documents(key, offsets)
    last = np.repeat(offsets[1:], np.diff(offsets))
    return SweepUnits(
        starts[order], ends[order], codes[order], owners[order], key[order], last, order
    )


def _sort_within_documents(key: Floats, offsets: Ints) -> Ints:
    """Sort the units of each continuum by their keys, continuum after continuum.

    Continua are sorted as rows of a table, several at a time: one sort by continuum and key could
    not exploit that each annotator's units are already sorted.
    """
    order = np.empty(len(key), dtype=np.int64)
    for first in range(0, len(offsets) - 1, _ROWS):
        block = offsets[first : first + _ROWS + 1]
        sizes = np.diff(block)
        width = int(sizes.max())
        inside = np.arange(width) < sizes[:, None]
        table = np.full((len(sizes), width), np.inf)
        units = slice(int(block[0]), int(block[-1]))
        table[inside] = key[units]
        rows = table.argsort(axis=1, kind="stable")
        rows += block[:-1, None]
        order[units] = rows[inside]
    return order
