"""The order in which random numbers are drawn for units and categories, found from the labels.

Random numbers are drawn one after the other, so an interval depends on which unit or category comes
first; in an order by name it would change with the names. Here, categories and annotators are
ordered by their numbers of labels, equal ones by how many labels they share, then by the items on
which their labels meet (colour refinement, Weisfeiler & Leman 1968). Those that still are equal
can be exchanged without a change of the data, so it does not matter which comes first: one is taken
and the refinement goes on. Units are ordered by their rows of labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints, Ints32
from ..bootstrap import draw_resamples
from ..row_order import Hashes, added, mixed, places
from .counts import ItemCounts

MOST_CHOICES = 64  # of one among equal names; further equal ones keep the order of the tagset


@dataclass(frozen=True, eq=False)
class DrawOrder:
    """The order of the units and of the categories of `counts`.

    counts  each row with the number of items that are drawn with it
    roles   (A,): annotators with different numbers are not compared; None: they are all alike
    """

    counts: ItemCounts
    roles: Ints | None = None

    @property
    def categories(self) -> Ints:
        """The categories in their order, (K,)."""
        return self._names[0]

    @property
    def annotators(self) -> Ints:
        """The annotators in their order, (A,)."""
        return self._names[1]

    @cached_property
    def units(self) -> Ints:
        """The units in their order, (D,)."""
        return np.argsort(self._hashes_of_units, kind="stable")

    @cached_property
    def place_of_unit(self) -> Ints:
        """The place of each unit in the order, (D,)."""
        return places(self.units)

    def resamples(
        self,
        multiplicity: Ints,
        n_replicates: int,
        rng: np.random.Generator,
        *,
        at_once: int | None = None,
    ) -> Iterator[Floats]:
        """Yield resamples of the units, (rows, D), as `metrics.bootstrap.draw_resamples`."""
        for weights in draw_resamples(multiplicity[self.units], n_replicates, rng, at_once=at_once):
            yield weights[:, self.place_of_unit]

    def gamma_weights(self, multiplicity: Ints, n_draws: int, rng: np.random.Generator) -> Floats:
        """Return weights of the units, (n_draws, D), each with the mean of its multiplicity."""
        shape = (n_draws, multiplicity.size)
        return rng.standard_gamma(multiplicity[self.units], shape)[:, self.place_of_unit]

    def arrange(self, codes: Ints32) -> Ints32:
        """Return the labels (D, A) of units of one item in the order of units and annotators.

        The codes are numbers in the order of categories, -1 without a label.
        """
        place = np.append(places(self.categories), -1).astype(np.int32)
        return place[codes[self.units][:, self.annotators]]

    def categories_of(self, tagset: Sequence[str]) -> Ints:
        """Return the categories of a tagset in this order, (K,); unknown ones come last."""
        names = [self.counts.tagset[k] for k in self.categories.tolist()]
        place = {name: k for k, name in enumerate(names)}
        return np.argsort([place.get(name, len(names)) for name in tagset], kind="stable")

    @cached_property
    def _hashes_of_units(self) -> Hashes:
        counts = self.counts
        categories, annotators = (mixed(places(order)) for order in self._names)
        of_code = np.append(mixed(categories), np.uint64(0))  # no label: code −1
        rows = np.zeros(len(counts.codes), dtype=np.uint64)
        for codes, factor in zip(counts.codes.T, annotators, strict=True):
            rows += of_code[codes] * (factor | np.uint64(1))
        return added(counts.unit, mixed(mixed(rows) + mixed(counts.times)), counts.n_units)

    @cached_property
    def _names(self) -> tuple[Ints, Ints]:
        """The categories and the annotators in their order."""
        marginals, n_categories = self.counts.marginals, len(self.counts.tagset)
        n_labels = np.concatenate([marginals.sum(axis=0), marginals.sum(axis=1)])
        is_annotator = np.arange(n_labels.size) >= n_categories
        kinds = is_annotator.astype(np.int64)
        if self.roles is not None:
            kinds[n_categories:] += self.roles
        ranks = _ranks(-n_labels, kinds)
        for occurrences in (self._labels_together, self._labels_on_items):
            if not _equal_names(ranks, n_labels).size:
                break
            ranks = _finer(occurrences(), ranks)
        ranks = self._with_choices(ranks, n_labels)
        order = np.argsort(ranks, kind="stable")
        of_annotators = is_annotator[order]
        return order[~of_annotators], order[of_annotators] - n_categories

    def _with_choices(self, ranks: Ints, n_labels: Ints) -> Ints:
        """Rank names that are equal in every respect, one after the other."""
        for _ in range(MOST_CHOICES):
            equal = _equal_names(ranks, n_labels)
            if not equal.size:
                break
            n_before = int(ranks.max()) + 1
            first = np.isin(np.arange(ranks.size), equal[1:])
            ranks = _finer(self._labels_on_items(), _ranks(first, ranks))
            if int(ranks.max()) == n_before:  # no other name depends on which one was taken
                places = np.zeros(ranks.size, dtype=np.int64)
                places[equal] = np.arange(equal.size)
                ranks = _ranks(places, ranks)
        return ranks

    def _labels_together(self) -> _Occurrences:
        """How many labels each annotator has of each category."""
        marginals = self.counts.marginals
        annotator, category = np.nonzero(marginals)
        times, rows = marginals[annotator, category], np.arange(category.size)
        return _Occurrences(category, annotator + len(self.counts.tagset), rows, times, rows)

    def _labels_on_items(self) -> _Occurrences:
        row, annotator, category = self.counts.labels
        annotators = annotator + len(self.counts.tagset)
        return _Occurrences(category, annotators, row, self.counts.times, self.counts.unit)


def draw_order(counts: ItemCounts, multiplicity: Ints, roles: Ints | None = None) -> DrawOrder:
    """Return the order of units that each stand for so many equal ones, (D,)."""
    times = counts.times * multiplicity[counts.unit]
    return DrawOrder(counts.same_rows_in_units(counts.unit, times, counts.n_units), roles)


def paired_order(first: ItemCounts, second: ItemCounts) -> DrawOrder:
    """Return the order of units that correspond one to one, by their labels on both sides."""
    tagset = tuple(dict.fromkeys(first.tagset + second.tagset))
    place = np.array([*map(tagset.index, second.tagset), -1], dtype=np.int32)
    n = len(first.annotators)
    codes = np.full(
        (len(first.codes) + len(second.codes), n + len(second.annotators)), -1, dtype=np.int32
    )
    codes[: len(first.codes), :n] = first.codes
    codes[len(first.codes) :, n:] = place[second.codes]
    both = ItemCounts(
        first.annotators + second.annotators,
        tagset,
        codes,
        np.concatenate([first.unit, second.unit]),
        np.concatenate([first.times, second.times]),
        first.n_units,
    )
    return DrawOrder(both, (np.arange(codes.shape[1]) >= n).astype(np.int64))


@dataclass(frozen=True, slots=True)
class _Occurrences:
    """Labels, each by its category, annotator and row; rows by their number and unit."""

    category: Ints
    annotator: Ints
    row: Ints
    times: Ints
    unit: Ints


def _finer(of: _Occurrences, ranks: Ints) -> Ints:
    """Distinguish names of equal rank by the ranks of the names with which they occur."""
    n_ranks, times, n_units = 0, mixed(of.times), int(of.unit.max(initial=-1)) + 1
    while int(ranks.max()) + 1 > n_ranks:
        n_ranks = int(ranks.max()) + 1
        name = mixed(ranks)
        label = mixed(name[of.category] + mixed(name[of.annotator]))
        rows = mixed(added(of.row, label, of.times.size) + times)
        rows = mixed(rows + added(of.unit, rows, n_units)[of.unit])
        around = mixed(rows[of.row] + label)
        seen = added(of.category, around, ranks.size) + added(of.annotator, around, ranks.size)
        ranks = _ranks(seen, ranks)
    return ranks


def _equal_names(ranks: Ints, n_labels: Ints) -> Ints:
    """Return the names with labels that share the first shared rank; none if no rank is shared."""
    used = np.flatnonzero(n_labels)
    shared = np.flatnonzero(np.bincount(ranks[used]) > 1)
    return used[ranks[used] == shared[0]] if shared.size else used[:0]


def _ranks(values: NDArray[np.generic], within: Ints) -> Ints:
    """Rank names by `within`, then by `values`; equal names have equal ranks from 0."""
    order = np.lexsort((values, within))
    differs = (values[order][1:] != values[order][:-1]) | (np.diff(within[order]) != 0)
    ranks = np.zeros(order.size, dtype=np.int64)
    ranks[order[1:]] = np.cumsum(differs)
    return ranks
