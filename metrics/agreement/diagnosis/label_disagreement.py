"""Disagreement of labels by document, pair of annotators and pair of categories.

A pair of labels on an item with n labels has the weight 1 / (n − 1), as in Krippendorff's α, so
that the sum of the amounts over the sum of the chances is D_o / D_e.

The chance of a pair of annotators is in proportion to the disagreement that their own distributions
of labels give by chance, so that an annotator who uses a rare category more often than the others
is not the cause of disagreement that chance explains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from ...arrays import Flags, Floats, Ints, Ints32
from ...causes.disagreement import (
    MOST_ANNOTATORS,
    UNDISTINGUISHED,
    Choices,
    Comparisons,
    Disagreement,
    Part,
    document_groups,
    kinds_of_category_pairs,
    max_document_groups,
    most_used_categories,
    parts_of_groups,
)
from ...causes.strata import Strata, StrataOfWork
from ..coefficients import resolve_set_distance
from ..distances import Distance, compares_numbers, distance_table
from ..label_matrix import LabelMatrix

_LARGEST_TAGSET = 2000  # with more categories, no table of distances


def label_disagreement(
    matrix: LabelMatrix,
    distance: Distance = "nominal",
    parts: Sequence[tuple[Part, Flags]] = (),
    work: Sequence[StrataOfWork] = (),
) -> Disagreement | None:
    """Return the disagreement of the labels; None without pairs, or with many labels on an item.

    With more than `MOST_ANNOTATORS`, annotators are not distinguished.

    parts  each part with its documents, bool (D,), in the order of `matrix.documents`
    work   hour and order of the annotators' work on these documents
    """
    n_labels = matrix.n_labels
    usage = np.bincount(matrix.codes[matrix.codes >= 0], minlength=len(matrix.tagset))
    if not (n_labels > 1).any() or len(matrix.tagset) > _LARGEST_TAGSET:
        return None
    table = distance_table(
        resolve_set_distance(distance, matrix),
        tagset=matrix.tagset,
        marginals=usage.astype(np.float64),
    )
    codes, annotators = matrix.codes, matrix.annotators
    if len(annotators) > MOST_ANNOTATORS:
        codes, annotators = _labels_in_first_columns(codes), UNDISTINGUISHED
    if codes.shape[1] > MOST_ANNOTATORS:
        return None
    named, short = most_used_categories(usage)
    if matrix.members is not None or compares_numbers(distance):  # sets and numbers have no names
        named, short = [], np.zeros_like(short)
    names = [matrix.tagset[c] for c in named] + ([""] if len(named) < len(matrix.tagset) else [])
    kinds, kind_of = kinds_of_category_pairs(names)
    groups, of_groups = item_groups(matrix, parts, max_document_groups(len(annotators), len(kinds)))
    n_groups, a = int(groups.max()) + 1, len(annotators)
    amounts = np.zeros((n_groups, a, a, len(kinds)))
    counts = np.zeros(amounts.shape, dtype=np.int64)
    chances, compared = np.zeros((n_groups, a, a)), np.zeros((n_groups, a, a), dtype=np.int64)
    by_category = np.zeros((n_groups, len(names)))
    choices = None
    if named and annotators is not UNDISTINGUISHED:
        uses = np.zeros((n_groups, a, a, len(names)), dtype=np.int64)
        choices = Choices(uses, uses.copy())
    strata = [Strata.empty(one.kind, one.cuts, (n_groups, a, a)) for one in work]
    if annotators is UNDISTINGUISHED or matrix.documents is None:
        strata = []
    expected = np.ones((codes.shape[1],) * 2)
    if annotators is not UNDISTINGUISHED:
        expected = _expected_disagreement(codes, table)
    for one, other, items in _pairs_of_columns(codes):
        c, k, g = codes[items, one], codes[items, other], groups[items]
        x, y = (0, 1) if annotators is UNDISTINGUISHED else (one, other)
        weight, apart = 1.0 / (n_labels[items] - 1), table[c, k]
        of_kind = kind_of[short[c], short[k]]
        cell, size = g * len(kinds) + of_kind, n_groups * len(kinds)
        amounts[:, x, y] += np.bincount(cell, weight * apart, size).reshape(n_groups, -1)
        counts[:, x, y] += np.bincount(cell[apart > 0], minlength=size).reshape(n_groups, -1)
        chances[:, x, y] += np.bincount(g, weight * expected[one, other], minlength=n_groups)
        compared[:, x, y] += np.bincount(g, minlength=n_groups)
        for given, first, second in ((c, x, y), (k, y, x)):
            used = g * len(names) + short[given]
            counted = np.bincount(used, minlength=by_category.size).reshape(by_category.shape)
            by_category += counted
            if choices is not None:
                choices.uses[:, first, second] += counted
                counted = np.bincount(used[apart > 0], minlength=by_category.size)
                choices.apart[:, first, second] += counted.reshape(by_category.shape)
        _count_strata(strata, work, matrix, items, (x, y), apart > 0, groups)
    if chances.any():
        n_paired = float(n_labels[n_labels > 1].sum())
        chances *= _chance_of_alpha(usage, table) * n_paired / 2 / chances.sum()
    of_work = work[: len(strata)]
    documents = groups if matrix.documents is None else matrix.documents
    return Disagreement(
        amounts, counts, chances, compared, by_category, tuple(kinds), annotators,
        tuple(names), of_groups, choices, strata=tuple(strata),
        comparisons=lambda: _comparisons(codes, table, short, groups, documents, of_work),
    )  # fmt: skip


def _comparisons(
    codes: Ints32,
    table: Floats,
    short: Ints,
    groups: Ints,
    documents: Ints,
    work: Sequence[StrataOfWork],
) -> Iterator[Comparisons]:
    """Yield the comparisons of each two annotators, from the side of both."""
    for pair in _pairs_of_columns(codes):
        for own, other, items in (pair, (pair[1], pair[0], pair[2])):
            c, k, nothing = codes[items, own], codes[items, other], np.zeros_like(items)
            yield Comparisons(
                items, documents[items], groups[items], nothing + own, nothing + other,
                short[c], short[k], nothing, nothing, table[c, k] == 0,
                np.array([of.of_work[documents[items], own] for of in work]),
            )  # fmt: skip


def _count_strata(
    strata: Sequence[Strata],
    work: Sequence[StrataOfWork],
    matrix: LabelMatrix,
    items: Ints,
    pair: tuple[int, int],
    apart: Flags,
    groups: Ints,
) -> None:
    """Add the comparisons of a pair of annotators on these items, summed by document."""
    if not strata or matrix.documents is None:
        return
    documents, n = matrix.documents[items], work[0].of_work.shape[0]
    uses = np.bincount(documents, minlength=n).astype(np.float64)
    differing: Floats = np.bincount(documents, apart.astype(np.float64), n).astype(np.float64)
    group_of = np.zeros(n, dtype=np.int64)
    group_of[documents] = groups[items]
    for own, of in zip(strata, work, strict=True):
        for first, second in (pair, pair[::-1]):
            place = (group_of, first, second)
            own.count(place, of.of_work[:, first], uses, differing)


def item_groups(
    matrix: LabelMatrix, parts: Sequence[tuple[Part, Flags]], most: int
) -> tuple[Ints, tuple[tuple[Part, Flags], ...]]:
    """Return the group of each item (N,), of `most`, and the parts; without documents, no parts."""
    documents = matrix.documents_to_resample
    if documents is None:
        return np.arange(matrix.n_items, dtype=np.int64) % most, ()
    of_documents = document_groups(parts, int(documents.max()) + 1, most)
    return of_documents[documents], parts_of_groups(parts, of_documents)


def _chance_of_alpha(usage: Ints, table: Floats) -> float:
    """Return the expected disagreement D_e of two labels drawn from all, as in α."""
    n = int(usage.sum())
    return float(usage @ table @ usage) / (n * (n - 1))


def _expected_disagreement(codes: Ints32, table: Floats) -> Floats:
    """Return the mean distance (C, C) of a label of one column and a label of another."""
    uses = np.array([np.bincount(one[one >= 0], minlength=len(table)) for one in codes.T])
    shares = uses / np.maximum(uses.sum(axis=1, keepdims=True), 1)
    return np.asarray(shares @ table @ shares.T, dtype=np.float64)


def _labels_in_first_columns(codes: Ints32) -> Ints32:
    """Return the labels of each item in its first columns, whoever gave them."""
    items, columns = np.nonzero(codes >= 0)
    n_labels = np.bincount(items, minlength=codes.shape[0])
    first = np.cumsum(n_labels) - n_labels
    ordered = np.full((codes.shape[0], int(n_labels.max(initial=0))), -1, dtype=codes.dtype)
    ordered[items, np.arange(items.size) - first[items]] = codes[items, columns]
    return ordered


def _pairs_of_columns(codes: Ints32) -> Iterator[tuple[int, int, Ints]]:
    """Yield each pair of columns with the items that have a label in both."""
    given = codes >= 0
    for x, y in combinations(range(codes.shape[1]), 2):
        items = np.flatnonzero(given[:, x] & given[:, y])
        if items.size:
            yield x, y, items
