"""Agreement on relations between aligned units, from additive counts.

A relation goes from one unit to another and has a category. Once units are aligned, the relations
of every annotator connect two *places* (unitary alignments), and agreement has three aspects:

* presence   on every pair of places where an annotator could have drawn a relation: relation or
             not;
* category   on the same pairs, with "no relation" as an additional category;
* typing     only on pairs where annotators drew a relation: which category.

Pairs without a relation are far more numerous, which raises p_o and the share of one category (see
`item_subsets`). `mutual_f` does not depend on them (Hripcsak & Rothschild 2005) and is therefore
reported as well.

A document with P places has P(P − 1) ordered pairs, nearly all without a relation. Pairs with a
relation are counted one by one; the others only by which annotators could have drawn one there. The
counts are the same as with all pairs of places as items, and add over documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...arrays import Flags, Ints, Ints32
from ...errors import MetricsError
from ...estimate import Estimate, estimate
from ...estimate_detail import Detail
from ...intervals.evaluate import Share, evaluate, ratio_of_columns
from ...intervals.interval import add_interval
from ...options import NO_INTERVALS, Sampling
from ...pair_names import pair_name
from ...reason import Reason, ReasonCode
from ...signature import How
from ..coefficients import coefficient_from_counts
from ..counts import ItemCounts, count, join_counts
from ..interval_methods import intervals_over_units
from ..item_subsets import remove_null_category
from ..label_matrix import LabelMatrix
from ..resampling_units import resampling_units_of_counts

ALPHA = "krippendorff_alpha"
NO_RELATION = "(none)"
ANY_RELATION = "(relation)"
_MUTUAL_F = Share(ratio_of_columns(0, 1), paired=True)


@dataclass(frozen=True, slots=True)
class Relations:
    """Relations of one document, by all annotators, between aligned places.

    present           bool (P, A): annotator a has a unit at place p
    sources, targets  int (R,): places that relation r connects
    categories        int (R,): index in `tagset`
    owners            int (R,): index of the annotator
    """

    present: Flags
    sources: NDArray[np.integer]
    targets: NDArray[np.integer]
    categories: NDArray[np.integer]
    owners: NDArray[np.integer]
    tagset: tuple[str, ...]
    annotators: tuple[str, ...]

    def __post_init__(self) -> None:
        n_relations = np.asarray(self.sources).shape
        for name in ("targets", "categories", "owners"):
            if np.asarray(getattr(self, name)).shape != n_relations:
                raise MetricsError(f"{name} must have one entry per relation, {n_relations}")
        for name, size in (
            ("sources", self.present.shape[0]),
            ("targets", self.present.shape[0]),
            ("categories", len(self.tagset)),
            ("owners", len(self.annotators)),
        ):
            column = np.asarray(getattr(self, name))
            if column.size and (column.min() < 0 or column.max() >= size):
                raise MetricsError(f"{name} must lie in 0..{size - 1}")
        for end in (self.sources, self.targets):
            absent = ~self.present[end, self.owners]
            if absent.any():
                r = int(np.nonzero(absent)[0][0])
                raise MetricsError(
                    f"relation {r} of {self.annotators[int(self.owners[r])]} ends at a place where "
                    "that annotator has no unit: check the alignment"
                )


@dataclass(frozen=True, slots=True)
class RelationCounts:
    """Counts of D documents; K categories of relations, Q pairs of annotators.

    category  pairs of places as items, with "no relation" as an additional category
    typing    pairs where annotators drew a relation, by its category
    alike     int64 (D, Q, K): relations of category k drawn by both annotators of a pair
    drawn     int64 (D, Q, K): relations of category k drawn by either annotator, added, on pairs of
              places that both could have linked
    linked    int64 (D, Q): pairs of places that both linked, in whatever category
    """

    category: ItemCounts
    typing: ItemCounts
    alike: Ints
    drawn: Ints
    linked: Ints

    @property
    def n_documents(self) -> int:
        return self.linked.shape[0]

    def total(self) -> RelationCounts:
        """Add the counts of all documents (D = 1)."""
        sums = (a.sum(axis=0, keepdims=True) for a in (self.alike, self.drawn, self.linked))
        return RelationCounts(self.category.total, self.typing.total, *sums)


def relation_counts(
    document: Relations, *, directed: bool = True, loops: bool = False
) -> RelationCounts:
    """Count one document (D = 1).

    loops  whether a place may be linked to itself; else relations that do so are ignored

    Raises RoleError for a system or a reference.
    """
    explicit, links, n_repeated = _linked_pairs(document, directed=directed, loops=loops)
    tagset = (*document.tagset, NO_RELATION)
    presence = LabelMatrix(
        codes=explicit, tagset=tagset, annotators=document.annotators, n_duplicates=n_repeated
    )
    without = _pairs_without(document, links, directed=directed, loops=loops)
    null, n_categories = len(document.tagset), len(document.tagset)
    pairs = list(combinations(range(len(document.annotators)), 2))
    alike = np.zeros((1, len(pairs), n_categories), dtype=np.int64)
    drawn = np.zeros_like(alike)
    linked = np.zeros((1, len(pairs)), dtype=np.int64)
    for q, (a, b) in enumerate(pairs):
        both = (explicit[:, a] >= 0) & (explicit[:, b] >= 0)
        first, second = explicit[both, a], explicit[both, b]
        same = first[(first == second) & (first != null)]
        alike[0, q] = np.bincount(same, minlength=n_categories)
        for one in (first, second):
            drawn[0, q] += np.bincount(one[one != null], minlength=n_categories)
        linked[0, q] = int(((first != null) & (second != null)).sum())
    return RelationCounts(
        join_counts([count(presence), without]).total,
        count(remove_null_category(presence, null=NO_RELATION)),
        alike,
        drawn,
        linked,
    )


def join_relation_counts(parts: Sequence[RelationCounts]) -> RelationCounts:
    """Concatenate all documents. Raises MetricsError without parts or if tagsets differ."""
    return RelationCounts(
        join_counts(part.category for part in parts),
        join_counts(part.typing for part in parts),
        *(
            np.concatenate([getattr(p, name) for p in parts])
            for name in ("alike", "drawn", "linked")
        ),
    )


def relation_estimates(
    counts: RelationCounts, sampling: Sampling = NO_INTERVALS
) -> dict[str, Estimate]:
    """Return α of `presence`, `category`, `typing`, and the mutual F with and without categories.

    α is Krippendorff's, nominal (2004). The mutual F of Hripcsak & Rothschild 2005 is not corrected
    for chance and does not depend on the pairs of places without a relation. Intervals are over
    documents, and there is none below two documents with a relation.
    """
    n_categories = len(counts.typing.tagset)
    presence = counts.category.collapse_categories(
        [0] * n_categories + [1], (ANY_RELATION, NO_RELATION)
    )
    found = {}
    for name, part in (
        ("presence", presence),
        ("category", counts.category),
        ("typing", counts.typing),
    ):
        estimate = coefficient_from_counts(ALPHA, part)
        if sampling.replicates and counts.n_documents > 1:
            drawn = intervals_over_units(
                resampling_units_of_counts(part), measures=[ALPHA], sampling=sampling
            )
            estimate = add_interval(estimate, drawn[ALPHA])
        found[name] = estimate
    either = counts.drawn.sum(axis=(1, 2))
    for name, alike in (
        ("presence_f", counts.linked.sum(axis=1)),
        ("category_f", counts.alike.sum(axis=(1, 2))),
    ):
        found[name] = _mutual_f(counts, alike, either, sampling)
    return found


def f_by_category(
    counts: RelationCounts, sampling: Sampling = NO_INTERVALS
) -> list[tuple[str, Estimate]]:
    """Return the mutual F of each category."""
    alike, drawn = counts.alike.sum(axis=1), counts.drawn.sum(axis=1)
    return [
        (category, _mutual_f(counts, alike[:, k], drawn[:, k], sampling))
        for k, category in enumerate(counts.typing.tagset)
    ]


def f_by_pair(
    counts: RelationCounts, sampling: Sampling = NO_INTERVALS
) -> list[tuple[str, Estimate]]:
    """Return the mutual F, with categories, of each two annotators."""
    alike, drawn = counts.alike.sum(axis=2), counts.drawn.sum(axis=2)
    pairs = combinations(counts.category.annotators, 2)
    found = []
    for q, (one, other) in enumerate(pairs):
        of_pair = _mutual_f(counts, alike[:, q], drawn[:, q], sampling)
        found.append((pair_name(one, other), replace(of_pair, n_annotators=2)))
    return found


def _mutual_f(counts: RelationCounts, alike: Ints, drawn: Ints, sampling: Sampling) -> Estimate:
    """Compute 2 · alike / drawn from the sums over documents (D,)."""
    n_drawn = int(drawn.sum())
    [found] = evaluate(np.stack([2 * alike, drawn], axis=1), [_MUTUAL_F], sampling)
    result = estimate(
        How(measure="mutual_f", input=counts.category.fingerprint()),
        found.value,
        None if n_drawn else Reason(ReasonCode.NO_RELATION),
        confidence_level=sampling.confidence_level,
        n_items=n_drawn - int(alike.sum()),
        n_annotators=len(counts.category.annotators),
        detail=Detail(n_alike=int(alike.sum()), n_drawn=n_drawn),
    )
    return result if found.interval is None else add_interval(result, found.interval)


def _linked_pairs(
    document: Relations, *, directed: bool, loops: bool
) -> tuple[Ints32, tuple[Ints, Ints], int]:
    """Codes (E, A) of pairs of places with a relation, the pairs, and the number of duplicates."""
    ends = [np.asarray(end, dtype=np.int64) for end in (document.sources, document.targets)]
    proper = (ends[0] != ends[1]) | loops
    first, second = ends[0][proper], ends[1][proper]
    if not directed:
        first, second = np.minimum(first, second), np.maximum(first, second)
    n_places = document.present.shape[0]
    keys, row = np.unique(first * max(n_places, 1) + second, return_inverse=True)
    left, right = np.divmod(keys, max(n_places, 1))
    possible = document.present[left] & document.present[right]
    codes = np.where(possible, len(document.tagset), -1).astype(np.int32)
    owners, categories = (
        np.asarray(document.owners)[proper],
        np.asarray(document.categories)[proper],
    )
    # keep the first of several relations of one annotator on a pair
    _, at = np.unique(row * len(document.annotators) + owners, return_index=True)
    codes[row[at], owners[at]] = categories[at]
    return codes, (left, right), int(owners.size - at.size)


def _pairs_without(
    document: Relations, links: tuple[Ints, Ints], *, directed: bool, loops: bool
) -> ItemCounts:
    """Counts of the pairs of places without any relation, by who could have drawn one (D = 1)."""
    patterns, kind, n_places = np.unique(
        document.present, axis=0, return_inverse=True, return_counts=True
    )
    kind = kind.reshape(-1)
    n_pairs = n_places[:, None] * n_places[None, :]
    with_itself = (1 if directed else 2) if loops else 0  # turned, a loop is the same pair
    np.fill_diagonal(n_pairs, n_places * (n_places - 1 + with_itself))
    np.subtract.at(n_pairs, (kind[links[0]], kind[links[1]]), 1)
    if not directed:  # the pairs of two kinds of place are in the upper triangle
        np.subtract.at(n_pairs, (kind[links[1]], kind[links[0]]), 1)
        n_pairs = np.triu(n_pairs, 1) + np.diag(np.diagonal(n_pairs) // 2)
    able = (patterns[:, None] & patterns[None, :]).reshape(n_places.size**2, -1)
    times = n_pairs.ravel()
    used = np.flatnonzero(times)
    return ItemCounts(
        document.annotators,
        (*document.tagset, NO_RELATION),
        np.where(able[used], len(document.tagset), -1).astype(np.int32),
        np.zeros(used.size, dtype=np.int64),
        times[used],
        n_units=1,
    )
