"""Counts of items by their labels: what every coefficient on items is computed from.

An item enters a coefficient by its row of labels alone, so a campaign is rows of labels and how
often each occurs in each unit: the whole campaign, a document, or a kind of item. The counts are
integers and add exactly, whatever the number of workers; a coefficient is computed once, from the
total, and never averaged over parts. The sums that the formulas read are in `sums`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from ..arrays import Flags, Floats, Ints, Ints32, numbered, weighted_moments
from ..errors import MetricsError
from ..signature import input_hash
from .label_matrix import LabelMatrix

By = Literal["whole", "documents", "items"]

DENSE_UP_TO = 20_000_000  # cells of a matrix, 160 MB; a larger one stores its nonzero cells only
_OF_ROWS = ("n_labels", "complete", "labels", "columns", "table")  # depend on `codes` alone
_BLOCK = 10_000  # rows counted together, in the processor's cache
_HASHED_CELLS = 25_000_000  # sizes × pairs of categories; of more, the pairs in use are hashed


def sum_into_matrix(rows: Ints, columns: Ints, values: Floats, shape: tuple[int, int]) -> Any:
    """Return the matrix with these values added up at (row, column), dense or sparse (SciPy)."""
    if shape[0] * shape[1] <= DENSE_UP_TO:
        cells = rows * shape[1] + columns
        return np.bincount(cells, values, shape[0] * shape[1]).reshape(shape)
    from scipy.sparse import coo_array

    return coo_array((values, (rows, columns)), shape=shape).tocsr()


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """Rows of labels, and how often each occurs in each of D units.

    codes         int32 (R, A): index into `tagset`, -1 where the annotator gave no label
    unit          int64 (R,): the unit that the row belongs to, from 0 to D - 1
    times         int64 (R,): number of items with this row in this unit
    n_duplicates  labels excluded because their annotator had already labelled the item
    memo          what was computed from the rows (`summands.CountedSummands`)
    """

    annotators: tuple[str, ...]
    tagset: tuple[str, ...]
    codes: Ints32
    unit: Ints
    times: Ints
    n_units: int
    n_duplicates: int = 0
    memo: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def n_items(self) -> int:
        return int(self.times.sum())

    @cached_property
    def n_unpaired(self) -> int:
        """Number of items with fewer than two labels, which the observed agreement does not use."""
        return int(self.times[self.n_labels < 2].sum())

    @property
    def n_complete(self) -> int:
        """Number of items that every annotator labelled."""
        return int(self.times[self.complete].sum())

    @cached_property
    def n_labels(self) -> Ints:
        """Number of labels in each row, (R,)."""
        return np.asarray((self.codes >= 0).sum(axis=1), dtype=np.int64)

    @property
    def has_one_row_per_unit(self) -> bool:
        """Whether each row is a unit, in order."""
        return np.array_equal(self.unit, np.arange(self.n_units))

    @property
    def is_mostly_labelled(self) -> bool:
        """Whether at least a quarter of the places of labels have one.

        Sums are then added annotator by annotator, several times as fast as label by label; of a
        thousand annotators with a few labels each, label by label.
        """
        return 4 * int(self.n_labels.sum()) >= self.codes.size

    @cached_property
    def complete(self) -> Flags:
        """Whether every annotator gave a label, (R,)."""
        return np.asarray((self.n_labels == len(self.annotators)) & (self.n_labels > 0))

    @cached_property
    def labels(self) -> tuple[Ints, Ints, Ints]:
        """Return the row, the annotator and the category of each label."""
        row, annotator = np.nonzero(self.codes >= 0)
        return row, annotator, self.codes[row, annotator].astype(np.int64)

    @cached_property
    def columns(self) -> Ints32:
        """Return the labels of each row without regard to their annotators, int32 (M, R).

        M is at least the largest number of labels in a row; -1 where a row has fewer.
        """
        if self.is_mostly_labelled:
            return np.ascontiguousarray(self.codes.T)
        most = int(self.n_labels.max(initial=0))
        row, _, category = self.labels
        first = np.cumsum(self.n_labels) - self.n_labels
        out = np.full((most, self.codes.shape[0]), -1, dtype=np.int32)
        out[np.arange(row.size) - first[row], row] = category
        return out

    @cached_property
    def table(self) -> Any:
        """Labels of each category in each row, float64 (R, K), dense or sparse."""
        n_rows, size = self.codes.shape[0], len(self.tagset)
        if n_rows * size > DENSE_UP_TO:
            row, _, category = self.labels
            return sum_into_matrix(row, category, np.ones(row.size), (n_rows, size))
        found = np.empty((n_rows, size))
        for start in range(0, n_rows, _BLOCK):
            codes = self.codes[start : start + _BLOCK]
            cells = np.arange(1, len(codes) * (size + 1), size + 1)[:, None] + codes
            counted = np.bincount(cells.ravel(), minlength=len(codes) * (size + 1))
            found[start : start + _BLOCK] = counted.reshape(-1, size + 1)[:, 1:]
        return found

    @cached_property
    def marginals(self) -> Ints:
        """Labels of each annotator in each category over all units, (A, K)."""
        if not self.is_mostly_labelled:
            row, annotator, category = self.labels
            cells, size = annotator * len(self.tagset) + category, len(self.tagset)
            found = np.bincount(cells, self.times[row], len(self.annotators) * size)
            return found.astype(np.int64).reshape(len(self.annotators), size)
        size = len(self.tagset) + 1
        codes, times = np.ascontiguousarray(self.codes.T) + 1, self.times.astype(np.float64)
        each = [np.bincount(own, times, size)[1:] for own in codes]
        return np.array(each, dtype=np.int64).reshape(len(self.annotators), size - 1)

    @property
    def pairs(self) -> Ints:
        """Ordered pairs of labels (c, k) by two annotators on one item over all units, (K, K)."""
        found = self._labels_and_pairs(np.flatnonzero(self.n_labels > 1))[1]
        return np.asarray(found if isinstance(found, np.ndarray) else found.toarray(), np.int64)

    @property
    def coincidences(self) -> Floats:
        """Krippendorff's coincidences over all units, (K, K): pairs over labels - 1 of the item."""
        rows = np.flatnonzero(self.n_labels > 1)
        found = self._labels_and_pairs(rows, self.times[rows] / (self.n_labels[rows] - 1))[1]
        return np.asarray(found if isinstance(found, np.ndarray) else found.toarray())

    def category_counts_by_resampling_unit(self) -> Ints:
        """Labels of each category in each unit, (D, K)."""
        row, _, category = self.labels
        cells, size = self.unit[row] * len(self.tagset) + category, len(self.tagset)
        found = np.bincount(cells, self.times[row], self.n_units * size)
        return found.astype(np.int64).reshape(self.n_units, size)

    @cached_property
    def total(self) -> ItemCounts:
        """The distinct rows as one unit, in an order that does not depend on the units."""
        first, row_of = _distinct(self.codes, len(self.tagset) + 1)
        total = replace(
            self,
            codes=self.codes.take(first, axis=0),  # far faster than an index for rows in no order
            unit=np.zeros(first.size, dtype=np.int64),
            times=np.bincount(row_of, self.times, first.size).astype(np.int64),
            n_units=1,
        )
        vars(total)["total"] = total
        return total

    def same_rows_in_units(self, unit: Ints, times: Ints, n_units: int) -> ItemCounts:
        """Return the same rows of labels in other units, with what is known of the rows."""
        found = replace(self, unit=unit, times=times, n_units=n_units)
        known = vars(self)
        vars(found).update({name: known[name] for name in _OF_ROWS if name in known})
        return found

    def select_resampling_units(self, chosen: Sequence[int] | Ints) -> ItemCounts:
        """Return some of the units, by their numbers, in this order."""
        order, bounds = self._rows_by_unit
        chosen = np.asarray(chosen, dtype=np.int64)
        sizes = bounds[chosen + 1] - bounds[chosen]
        before = np.cumsum(sizes) - sizes
        rows = order[np.arange(sizes.sum()) + np.repeat(bounds[chosen] - before, sizes)]
        return replace(
            self,
            codes=self.codes[rows],
            unit=np.repeat(np.arange(chosen.size), sizes),
            times=self.times[rows],
            n_units=chosen.size,
        )

    def without(self, annotator: int) -> ItemCounts:
        """Return the same rows without an annotator, by number."""
        own = self.codes[:, annotator]
        given = np.flatnonzero(own >= 0)
        found = replace(
            self,
            annotators=self.annotators[:annotator] + self.annotators[annotator + 1 :],
            codes=np.delete(self.codes, annotator, axis=1),
        )
        vars(found)["n_labels"] = self.n_labels - (own >= 0)
        if isinstance(self.table, np.ndarray):
            table = self.table.copy()
            table[given, own[given]] -= 1
            vars(found)["table"] = table
        return found

    def collapse_categories(self, into: Sequence[int], tagset: tuple[str, ...]) -> ItemCounts:
        """Merge categories: category k becomes `tagset[into[k]]`."""
        merged = np.append(np.asarray(into, dtype=np.int32), np.int32(-1))
        found = replace(self, codes=merged[self.codes], tagset=tagset)
        vars(found)["n_labels"] = self.n_labels
        return found

    def fingerprint(self) -> str:
        """Hash of the total, which does not depend on how the campaign was split."""
        return self.total._hash

    @cached_property
    def _rows_by_unit(self) -> tuple[Ints, Ints]:
        """Return the rows sorted by unit, and where each unit starts."""
        order = np.argsort(self.unit, kind="stable")
        return order, np.searchsorted(self.unit[order], np.arange(self.n_units + 1))

    @cached_property
    def _hash(self) -> str:
        items = np.bincount(self.n_labels, self.times).astype(np.int64)
        sizes = np.flatnonzero(np.bincount(self.n_labels)[1:]) + 1
        of_sizes = [self._labels_and_pairs(np.flatnonzero(self.n_labels == n)) for n in sizes]
        labels = [some for some, _ in of_sizes]
        return input_hash(
            [
                "\x1f".join(self.annotators),
                "\x1f".join(self.tagset),
                sizes,
                items[sizes][None],
                np.array(labels, dtype=np.int64).reshape(1, sizes.size, len(self.tagset)),
                *self._hashed_pairs([pairs for _, pairs in of_sizes]),
                self.marginals[None],
            ]
        )

    def _hashed_pairs(self, by_size: Sequence[Any]) -> list[Ints]:
        """Return the pairs of labels of the rows with each number of labels as (1, S, K, K).

        Of too many categories for a table, the cells in use and their pairs of labels.
        """
        n = len(self.tagset)
        if len(by_size) * n**2 <= _HASHED_CELLS:
            dense = [one if isinstance(one, np.ndarray) else one.toarray() for one in by_size]
            return [np.array(dense, dtype=np.int64).reshape(1, len(by_size), n, n)]
        from scipy.sparse import coo_array

        found: list[Ints] = []
        for one in by_size:
            cells = coo_array(one)
            found += [cells.row.astype(np.int64) * n + cells.col, cells.data.astype(np.int64)]
        return found

    def _labels_and_pairs(self, rows: Ints, weights: Floats | None = None) -> tuple[Floats, Any]:
        """Return the labels (K,) and ordered pairs of labels (K, K) in these rows, float64.

        The pairs are dense or sparse.
        """
        times = self.times[rows].astype(np.float64) if weights is None else weights
        if isinstance(self.table, np.ndarray):
            labels, products = weighted_moments(self.table.take(rows, axis=0), times)
            return labels, products - np.diag(labels)
        from scipy.sparse import diags_array

        some = self.table[rows]
        labels = np.asarray(times @ some)
        found = some.T @ diags_array(times) @ some - diags_array(labels)
        found.eliminate_zeros()
        return labels, found.tocsr()


def join_counts(parts: Iterable[ItemCounts]) -> ItemCounts:
    """Join the units of all parts in order, matching annotators by name over one tagset.

    Raises MetricsError without a part, or for different tagsets.
    """
    parts = list(parts)
    if not parts:
        raise MetricsError("no counts to merge: the campaign has no batch")
    tagset = parts[0].tagset
    for part in parts:
        if part.tagset != tagset:
            raise MetricsError(
                f"counts over different tagsets cannot be added: {', '.join(tagset)} and "
                f"{', '.join(part.tagset)}; declare one tagset for the campaign"
            )
    annotators = tuple(dict.fromkeys(name for part in parts for name in part.annotators))
    column_of = {name: a for a, name in enumerate(annotators)}
    codes = np.full((sum(len(part.codes) for part in parts), len(annotators)), -1, dtype=np.int32)
    before = 0
    for part in parts:
        columns = [column_of[name] for name in part.annotators]
        codes[before : before + len(part.codes), columns] = part.codes
        before += len(part.codes)
    starts = np.cumsum([0, *(part.n_units for part in parts)])
    return ItemCounts(
        annotators,
        tagset,
        codes,
        unit=np.concatenate([part.unit + at for part, at in zip(parts, starts, strict=False)]),
        times=np.concatenate([part.times for part in parts]),
        n_units=int(starts[-1]),
        n_duplicates=sum(part.n_duplicates for part in parts),
    )


def count(matrix: LabelMatrix, *, by: By = "whole") -> ItemCounts:
    """Count a label matrix, as a whole (D = 1), by document or by item; once for each matrix.

    As a whole, each row of labels is counted once.

    Raises RoleError for a system or a reference; MetricsError if counts by document are requested
    of a matrix without documents.
    """
    matrix.require_humans("Agreement")
    found: ItemCounts | None = matrix.memo.get(by)
    if found is not None:
        return found
    unit, n_units = np.zeros(matrix.n_items, dtype=np.int64), 1
    if by == "items":
        unit, n_units = np.arange(matrix.n_items), matrix.n_items
    if by == "documents":
        if matrix.documents is None:
            raise MetricsError(
                "the items have no documents: count all items together, or give documents"
            )
        names, unit = numbered(matrix.documents)
        n_units = max(1, names.size)
    codes, times = matrix.codes, np.ones(matrix.n_items, dtype=np.int64)
    base = len(matrix.tagset) + 1
    n_rows = base ** codes.shape[1]
    if n_units * n_rows <= len(codes):  # few rows are possible: equal rows of a unit are one
        factors = base ** np.arange(codes.shape[1], dtype=np.int64)
        for own in codes.T[::-1]:  # a product of integers takes twice the time
            unit = unit * base + (own + 1)
        counted = np.bincount(unit, minlength=n_units * n_rows)
        used = np.flatnonzero(counted)
        codes = (used[:, None] % n_rows // factors % base - 1).astype(np.int32)
        unit, times = used // n_rows, counted[used]
    elif by == "whole":
        first, row_of = _distinct(codes, base)
        codes, unit, times = codes.take(first, axis=0), unit[first], np.bincount(row_of)
    found = matrix.memo[by] = ItemCounts(
        matrix.annotators, matrix.tagset, codes, unit, times, n_units, matrix.n_duplicates
    )
    if by == "whole":
        vars(found)["total"] = found  # distinct rows, in the order of `total`
    return found


def units_of_distinct_rows(counts: ItemCounts) -> tuple[ItemCounts, Ints]:
    """Return each distinct row of labels as a unit, and its number of items."""
    whole = counts.total
    n = len(whole.codes)
    return whole.same_rows_in_units(np.arange(n), np.ones(n, dtype=np.int64), n), whole.times


def _distinct(codes: Ints32, base: int) -> tuple[Ints, Ints]:
    """Return the place of each distinct row (G,), and the number of each row's one, (R,)."""
    exact = _has_exact_keys(codes, base)
    factors = base ** np.arange(codes.shape[1], dtype=np.int64)
    if not exact:
        factors = np.random.default_rng(0).integers(1 << 62, size=factors.shape)
    keys = (codes.astype(np.int64) + 1) @ factors  # a hash may overflow
    order = np.argsort(keys)
    keys = keys[order]
    starts = np.append(True, keys[1:] != keys[:-1])[: keys.size]
    first, row_of = order[starts], np.empty_like(order)
    row_of[order] = np.cumsum(starts) - 1
    if not exact and not np.array_equal(codes[first[row_of]], codes):  # two rows with one hash
        found = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        first, row_of = found[1], found[2].reshape(-1)
    return first, row_of


def _has_exact_keys(codes: Ints32, base: int) -> bool:
    return bool(codes.shape[1] * np.log2(base) < 62)
