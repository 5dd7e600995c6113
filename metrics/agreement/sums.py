"""Sums over items that the formulas of the coefficients read, for B batch elements at once.

A batch element is a campaign, a document, a resample, a campaign with pseudo-items: some weighting
of units. Every sum is linear in the units, so a batch is weights (B, G) times a matrix of G units,
and only the sums that a formula reads are computed. An item enters by its labels of each category
and by one number, the mean distance of its pairs of labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Protocol

import numpy as np

from ..arrays import Flags, Floats, Ints, product
from .counts import ItemCounts, sum_into_matrix
from .formulas.spread import MomentSpread, Spread

ALL_CELLS_UP_TO = 64  # categories; with more, the pairs of categories that occur on an item


@dataclass(frozen=True)
class Feature:
    """Numbers of a unit that are added up: their name and, of distances, which distances.

    moments  labels by category are replaced by their moments
    """

    name: str
    key: bytes = b""
    spread: Spread | None = field(default=None, compare=False, repr=False)
    moments: MomentSpread | None = field(default=None, compare=False, repr=False)


class Summands(Protocol):
    """G units with the numbers that are added up, as matrices (G, width), dense or sparse."""

    @property
    def n_categories(self) -> int: ...

    @property
    def n_annotators(self) -> int: ...

    @property
    def category_pairs(self) -> tuple[Ints, Ints]:
        """Pairs of different categories c < k, (P,) each: all, or those that occur."""
        ...

    def feature_matrix(self, feature: Feature) -> Any: ...

    def extend_tagset(self, tagset: tuple[str, ...]) -> Summands:
        """Return the same units with a longer tagset."""
        ...


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over items, float64, B batch elements, K categories, A annotators.

    n_paired     (B,): items with at least two labels
    n_labelled   (B,): items with at least one label
    paired       (B, K): labels on items with at least two
    shares       (B, K): Σ_i n_ik / n_i; sums to n_labelled
    marginals    (B, A, K): labels k of annotator a
    complete     (B, A, K): the same on the items that every annotator labelled
    n_complete   (B,): items that every annotator labelled
    n_unanimous  (B,): complete items on which all labels are the same

    `read` returns the sums of a feature, (B, width). With `moments`, labels by category are those
    of three categories that have the same distances.
    """

    units: Summands
    read: Callable[[Feature], Floats]
    moments: MomentSpread | None = None
    _known: dict[Feature, Floats] = field(default_factory=dict)

    @property
    def n_categories(self) -> int:
        return self.units.n_categories if self.moments is None else 3

    def with_labels_as_moments(self, moments: MomentSpread) -> Sums:
        """Return the same sums, with labels by category as their moments."""
        return replace(self, moments=moments)

    def _labels(self, name: str) -> Floats:
        if self.moments is None:
            return self.of_feature(Feature(name))
        return self.of_feature(Feature(name, self.moments.key, moments=self.moments))

    @property
    def n_annotators(self) -> int:
        return self.units.n_annotators

    def of_feature(self, feature: Feature) -> Floats:
        """Return the sums of a feature, (B, width), computed once."""
        if feature not in self._known:
            self._known[feature] = self.read(feature)
        return self._known[feature]

    @property
    def n_paired(self) -> Floats:
        return self.of_feature(Feature("n_paired"))[:, 0]

    @property
    def n_labelled(self) -> Floats:
        return self.of_feature(Feature("n_labelled"))[:, 0]

    @property
    def paired(self) -> Floats:
        return self._labels("paired")

    @property
    def shares(self) -> Floats:
        return self._labels("shares")

    @property
    def marginals(self) -> Floats:
        return self._by_annotator("marginals")

    @property
    def complete(self) -> Floats:
        return self._by_annotator("complete")

    @property
    def n_complete(self) -> Floats:
        return self.of_feature(Feature("n_complete"))[:, 0]

    @property
    def n_unanimous(self) -> Floats:
        return self.of_feature(Feature("n_unanimous"))[:, 0]

    @property
    def pooled(self) -> Floats:
        """Labels k of all annotators together, (B, K)."""
        return self._labels("pooled")

    def observed(self, spread: Spread) -> Floats:
        """Σ over items of the mean distance of the pairs of labels, (B,); at most n_paired."""
        return self._distances("observed", spread)

    def coincidence_sum(self, spread: Spread) -> Floats:
        """Σ over items of the same times the number of labels, (B,)."""
        return self._distances("coincident", spread)

    def sums_by_annotator_pair(self, spread: Spread) -> tuple[Floats, Floats, Floats]:
        """Return sums over the items that both of each two annotators labelled, Q pairs.

        Their number (B, Q), the distances between the two labels (B, Q), and the labels of the
        first and of the second annotator, (B, Q, 2, K).
        """
        n = self.of_feature(Feature("pair_items"))
        margins = self._labels("pair_labels")
        return (
            n,
            self.of_feature(Feature("pair_distances", spread.key, spread)),
            margins.reshape(len(n), -1, 2, self.n_categories),
        )

    def _by_annotator(self, name: str) -> Floats:
        found = self._labels(name)
        return found.reshape(len(found), self.n_annotators, self.n_categories)

    def _distances(self, name: str, spread: Spread) -> Floats:
        if spread.fixed:
            return self.of_feature(Feature(name, spread.key, spread))[:, 0]
        each = self.of_feature(Feature(f"{name}_cells"))
        return np.asarray((each * spread.of_category_pairs(*self.units.category_pairs)).sum(axis=1))


def weighted_sums(units: Summands, weights: Floats) -> Sums:
    """Sums of B weightings of the units; weights (B, G)."""

    def read(feature: Feature) -> Floats:
        matrix = units.feature_matrix(feature)
        if isinstance(matrix, np.ndarray):
            return product(weights, matrix)
        return np.asarray(weights @ matrix)

    return Sums(units, read)


def sums_of_each(units: Summands) -> Sums:
    """Sums of each unit (B = G)."""
    return Sums(units, lambda feature: as_dense(units.feature_matrix(feature)))


def sums_changing_each(
    whole: Sums, those: slice, change: Callable[[Floats, Floats], Floats]
) -> Sums:
    """Sums that depend on one unit in turn: `change(total, own)`, of a total (1, F) and units.

    whole  the total, of which each sum is computed once (B = 1)
    """
    units = whole.units
    return Sums(
        units,
        lambda feature: change(
            whole.of_feature(feature), as_dense(units.feature_matrix(feature)[those])
        ),
    )


def as_dense(matrix: Any) -> Floats:
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


@dataclass(frozen=True, eq=False)
class CountedSummands:
    """The units of `ItemCounts`."""

    counts: ItemCounts

    @property
    def n_categories(self) -> int:
        return len(self.counts.tagset)

    @property
    def n_annotators(self) -> int:
        return len(self.counts.annotators)

    @cached_property
    def category_pairs(self) -> tuple[Ints, Ints]:
        if self.n_categories <= ALL_CELLS_UP_TO:
            return np.triu_indices(self.n_categories, 1)
        return np.divmod(np.unique(self._pairs_of_labels[1]), self.n_categories)

    def feature_matrix(self, feature: Feature) -> Any:
        """Return the numbers of each unit, float64 (G, width), dense or sparse; made once."""
        known = self.counts.memo
        if feature not in known:
            known[feature] = self._matrix(feature)
        return known[feature]

    def extend_tagset(self, tagset: tuple[str, ...]) -> CountedSummands:
        return CountedSummands(replace(self.counts, tagset=tagset))

    def _matrix(self, feature: Feature) -> Any:
        counts, name = self.counts, feature.name
        if feature.moments is not None:
            return feature.moments.reduced(self.feature_matrix(Feature(name)))
        if name.startswith("pair_"):
            return self._of_pairs(feature)
        if name.endswith("_cells"):
            return self._of_cells(name)
        if name in ("paired", "shares", "pooled", "marginals", "complete"):
            return self._of_labels(name)
        n = counts.n_labels
        if feature.spread is not None:
            below = np.maximum(n - 1, 1) * (np.maximum(n, 1) if name == "observed" else 1)
            return self._added(feature.spread.sum_within_rows(counts) / below)
        flags: dict[str, Callable[[], Flags]] = {
            "n_paired": lambda: n >= 2,
            "n_labelled": lambda: n >= 1,
            "n_complete": lambda: counts.complete,
            "n_unanimous": lambda: (
                counts.complete & (counts.codes == counts.codes[:, :1]).all(axis=1)
            ),
        }
        return self._added(flags[name]().astype(np.float64))

    def _added(self, numbers: Floats) -> Floats:
        """Add the numbers of rows, (R,), to units, (G, 1)."""
        counts = self.counts
        found = np.bincount(counts.unit, numbers * counts.times, counts.n_units)
        return np.asarray(found[:, None], dtype=np.float64)

    def _of_labels(self, name: str) -> Any:
        counts, size = self.counts, self.n_categories
        values = counts.times.astype(np.float64)
        if name == "shares":
            values /= np.maximum(counts.n_labels, 1)
        if name == "paired":
            values *= counts.n_labels > 1
        if name == "complete":
            values *= counts.complete
        by_annotator = name in ("marginals", "complete")
        if not by_annotator and isinstance(counts.table, np.ndarray):
            if counts.n_units == 1:
                return product(values[None], counts.table)
            if counts.has_one_row_per_unit:
                return values[:, None] * counts.table
        if counts.is_mostly_labelled and counts.n_units * (size + 1) <= len(counts.codes):
            if name == "complete" and counts.complete.all():
                return self.feature_matrix(Feature("marginals"))
            if name == "pooled" or (name == "paired" and counts.n_labels.min(initial=2) > 1):
                each = self.feature_matrix(Feature("marginals"))
                return each.reshape(counts.n_units, self.n_annotators, size).sum(axis=1)
            return self._of_columns(values, by_annotator)
        row, annotator, column = counts.labels
        if by_annotator:
            column, size = annotator * size + column, size * self.n_annotators
        return sum_into_matrix(counts.unit[row], column, values[row], (counts.n_units, size))

    def _of_columns(self, values: Floats, by_annotator: bool) -> Floats:
        """Add the values of rows to units, annotator by annotator, without a list of the labels."""
        counts, size = self.counts, self.n_categories
        first = counts.unit * (size + 1) + 1
        n_columns = self.n_annotators if by_annotator else 1
        found = np.zeros((counts.n_units, n_columns, size))
        for a, codes in enumerate(counts.codes.T):
            cells = np.bincount(first + codes, values, counts.n_units * (size + 1))
            found[:, a if by_annotator else 0] += cells.reshape(-1, size + 1)[:, 1:]
        return found.reshape(counts.n_units, n_columns * size)

    @cached_property
    def _pairs_of_labels(self) -> tuple[Ints, Ints]:
        """Return the row and the pair c·K + k, c < k, of every two different labels of a row."""
        columns, size = self.counts.columns, self.n_categories
        rows, pairs = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        for apart in range(1, len(columns)):
            first, second = columns[:-apart], columns[apart:]
            at = np.nonzero((first >= 0) & (second >= 0) & (first != second))
            low, high = np.minimum(first[at], second[at]), np.maximum(first[at], second[at])
            rows.append(at[1])
            pairs.append(low.astype(np.int64) * size + high)
        return np.concatenate(rows), np.concatenate(pairs)

    def _of_cells(self, name: str) -> Any:
        """How often two labels of an item are of each two categories, as a share of its pairs."""
        counts = self.counts
        row, pair = self._pairs_of_labels
        n = counts.n_labels[row]
        values = 2 * counts.times[row] / ((n - 1) * (n if name == "observed_cells" else 1))
        first, second = self.category_pairs
        column = np.searchsorted(first * self.n_categories + second, pair)
        return sum_into_matrix(counts.unit[row], column, values, (counts.n_units, first.size))

    def _of_pairs(self, feature: Feature) -> Any:
        """Numbers of each two annotators on the items that both labelled."""
        counts, size = self.counts, self.n_categories
        pairs = list(combinations(range(self.n_annotators), 2))
        found = [(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))]
        for q, (a, b) in enumerate(pairs):
            both = np.flatnonzero((counts.codes[:, a] >= 0) & (counts.codes[:, b] >= 0))
            unit, times = counts.unit[both], counts.times[both].astype(np.float64)
            first, second = (counts.codes[both, one].astype(np.int64) for one in (a, b))
            if feature.name == "pair_labels":
                found.append((unit, 2 * q * size + first, times))
                found.append((unit, (2 * q + 1) * size + second, times))
                continue
            if feature.spread is not None:
                times = times * feature.spread.of_category_pairs(first, second)
            found.append((unit, np.full(unit.size, q), times))
        width = len(pairs) * (2 * size if feature.name == "pair_labels" else 1)
        rows, columns, values = (np.concatenate(one) for one in zip(*found, strict=True))
        return sum_into_matrix(rows, columns, values, (counts.n_units, width))


@dataclass(frozen=True, eq=False)
class PairTables:
    """Units given by how often two labels of one item are of each two categories.

    pairs      (G, K, K), symmetric; sums to the number of items of the unit
    n_labels   labels of an item
    marginals, complete, n_complete, n_unanimous  as in `Sums`
    common     returns (Q,): share of the items that both of each two annotators labelled
    """

    pairs: Floats
    n_labels: float
    marginals: Floats
    complete: Floats
    n_complete: Floats
    n_unanimous: Floats
    common: Callable[[], Floats]

    @property
    def n_categories(self) -> int:
        return self.pairs.shape[1]

    @property
    def n_annotators(self) -> int:
        return self.marginals.shape[1]

    @property
    def category_pairs(self) -> tuple[Ints, Ints]:
        return np.triu_indices(self.n_categories, 1)

    def feature_matrix(self, feature: Feature) -> Floats:
        if feature.moments is not None:
            return feature.moments.reduced(self.feature_matrix(Feature(feature.name)))
        name, of_pair, _ = feature.name.partition("_")
        if name == "pair":
            return self._of_pairs(feature)
        if name in ("observed", "coincident"):
            factor = self.n_labels if name == "coincident" else 1.0
            if of_pair:
                first, second = self.category_pairs
                return np.asarray(2 * factor * self.pairs[:, first, second])
            assert feature.spread is not None  # fixed distances
            return np.asarray(factor * self._distances(feature.spread)[:, None])
        shares = self.pairs.sum(axis=2)
        found = {
            "n_paired": shares.sum(axis=1),
            "n_labelled": shares.sum(axis=1),
            "paired": self.n_labels * shares,
            "shares": shares,
            "pooled": self.marginals.sum(axis=1),
            "marginals": self.marginals,
            "complete": self.complete,
            "n_complete": self.n_complete,
            "n_unanimous": self.n_unanimous,
        }[feature.name]
        return np.asarray(found.reshape(len(self.pairs), -1))

    def extend_tagset(self, tagset: tuple[str, ...]) -> PairTables:
        def wider(array: Floats, n_axes: int) -> Floats:
            more = (0, len(tagset) - self.n_categories)
            return np.pad(array, [(0, 0)] * (3 - n_axes) + [more] * n_axes)

        return replace(
            self,
            pairs=wider(self.pairs, 2),
            marginals=wider(self.marginals, 1),
            complete=wider(self.complete, 1),
        )

    def _distances(self, spread: Spread) -> Floats:
        return np.asarray((self.pairs * spread.as_table()).sum(axis=(1, 2)))

    def _of_pairs(self, feature: Feature) -> Floats:
        if feature.name == "pair_labels":
            both = np.repeat(self.pairs.sum(axis=2)[:, None], 2, axis=1)
            return np.asarray(np.multiply.outer(self.common(), both).swapaxes(0, 1)).reshape(
                len(self.pairs), -1
            )
        of_all = self.pairs.sum(axis=(1, 2))
        if feature.spread is not None:
            of_all = self._distances(feature.spread)
        return np.asarray(of_all[:, None] * self.common())
