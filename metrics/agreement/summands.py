"""What is added up to sums: the units of counted items, or of tables of pairs of labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ..arrays import Flags, Floats, Ints, product
from .counts import ItemCounts, sum_into_matrix
from .formulas.spread import Spread
from .sums import Feature

ALL_CELLS_UP_TO = 64  # categories; with more, the pairs of categories that occur on an item


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

    @classmethod
    def of_two_labels(cls, tables: Floats) -> PairTables:
        """Return units of items that two annotators labelled, from their tables (G, K, K)."""
        marginals = np.stack([tables.sum(axis=2), tables.sum(axis=1)], axis=1)
        return cls(
            (tables + tables.swapaxes(1, 2)) / 2,
            n_labels=2.0,
            marginals=marginals,
            complete=marginals,
            n_complete=tables.sum(axis=(1, 2)),
            n_unanimous=np.trace(tables, axis1=1, axis2=2),
            common=lambda: np.ones(1),
        )

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
