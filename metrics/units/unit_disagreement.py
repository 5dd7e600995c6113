"""Disorder of best alignments by document, pair of annotators and kind of disagreement.

The disorder of a unitary alignment is the mean over its pairs of annotators; each pair has a
missing unit, or a boundary and categories (`metrics.units.disorder_by_cause`). Two annotators who
both have no unit in it cost Δ∅ too: this is the disagreement of the annotators who have one with
those who have not, to whom it is distributed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity, category_costs, position_costs
from ..arrays import Flags, Floats, Ints
from ..causes.disagreement import (
    MOST_ANNOTATORS,
    UNDISTINGUISHED,
    Counted,
    Disagreement,
    DisagreementKind,
    Part,
    document_groups,
    kinds_of_category_pairs,
    max_document_groups,
    most_used_categories,
    parts_of_groups,
)

_CAUSES = ("missing", "boundary", "category")
_COMPARED = 3  # a row that counts the compared pairs of two annotators


@dataclass(frozen=True, slots=True, eq=False)
class DisorderRows:
    """Sums of disorder, a row for each document, ordered pair of annotators, cause and categories.

    documents, firsts, seconds  int64 (R,)
    causes   int64 (R,): a position in missing, boundary, category, or 3 for compared pairs
    category, other  int64 (R,): codes, −1 for a unit without a category
    amounts  float64 (R,)
    counts   int64 (R,)
    """

    documents: Ints
    firsts: Ints
    seconds: Ints
    causes: Ints
    category: Ints
    other: Ints
    amounts: Floats
    counts: Ints


def disorder_rows(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment | None],
    dissimilarity: Dissimilarity,
    annotators: Sequence[str],
) -> DisorderRows:
    """Return the rows of all documents; none for a dissimilarity that is a single function.

    annotators  all names, which number the annotators of each document
    """
    number = {name: a for a, name in enumerate(annotators)}
    nothing = np.empty(0, dtype=np.int64)
    found = [
        DisorderRows(nothing, nothing, nothing, nothing, nothing, nothing, np.empty(0), nothing)
    ]
    for d, (continuum, alignment) in enumerate(zip(continua, alignments, strict=True)):
        if alignment is None or not continuum.n_units or dissimilarity.pair_function is not None:
            continue
        own = np.array([number[name] for name in continuum.annotators], dtype=np.int64)
        found.append(_document_rows(d, continuum, alignment, dissimilarity, own))
    columns = ([getattr(one, column.name) for one in found] for column in fields(DisorderRows))
    return DisorderRows(*map(np.concatenate, columns))


def _document_rows(
    d: int,
    continuum: Continuum,
    alignment: Alignment,
    dissimilarity: Dissimilarity,
    numbers: Ints,
) -> DisorderRows:
    """Return the rows of a document, whose annotators have these numbers."""
    order = np.argsort(numbers)
    units = alignment.units.astype(np.int64)[:, order].T  # (A, alignments)
    numbers, n = numbers[order], len(units)
    category = continuum.categories.astype(np.int64)
    parts = [_missing_units(units, category, dissimilarity.delta_empty)]
    a, b, row = _pairs_of_annotators(units, lambda first, second: first & second)
    u, v = units[a, row], units[b, row]
    n_pairs = n * (n - 1) / 2
    apart = dissimilarity.alpha * position_costs(continuum, u, v, dissimilarity) / n_pairs
    at = np.flatnonzero(apart > 0)
    parts += [
        _PairRows(a[at], b[at], 1, category[w[at]], category[w[at]], apart[at] / 2) for w in (u, v)
    ]
    at = np.flatnonzero(category[u] != category[v])
    u, v = u[at], v[at]
    other = dissimilarity.beta * category_costs(continuum, u, v, dissimilarity) / n_pairs
    low, high = np.minimum(category[u], category[v]), np.maximum(category[u], category[v])
    parts.append(_PairRows(a[at], b[at], 2, low, high, other))
    a, b, _ = _pairs_of_annotators(units, lambda first, second: first | second)
    parts.append(_PairRows(a, b, _COMPARED, np.zeros_like(a), np.zeros_like(a), np.zeros(a.size)))

    shape = (n, n, _COMPARED + 1, len(continuum.tagset) + 1, len(continuum.tagset) + 1)
    keys = np.concatenate([one.keys(shape) for one in parts])
    joined, of_row = np.unique(keys, return_inverse=True)
    weights = np.concatenate([one.amounts for one in parts])
    amounts = np.asarray(np.bincount(of_row, weights, joined.size), dtype=np.float64)
    a, b, causes, c, k = np.unravel_index(joined, shape)
    documents = np.full(joined.size, d)
    counts = np.bincount(of_row, minlength=joined.size)
    return DisorderRows(documents, numbers[a], numbers[b], causes, c - 1, k - 1, amounts, counts)


@dataclass(frozen=True, slots=True, eq=False)
class _PairRows:
    """Disorder of one cause, a row for each pair of annotators a, b of a unitary alignment."""

    a: Ints
    b: Ints
    cause: int
    category: Ints
    other: Ints
    amounts: Floats

    def keys(self, shape: tuple[int, ...]) -> Ints:
        """Return what is the same in rows to be added, as one number each."""
        causes = np.full(self.a.size, self.cause)
        found = (self.a, self.b, causes, self.category + 1, self.other + 1)
        return np.ravel_multi_index(found, shape)


def _pairs_of_annotators(
    units: Ints, chosen: Callable[[Flags, Flags], Flags]
) -> tuple[Ints, Ints, Ints]:
    """Return two annotators and a unitary alignment, by whether both have a unit in it."""
    first, second = np.triu_indices(len(units), 1)
    pair, row = np.nonzero(chosen(units[first] >= 0, units[second] >= 0))
    return first[pair], second[pair], row


def _missing_units(units: Ints, category: Ints, delta_empty: float) -> _PairRows:
    """Return the units that only one of two annotators has, who is the first of the pair."""
    n, n_real = len(units), (units >= 0).sum(axis=0)
    n_pairs = n * (n - 1) / 2
    # a missing pair's part of all pairs without two units
    spread = (n_pairs - n_real * (n_real - 1) / 2) / np.maximum(1, n_real * (n - n_real))
    first, second, row = _pairs_of_annotators(units, lambda first, second: first != second)
    lacks = units[second, row] < 0
    has, other = np.where(lacks, first, second), np.where(lacks, second, first)
    c = category[units[has, row]]
    return _PairRows(has, other, 0, c, c, delta_empty * spread[row] / n_pairs)


@dataclass(frozen=True, slots=True, eq=False)
class UnitGroups:
    """How the units of D documents are counted: by group of documents, annotator and kind.

    With more than `MOST_ANNOTATORS`, annotators are not distinguished.

    documents   int64 (D,): the group of each
    categories  the most used ones, and "" for others
    category    int64 (K + 1,): position in `categories` of each of K codes, and of no category
    kinds       of disagreement
    kind        int64 (3, categories, categories): position in `kinds` of a missing unit or a
                boundary by its category, and of a pair of categories
    """

    documents: Ints
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    category: Ints
    kinds: tuple[DisagreementKind, ...]
    kind: Ints
    parts: tuple[tuple[Part, Flags], ...]

    @classmethod
    def of_documents(
        cls,
        usage: Floats,
        annotators: Sequence[str],
        tagset: Sequence[str],
        parts: Sequence[tuple[Part, Flags]] = (),
    ) -> UnitGroups:
        """Group documents; `usage` (D, K + 1) are units by category, the last without one."""
        annotators = UNDISTINGUISHED if len(annotators) > MOST_ANNOTATORS else tuple(annotators)
        named, short = most_used_categories(usage[:, : len(tagset)].sum(axis=0))
        names = (*(tagset[k] for k in named), "")
        kinds, kind_of = _kinds(names)
        most = max_document_groups(len(annotators), len(kinds))
        documents = document_groups(parts, usage.shape[0], most)
        return cls(
            documents, annotators, names, np.append(short, len(named)), kinds, kind_of,
            parts_of_groups(parts, documents),
        )  # fmt: skip

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Return the numbers of groups, annotators (twice) and kinds."""
        n = len(self.annotators)
        return int(self.documents.max()) + 1, n, n, len(self.kinds)

    def usage(self, usage: Floats) -> Floats:
        """Return the units by group and category (G, K) of those by document (D, K + 1)."""
        of_groups = np.zeros((self.shape[0], len(self.categories)))
        for k in range(usage.shape[1]):
            np.add.at(of_groups[:, self.category[k]], self.documents, usage[:, k])
        return of_groups

    def nothing_compared(self, usage: Floats) -> Disagreement:
        """Return a disagreement of these documents in which nothing is counted yet."""
        amounts, pairs = np.zeros(self.shape), np.zeros(self.shape[:3])
        return Disagreement(
            amounts, amounts.astype(np.int64), pairs, pairs.astype(np.int64), self.usage(usage),
            self.kinds, self.annotators, self.categories, self.parts,
        )  # fmt: skip


def unit_disagreement(
    rows: DisorderRows, usage: Floats, chances: Floats, takes_part: Flags, by: UnitGroups
) -> Disagreement | None:
    """Return the disorder of D documents; None without pairs of annotators.

    usage       (D, K + 1): units by category, the last column without a category
    chances     (D,): expected disorder of each document, times its weight
    takes_part  bool (D, A): annotators of each document
    """
    if not rows.documents.size:
        return None
    n_own = takes_part.sum(axis=1)
    x, y, short = rows.firsts, rows.seconds, by.category
    if by.annotators is UNDISTINGUISHED:
        x, y = np.zeros_like(x), np.ones_like(y)
        takes_part, n_own = np.repeat(n_own[:, None] > 1, 2, axis=1), np.minimum(n_own, 2)
    groups, (n_groups, a, _, _) = by.documents, by.shape
    amounts = np.zeros(by.shape)
    counts = np.zeros(amounts.shape, dtype=np.int64)
    compared = np.zeros((n_groups, a, a), dtype=np.int64)
    g = groups[rows.documents]
    is_kind = rows.causes < _COMPARED
    kind = by.kind[rows.causes[is_kind], short[rows.category[is_kind]], short[rows.other[is_kind]]]
    where = (g[is_kind], x[is_kind], y[is_kind], kind)
    np.add.at(amounts, where, rows.amounts[is_kind])
    # a boundary has a row for each of its two units
    halves = np.where(rows.causes == 1, 0.5, 1.0) * rows.counts
    halved = np.zeros(amounts.shape)
    np.add.at(halved, where, halves[is_kind])
    counts += np.rint(halved).astype(np.int64)
    np.add.at(compared, (g[~is_kind], x[~is_kind], y[~is_kind]), rows.counts[~is_kind])
    of_pairs = np.zeros((n_groups, a, a))
    share = chances / np.maximum(1, n_own * (n_own - 1) / 2)
    for one, other in combinations(range(a), 2):
        both = takes_part[:, one] & takes_part[:, other]
        of_pairs[:, one, other] = np.bincount(groups, share * both, minlength=n_groups)
    return Disagreement(
        amounts, counts, of_pairs, compared, by.usage(usage), by.kinds, by.annotators,
        by.categories, by.parts, counted=Counted.units,
    )  # fmt: skip


def _kinds(names: Sequence[str]) -> tuple[tuple[DisagreementKind, ...], Ints]:
    """Return all kinds, and their positions by cause and categories, int64 (3, K, K)."""
    kinds = [DisagreementKind(cause, (name,)) for cause in _CAUSES[:2] for name in names]
    of_pairs, place = kinds_of_category_pairs(names)
    first = np.repeat(np.arange(len(names))[:, None], len(names), axis=1)
    places = np.stack([first, len(names) + first, 2 * len(names) + place])
    return (*kinds, *of_pairs), places
