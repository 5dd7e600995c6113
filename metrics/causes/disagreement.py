"""Disagreement of a layer, counted by document, pair of annotators and kind.

A value of agreement is 1 − Σ amounts / Σ chances: for labels the observed and the expected
disagreement, for γ the observed and the expected disorder. Both are sums over documents and pairs
of annotators, and the amounts also over kinds of disagreement: a missing unit, a boundary, a pair
of categories. Any part of the campaign is therefore a selection of these cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np

from ..arrays import Flags, Floats, Ints
from .strata import Strata

MOST_ANNOTATORS = 45  # with more, the annotators are not distinguished
UNDISTINGUISHED = ("", "")  # annotators where each pair of annotators counts as these two
MOST_CATEGORIES = 10  # in kinds of disagreement, the most used ones
_MOST_CELLS = 4_000_000  # groups of documents × pairs of annotators × kinds
_MOST_GROUPS = 200
_FEWEST_GROUPS = 40


class Counted(StrEnum):
    """What disagrees and is counted: pairs of labels or units, units, relations, or amounts."""

    labels = "labels"
    units = "units"
    unmatched = "unmatched"
    relations = "relations"
    amounts = "amounts"


class PartKind(StrEnum):
    """What a part of the campaign consists of; `since`: all periods or batches from one on.

    Of a position, hour or share of an annotator's work, everything from it on, or before it.
    """

    batch = "batch"
    document_type = "document_type"
    since = "since"
    period = "period"
    from_position = "from_position"
    before_position = "before_position"
    from_hour = "from_hour"
    before_hour = "before_hour"
    from_order = "from_order"
    before_order = "before_order"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the documents, or of the work; `name` of a part `since` or of strata is the cut."""

    kind: PartKind
    name: str

    @property
    def is_of_strata(self) -> bool:
        return self.kind.value.startswith(("from_", "before_"))

    def strata_in(self, found: Sequence[Strata]) -> tuple[int, slice]:
        """Return which of these strata are cut, and those on the part's side."""
        side, _, kind = self.kind.value.partition("_")
        s = [one.kind.value for one in found].index(kind)
        cut = found[s].cuts.index(self.name) + 1
        return s, slice(cut, None) if side == "from" else slice(None, cut)


@dataclass(frozen=True, slots=True)
class DisagreementKind:
    """A kind of disagreement, or all of several.

    cause       missing | boundary | category | relation, or "" for every kind
    categories  one category of a missing unit, a boundary or a relation, two of a pair; () for
                every category
    """

    cause: str = ""
    categories: tuple[str, ...] = ()

    def includes(self, other: DisagreementKind) -> bool:
        """Return whether the other kind is one of these."""
        of_cause = self.cause in ("", other.cause)
        return of_cause and self.categories in ((), other.categories)


EVERY_KIND = DisagreementKind()


def most_used_categories(usage: Floats | Ints) -> tuple[list[int], Ints]:
    """Return the most used of K codes, and the place of each code among them (K,), others last."""
    order = np.argsort(-usage, kind="stable")[:MOST_CATEGORIES]
    named = sorted(int(code) for code in order if usage[code])
    place = np.full(usage.size, len(named), dtype=np.int64)
    place[named] = np.arange(len(named))
    return named, place


def kinds_of_category_pairs(names: Sequence[str]) -> tuple[list[DisagreementKind], Ints]:
    """Return a kind for each two of K categories and one for others, and their places (K, K)."""
    pairs = [*combinations(range(len(names)), 2)]
    kinds = [DisagreementKind("category", (names[c], names[k])) for c, k in pairs]
    place = np.full((len(names), len(names)), len(pairs), dtype=np.int64)
    for j, (c, k) in enumerate(pairs):
        place[c, k] = place[k, c] = j
    return [*kinds, DisagreementKind("category", ("", ""))], place


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Labels or units that are compared with another annotator's, by category.

    uses   int64 (G, A, A, K): of the first annotator, in each category
    apart  int64 (G, A, A, K): where the second chose another category, or marked nothing
    """

    uses: Ints
    apart: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Offsets:
    """Overlapping units of two annotators by the difference of their bounds.

    steps    M offsets (start, end) of a unit of the first annotator from one of the second; the
             opposite of each is one, too
    counts   int64 (G, A, A, M): pairs of units with each offset
    paired   int64 (G, A, A): all pairs of units
    """

    steps: tuple[tuple[int, int], ...]
    counts: Ints
    paired: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """R labels or units beside those of another annotator.

    places, documents  int64 (R,): item or unit, and its document
    groups             group of documents
    own, other         annotators
    category, beside   positions in the categories of the disagreement; −1 for nothing beside it
    start, end         bounds minus those of the other unit; 0 for labels
    is_same            whether the other one has the same category
    strata             int64 (S, R): stratum of the first annotator's work, for each kind of strata
    """

    places: Ints
    documents: Ints
    groups: Ints
    own: Ints
    other: Ints
    category: Ints
    beside: Ints
    start: Ints
    end: Ints
    is_same: Flags
    strata: Ints

    @property
    def is_alone(self) -> Flags:
        return self.beside < 0

    @property
    def is_apart(self) -> Flags:
        """Whether the other one has another category, or nothing."""
        return self.is_alone | ~self.is_same


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """Sums over G groups of documents, A annotators, J kinds and K categories.

    amounts   float64 (G, A, A, J); of a missing unit the first annotator has it and the second does
              not, otherwise the first annotator precedes the second
    counts    int64 (G, A, A, J): pairs of labels or units that disagree
    chances   float64 (G, A, A): expected disagreement, the first annotator before the second
    compared  int64 (G, A, A): pairs of labels or units that are compared
    usage     float64 (G, K): labels or units of each of `categories`
    parts     the groups of each part, bool (G,)
    choices   None if categories have no names or annotators are not distinguished
    offsets   None of labels
    counted   what `counts` and `compared` count; nothing of amounts
    strata    of positions and of the annotators' work, as far as the export has them
    comparisons  makes the comparisons, for examples; None if places are not known
    """

    amounts: Floats
    counts: Ints
    chances: Floats
    compared: Ints
    usage: Floats
    kinds: tuple[DisagreementKind, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    parts: tuple[tuple[Part, Flags], ...] = ()
    choices: Choices | None = None
    offsets: Offsets | None = None
    counted: Counted = Counted.labels
    strata: tuple[Strata, ...] = ()
    comparisons: Callable[[], Iterator[Comparisons]] | None = None

    @property
    def value(self) -> float:
        """Return 1 − Σ amounts / Σ chances; nan without chances."""
        chance = float(self.chances.sum())
        return 1.0 - float(self.amounts.sum()) / chance if chance else float("nan")

    @property
    def variance_of_counts(self) -> float:
        """Return the variance per amount of independent disagreements; 0 of what is not counted."""
        n, compared = int(self.counts.sum()), int(self.compared.sum())
        if self.counted is Counted.amounts or not n or not compared:
            return 0.0
        return float(self.amounts.sum()) / n * max(0.0, 1.0 - n / compared)

    def scale_cells(self, cells: Flags, factor: float) -> Disagreement:
        """Return the same with the amounts of some cells, bool (G, A, A, J), multiplied."""
        return replace(self, amounts=np.where(cells, self.amounts * factor, self.amounts))

    def scale_stratum(self, part: Part, annotator: str, factor: float) -> Disagreement:
        """Return the same with the amounts of a part of strata multiplied, of all or of one."""
        s, chosen = part.strata_in(self.strata)
        own = self.strata[s].shares_apart()[..., chosen].sum(axis=3)
        a = self.annotators.index(annotator) if annotator else None
        weights = (own + own.transpose(0, 2, 1)) / 2
        if a is not None:
            weights = np.zeros_like(own)
            weights[:, a], weights[:, :, a] = own[:, a], own[:, a]
        strata = [*self.strata]
        strata[s] = strata[s].reduced(a, chosen, factor)
        amounts = self.amounts * (1.0 - (1.0 - factor) * weights)[..., None]
        return replace(self, amounts=amounts, strata=tuple(strata))

    def without_pairs(self, pairs: Sequence[tuple[str, str]]) -> Disagreement:
        """Return the same without the comparisons of some pairs of annotators."""
        kept = np.ones(self.chances.shape[1:], dtype=np.bool_)
        for pair in pairs:
            a, b = (self.annotators.index(name) for name in pair)
            kept[[a, b], [b, a]] = False
        return replace(
            self,
            amounts=self.amounts * kept[..., None],
            counts=self.counts * kept[..., None],
            chances=self.chances * kept,
            compared=self.compared * kept,
        )

    def cells(
        self,
        kind: DisagreementKind = EVERY_KIND,
        annotator: str = "",
        part: Part | None = None,
    ) -> Flags:
        """Return the cells of a kind, an annotator (with all others) and a part, bool."""
        found = np.ones(self.amounts.shape, dtype=np.bool_)
        found &= np.array([kind.includes(one) for one in self.kinds], dtype=np.bool_)
        if annotator:
            a = self.annotators.index(annotator)
            own = np.zeros(self.amounts.shape[1:3], dtype=np.bool_)
            own[a, :] = own[:, a] = True
            found &= own[None, :, :, None]
        if part is not None:
            found &= self.document_groups_in(part)[:, None, None, None]
        return found

    def document_groups_in(self, part: Part) -> Flags:
        """Return the groups of documents in a part, bool (G,)."""
        return next(groups for one, groups in self.parts if one == part)


def max_document_groups(n_annotators: int, n_kinds: int) -> int:
    """Return the number of groups of documents that keeps the arrays small."""
    n = _MOST_CELLS // max(1, n_annotators**2 * n_kinds)
    return max(_FEWEST_GROUPS, min(_MOST_GROUPS, n))


def document_groups(parts: Sequence[tuple[Part, Flags]], n_documents: int, most: int) -> Ints:
    """Assign each document (D,) to one of about `most` groups, each in the same parts.

    Groups are the resampling units of intervals, so that a document is its own group if possible.
    """
    if n_documents <= most:
        return np.arange(n_documents, dtype=np.int64)
    of_parts = np.array([flags for _, flags in parts], dtype=np.bool_).reshape(-1, n_documents)
    _, stratum = np.unique(of_parts.T, axis=0, return_inverse=True)
    stratum = np.asarray(stratum).ravel()
    sizes = np.bincount(stratum)
    order = np.argsort(stratum, kind="stable")
    rank = np.empty(n_documents, dtype=np.int64)
    rank[order] = np.arange(n_documents) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    shares = np.maximum(1, np.minimum(sizes, np.ceil(most * sizes / n_documents))).astype(np.int64)
    first = np.cumsum(shares) - shares
    return np.asarray(first[stratum] + rank % shares[stratum], dtype=np.int64)


def parts_of_groups(
    parts: Sequence[tuple[Part, Flags]], groups: Ints
) -> tuple[tuple[Part, Flags], ...]:
    """Return the parts by group, bool (G,), of parts by document and the group of each (D,)."""
    n = int(groups.max(initial=-1)) + 1
    found = []
    for part, flags in parts:
        of_groups = np.zeros(n, dtype=np.bool_)
        of_groups[groups[flags]] = True
        found.append((part, of_groups))
    return tuple(found)
