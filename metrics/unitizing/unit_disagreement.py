"""Disorder of best alignments by document, pair of annotators and kind of disagreement.

The disorder of a unitary alignment is the mean over its pairs of annotators; each pair has a
missing unit, or a boundary and categories (`metrics.unitizing.error_costs`). Two annotators who
both have no unit in it cost Δ∅ too: this is the disagreement of the annotators who have one with
those who have not, to whom it is distributed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity, category_costs, position_costs
from ..arrays import Flags, Floats, Ints
from ..causes.disagreement import (
    MOST_ANNOTATORS,
    MOST_CATEGORIES,
    UNDISTINGUISHED,
    Disagreement,
    DisagreementKind,
    Part,
    document_groups,
    most_groups,
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
    found: list[tuple[Floats, Floats]] = []
    for d, (continuum, alignment) in enumerate(zip(continua, alignments, strict=True)):
        if alignment is None or not continuum.n_units or dissimilarity.pair_function is not None:
            continue
        own = [number[name] for name in continuum.annotators]
        found.append(_document_rows(d, continuum, alignment, dissimilarity, own))
    keys = np.concatenate([np.empty((0, 6)), *(k for k, _ in found)]).astype(np.int64)
    sums = np.concatenate([np.empty((0, 2)), *(s for _, s in found)])
    documents, firsts, seconds, causes, category, other = keys.T
    amounts, counts = sums[:, 0], sums[:, 1].astype(np.int64)
    return DisorderRows(documents, firsts, seconds, causes, category, other, amounts, counts)


def _document_rows(
    d: int,
    continuum: Continuum,
    alignment: Alignment,
    dissimilarity: Dissimilarity,
    numbers: Sequence[int],
) -> tuple[Floats, Floats]:
    """Return keys (R, 6) and sums (R, 2) of a document."""
    units, n = alignment.units.astype(np.int64), alignment.units.shape[1]
    real = units >= 0
    n_real = real.sum(axis=1)
    n_pairs = n * (n - 1) / 2
    # a missing pair's part of all pairs without two units
    spread = (n_pairs - n_real * (n_real - 1) / 2) / np.maximum(1, n_real * (n - n_real))
    keys, sums = [], []

    def add(a: int, b: int, cause: int, c: Ints, k: Ints, amount: Floats) -> None:
        if c.size:
            pair = np.broadcast_to([d, numbers[a], numbers[b], cause], (c.size, 4))
            keys.append(np.column_stack([pair, c, k]))
            sums.append(np.column_stack([amount, np.ones(c.size)]))

    category = continuum.categories.astype(np.int64)
    for a, b in combinations(range(n), 2):
        a, b = (a, b) if numbers[a] < numbers[b] else (b, a)
        for has, lacks in ((a, b), (b, a)):
            those = real[:, has] & ~real[:, lacks]
            c = category[units[those, has]]
            add(has, lacks, 0, c, c, dissimilarity.delta_empty * spread[those] / n_pairs)
        both = real[:, a] & real[:, b]
        u, v = units[both, a], units[both, b]
        apart = dissimilarity.alpha * position_costs(continuum, u, v, dissimilarity) / n_pairs
        for w in (u, v):
            shifted = apart > 0
            add(a, b, 1, category[w][shifted], category[w][shifted], apart[shifted] / 2)
        differ = category[u] != category[v]
        u, v = u[differ], v[differ]
        other = dissimilarity.beta * category_costs(continuum, u, v, dissimilarity) / n_pairs
        low, high = np.minimum(category[u], category[v]), np.maximum(category[u], category[v])
        add(a, b, 2, low, high, other)
        n_compared = int((real[:, a] | real[:, b]).sum())
        nothing = np.zeros(n_compared, dtype=np.int64)
        add(a, b, _COMPARED, nothing, nothing, np.zeros(n_compared))
    joined, of_row = np.unique(np.concatenate(keys), axis=0, return_inverse=True)
    total = np.zeros((joined.shape[0], 2))
    np.add.at(total, np.asarray(of_row).ravel(), np.concatenate(sums))
    return joined.astype(np.float64), total


def unit_disagreement(
    rows: DisorderRows,
    usage: Floats,
    chances: Floats,
    annotators: Sequence[str],
    tagset: Sequence[str],
    takes_part: Flags,
    parts: Sequence[tuple[Part, Flags]] = (),
) -> Disagreement | None:
    """Return the disorder of D documents; None without pairs of annotators.

    With more than `MOST_ANNOTATORS`, annotators are not distinguished.

    usage       (D, K + 1): units by category, the last column without a category
    chances     (D,): expected disorder of each document, times its weight
    takes_part  bool (D, A): annotators of each document
    """
    if not rows.documents.size:
        return None
    n_documents, n_own = usage.shape[0], takes_part.sum(axis=1)
    x, y = rows.firsts, rows.seconds
    if len(annotators) > MOST_ANNOTATORS:
        annotators, x, y = UNDISTINGUISHED, np.zeros_like(x), np.ones_like(y)
        takes_part, n_own = np.repeat(n_own[:, None] > 1, 2, axis=1), np.minimum(n_own, 2)
    a = len(annotators)
    names, short = _named_categories(usage, tagset)
    kinds, kind_of = _kinds(names)
    groups = document_groups(parts, n_documents, most_groups(a, len(kinds)))
    n_groups = int(groups.max()) + 1
    amounts = np.zeros((n_groups, a, a, len(kinds)))
    counts = np.zeros(amounts.shape, dtype=np.int64)
    compared = np.zeros((n_groups, a, a), dtype=np.int64)
    g = groups[rows.documents]
    is_kind = rows.causes < _COMPARED
    kind = kind_of[rows.causes[is_kind], short[rows.category[is_kind]], short[rows.other[is_kind]]]
    where = (g[is_kind], x[is_kind], y[is_kind], kind)
    np.add.at(amounts, where, rows.amounts[is_kind])
    # a boundary has a row for each of its two units
    halves = np.where(rows.causes == 1, 0.5, 1.0) * rows.counts
    halved = np.zeros(amounts.shape)
    np.add.at(halved, where, halves[is_kind])
    counts += np.rint(halved).astype(np.int64)
    np.add.at(compared, (g[~is_kind], x[~is_kind], y[~is_kind]), rows.counts[~is_kind])
    by_category = np.zeros((n_groups, len(names)))
    for k in range(usage.shape[1]):
        np.add.at(by_category[:, short[k if k < len(tagset) else -1]], groups, usage[:, k])
    of_pairs = np.zeros((n_groups, a, a))
    share = chances / np.maximum(1, n_own * (n_own - 1) / 2)
    for one, other in combinations(range(a), 2):
        both = takes_part[:, one] & takes_part[:, other]
        of_pairs[:, one, other] = np.bincount(groups, share * both, minlength=n_groups)
    return Disagreement(
        amounts, counts, of_pairs, compared, by_category, kinds, tuple(annotators), names,
        parts_of_groups(parts, groups),
    )  # fmt: skip


def _named_categories(usage: Floats, tagset: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Return the most used categories and "" for the others, and the position of each code."""
    used = usage[:, : len(tagset)].sum(axis=0)
    kept = sorted(int(k) for k in np.argsort(-used, kind="stable")[:MOST_CATEGORIES] if used[k])
    short = np.full(len(tagset) + 1, len(kept), dtype=np.int64)
    short[kept] = np.arange(len(kept))
    return (*(tagset[k] for k in kept), ""), short


def _kinds(names: Sequence[str]) -> tuple[tuple[DisagreementKind, ...], Ints]:
    """Return all kinds, and their positions by cause and categories, int64 (3, K, K)."""
    kinds: list[DisagreementKind] = []
    kind_of = np.zeros((len(_CAUSES), len(names), len(names)), dtype=np.int64)
    for cause in range(2):
        for c, name in enumerate(names):
            kind_of[cause, c, :] = len(kinds)
            kinds.append(DisagreementKind(_CAUSES[cause], (name,)))
    for c, k in combinations(range(len(names)), 2):
        kind_of[2, c, k] = kind_of[2, k, c] = len(kinds)
        kinds.append(DisagreementKind(_CAUSES[2], (names[c], names[k])))
    of_others = len(names) - 1
    kind_of[2, of_others, of_others] = len(kinds)
    kinds.append(DisagreementKind(_CAUSES[2], ("", "")))
    return tuple(kinds), kind_of
