"""Comparison of a system's units with the annotators': each document is an item of the test.

The alignment of an annotator (or a system) with the others of a document is the mean similarity of
its units to the units of each other annotator:

| similarity | for the units of two annotators in a document |
|---|---|
| exact_f, type_f, overlap_f | F with this match (`metrics.scores.unit_match_counts`) |
| disorder | 1 − Σ d / (Δ∅ · units of both), of their best alignment |

All are in [0, 1]; two annotators without any unit have similarity 1. The disorder is the observed
disorder of γ (Mathet, Widlöcher & Métivier 2015) for two annotators, without correction for chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Ints
from ..measure import Match
from ..scores.unit_match_counts import match_units
from ..unit_rows import Units
from .judge_comparison import JudgeComparison, Missing, compare_pairs

if TYPE_CHECKING:  # only for types: importing it compiles kernels
    from ..alignment.dissimilarity import Dissimilarity

UnitSimilarityFunction: TypeAlias = Callable[[Units, Units, int], Floats]
"""Similarity (P,) of the units of two annotators in P documents, given as (first, second, P)."""

_AT_ONCE = 2_000_000  # pairs of annotators in memory at once


@dataclass(frozen=True, slots=True)
class AnnotatedUnits:
    """Units of A annotators, humans first and then systems, in D documents.

    owners    int64 (U,): index of the annotator of each unit
    finished  bool (D, A): documents that each annotator finished, with or without units
    """

    units: Units
    owners: Ints
    finished: Flags

    def select_category(self, category: int) -> AnnotatedUnits:
        """Units of one category, in the documents that have any."""
        return self._of_units(self.units.categories == category)

    def select_third(self, third: int, lengths: Floats) -> AnnotatedUnits:
        """Units with their middle in one third (0, 1 or 2) of the documents that have any there.

        lengths  (D,): of the documents, in the unit of the offsets; nan: unknown, without units
        """
        middles = (self.units.starts + self.units.ends) / 2
        with np.errstate(invalid="ignore"):
            places = np.minimum(np.floor(3 * middles / lengths[self.units.documents]), 2)
        return self._of_units(places == third)

    def _of_units(self, chosen: Flags) -> AnnotatedUnits:
        chosen = chosen & self._is_finished
        used = np.zeros(len(self.finished), np.bool_)
        used[self.units.documents[chosen]] = True
        finished = self.finished & used[:, None]
        return AnnotatedUnits(self.units.select(chosen), self.owners[chosen], finished)

    def has_units_of(self, n_humans: int) -> Flags:
        """Documents (D, S) with a unit of an annotator or of this system.

        System and left-out annotator are exchangeable in this choice. Units of another system must
        not matter: they would add documents in which these two are equal because both are empty.
        """
        used = self.counts() > 0
        return used[:, n_humans:] | used[:, :n_humans].any(axis=1, keepdims=True)

    def counts(self) -> Ints:
        """Units of each annotator in each document, (D, A)."""
        return self._sum(None).astype(np.int64)

    def lengths(self) -> Floats:
        """The summed lengths of the units of each annotator in each document, (D, A)."""
        return self._sum(self.units.ends - self.units.starts)

    def _sum(self, weights: Ints | None) -> Floats:
        cells = self.units.documents * self.finished.shape[1] + self.owners
        sums = np.bincount(cells, weights, minlength=self.finished.size)
        return sums.reshape(self.finished.shape).astype(np.float64)

    @property
    def _is_finished(self) -> Flags:
        return np.asarray(self.finished[self.units.documents, self.owners])


def f_similarity_function(match: Match, n_categories: int) -> UnitSimilarityFunction:
    """Return the F of two annotators' units under a match; categories are 0..n_categories-1."""
    tagset = tuple(map(str, range(n_categories)))

    def similarity(first: Units, second: Units, n: int) -> Floats:
        counts = match_units(first, second, tagset=tagset, match=match, n_documents=n)
        n_units = counts.reference.sum(axis=1) + counts.system.sum(axis=1)
        return np.where(n_units, 2 * counts.found.sum(axis=1) / np.maximum(n_units, 1), 1.0)

    return similarity


def disorder_similarity_function(
    dissimilarity: Dissimilarity, n_categories: int
) -> UnitSimilarityFunction:
    """Return 1 minus the disorder of two annotators' best alignment, as a share of its maximum.

    The maximum leaves every unit alone, at Δ∅ each.
    """

    def similarity(first: Units, second: Units, n: int) -> Floats:
        from ..alignment.batch import batch_disorders

        documents, starts, ends, categories = (
            np.concatenate(both) for both in zip(first.arrays(), second.arrays(), strict=True)
        )
        owners = np.repeat([0, 1], [len(first), len(second)])
        order = np.lexsort((ends, starts, documents))
        found = batch_disorders(
            starts[order].astype(np.float64),
            ends[order].astype(np.float64),
            categories[order].astype(np.int32),
            owners[order].astype(np.int32),
            np.searchsorted(documents[order], np.arange(n + 1)),
            2,
            dissimilarity,
            n_categories=n_categories,
        )
        most = dissimilarity.delta_empty * np.maximum(found.n_units, 1)
        return np.where(found.n_units, 1.0 - found.totals / most, 1.0)

    return similarity


def compare_units(
    annotated: AnnotatedUnits,
    n_humans: int,
    similarity: UnitSimilarityFunction,
    *,
    missing: Missing = "lost",
    assigned: Flags | None = None,
) -> list[JudgeComparison]:
    """Compare each system with the annotators, document by document.

    n_humans  number of humans, who come first; the others are systems
    assigned  bool (D, S): documents assigned to each system; None: all

    Returns one comparison per system, whose rows are the documents.
    """
    n_documents, n_annotators = annotated.finished.shape
    systems = range(n_humans, n_annotators)
    if assigned is None:
        assigned = np.ones((n_documents, len(systems)), np.bool_)
    of_chunks: list[list[JudgeComparison]] = [[] for _ in systems]
    several = annotated.finished[:, :n_humans].sum(axis=1) > 1
    step = max(1, _AT_ONCE // n_annotators**2)
    for first in range(0, n_documents, step):
        rows = slice(first, min(first + step, n_documents))
        between = pairwise_similarities(annotated, rows, similarity)
        for s, system in enumerate(systems):
            judged = assigned[rows, s]
            pairs = np.where(judged[:, None, None], between[:, :n_humans, :n_humans], np.nan)
            found = compare_pairs(pairs, between[:, system, :n_humans], missing=missing)
            lacking = several[rows] & judged & ~annotated.finished[rows, system]
            of_chunks[s].append(replace(found, n_missing=int(lacking.sum())))
    return [_join_comparisons(chunks, n_humans) for chunks in of_chunks]


def pairwise_similarities(
    annotated: AnnotatedUnits, rows: slice, similarity: UnitSimilarityFunction
) -> Floats:
    """Of each two annotators in each document of the rows (D, A, A), nan without both."""
    finished = annotated.finished[rows]
    n_annotators = finished.shape[1]
    both = np.triu(finished[:, :, None] & finished[:, None, :], k=1)
    documents, first, second = np.nonzero(both)
    cells = annotated.units.documents * n_annotators + annotated.owners
    order = np.argsort(cells, kind="stable")
    n_cells = len(annotated.finished) * n_annotators
    offsets = np.searchsorted(cells[order], np.arange(n_cells + 1))

    def side(owner: NDArray[np.integer]) -> Units:
        """Return the owners' units, with the number of the pair as their document."""
        chosen = (documents + rows.start) * n_annotators + owner
        sizes = offsets[chosen + 1] - offsets[chosen]
        ends = np.cumsum(sizes)
        within = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
        units = annotated.units.select(order[np.repeat(offsets[chosen], sizes) + within])
        return replace(units, documents=np.repeat(np.arange(len(chosen)), sizes))

    found = np.full((len(finished), n_annotators, n_annotators), np.nan)
    d, a = np.nonzero(finished)
    found[d, a, a] = 1.0
    if len(documents):
        values = similarity(side(first), side(second), len(documents))
        found[documents, first, second] = found[documents, second, first] = values
    return found


def _join_comparisons(chunks: Sequence[JudgeComparison], n_humans: int) -> JudgeComparison:
    if not chunks:
        nothing = np.zeros((0, n_humans), np.int8)
        return JudgeComparison(nothing, nothing, nothing.astype(np.bool_))
    return JudgeComparison(
        np.concatenate([one.system for one in chunks]),
        np.concatenate([one.annotator for one in chunks]),
        np.concatenate([one.compared for one in chunks]),
        sum(one.n_missing for one in chunks),
    )
