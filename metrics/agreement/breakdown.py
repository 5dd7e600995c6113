"""Coefficients in detail: by category, pair of annotators, omitted annotator, and document.

Each function returns a list of (name, Estimate), in the order of the tagset, the annotators or the
documents. A part where a coefficient is undefined is nan with its reason and never dropped. With a
`Sampling`, each part has the interval that is requested, over its documents with labels (of many
parts, over groups of documents), or over items if there is only one document. Single documents have
no interval, because intervals resample documents.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Flags, Ints, numbered
from ..errors import MetricsError
from ..estimate import Estimate
from ..measures import coefficient_of
from ..options import Sampling
from ..pair_names import pair_name
from .coefficients import (
    coefficient_from_counts,
    compute_coefficient,
    mark_as_complete_items,
    resolve_set_distance,
)
from .counts import ItemCounts, count
from .distances import Distance
from .evaluate import add_intervals, labelled_items
from .label_matrix import LabelMatrix
from .resampling_units import (
    batches_of_unit_kinds,
    coefficient_values,
    resampling_units,
    resampling_units_of_counts,
)
from .sums import sums_changing_each

if TYPE_CHECKING:  # a quick look has no results document
    from ..results import Confusion

Named = list[tuple[str, Estimate]]
OTHER = "(other)"
MOST_DOCUMENTS = 20_000  # that are resampled for all parts together
MOST_GROUPS = 200  # groups of documents that are resampled at least for a part


def coefficient_by_category(
    measure: str, matrix: LabelMatrix, *, sampling: Sampling | None = None
) -> Named:
    """Compare each declared category with all others (a nominal scale of two)."""
    matrix.require_humans(coefficient_of(measure).name)
    parts = {
        category: _against_others(matrix, category, np.arange(len(matrix.tagset)) == k)
        for k, category in enumerate(matrix.tagset)
    }
    return _estimates_of_parts(measure, parts, sampling=sampling)


def coefficient_by_set_member(
    measure: str, matrix: LabelMatrix, *, sampling: Sampling | None = None
) -> Named:
    """For sets of labels, compare presence and absence of each label (a nominal scale of two).

    Raises MetricsError for a matrix whose categories are not sets (see `label_sets`).
    """
    matrix.require_humans(coefficient_of(measure).name)
    if matrix.members is None or not matrix.tags:
        raise MetricsError(
            "the categories are not sets of labels: compute the coefficient by category"
        )
    parts = {
        label: _against_others(matrix, label, holds)
        for label, holds in zip(matrix.tags, matrix.members.T, strict=True)
    }
    return _estimates_of_parts(measure, parts, sampling=sampling)


def _against_others(matrix: LabelMatrix, name: str, holds: Flags) -> LabelMatrix:
    """Return the labels as a scale of two: categories that `holds` (K,) marks, and all others."""
    codes = np.where(matrix.codes < 0, -1, ~holds[matrix.codes]).astype(np.int32)
    return replace(matrix, codes=codes, tagset=(name, OTHER), members=None, tags=())


def coefficient_by_pair(
    measure: str,
    matrix: LabelMatrix,
    *,
    distance: Distance = "nominal",
    sampling: Sampling | None = None,
    pairs: Sequence[tuple[int, int]] | None = None,
) -> Named:
    """Evaluate each pair of annotators, named `a – b`, on the items that both labelled.

    pairs  columns of the annotators; default: all pairs
    """
    matrix.require_humans(coefficient_of(measure).name)
    chosen = combinations(range(matrix.n_annotators), 2) if pairs is None else pairs
    parts = {
        pair_name(matrix.annotators[a], matrix.annotators[b]): matrix.pair(a, b) for a, b in chosen
    }
    found = _estimates_of_parts(measure, parts, distance=distance, sampling=sampling)
    return list(zip(parts, mark_as_complete_items([one for _, one in found]), strict=True))


def pairs_with_common_items(matrix: LabelMatrix) -> list[tuple[int, int]]:
    """Pairs of annotators with items in common, the pairs with the most common items first."""
    given = (matrix.codes >= 0).astype(np.float64)
    common = given.T @ given
    pairs = [(a, b) for a, b in combinations(range(matrix.n_annotators), 2) if common[a, b] > 0]
    return sorted(pairs, key=lambda pair: -common[pair])


def coefficient_without_each_annotator(
    measure: str,
    matrix: LabelMatrix,
    *,
    distance: Distance = "nominal",
    sampling: Sampling | None = None,
) -> Named:
    """Evaluate the campaign without each annotator in turn, named by the omitted annotator."""
    everyone = range(matrix.n_annotators)
    parts = {
        matrix.annotators[a]: matrix.select_annotators([b for b in everyone if b != a])
        for a in everyone
    }
    return _estimates_of_parts(measure, parts, distance=distance, sampling=sampling)


def _estimates_of_parts(
    measure: str,
    parts: Mapping[str, LabelMatrix],
    *,
    distance: Distance = "nominal",
    sampling: Sampling | None,
) -> Named:
    found = []
    for name, part in parts.items():
        value = compute_coefficient(measure, part, distance=distance)
        found += [
            (name, one)
            for one in add_intervals_of_part(
                [value], part, distance=distance, sampling=sampling, n_parts=len(parts)
            )
        ]
    return found


def add_intervals_of_part(
    estimates: Sequence[Estimate],
    matrix: LabelMatrix,
    *,
    distance: Distance = "nominal",
    sampling: Sampling | None,
    n_parts: int = 1,
) -> list[Estimate]:
    """Return the coefficients of one part of a campaign, `matrix`, each with its interval.

    n_parts  number of parts; many are computed from groups of documents, MOST_GROUPS or more

    All intervals come from the same resamples. Without `sampling`, or if no value is defined, the
    estimates are returned unchanged.
    """
    defined = not all(math.isnan(one.value) for one in estimates)
    if sampling is None or not sampling.gives_intervals or not defined:
        return list(estimates)
    part = labelled_items(matrix)
    groups, most = resampling_units(part), max(MOST_GROUPS, MOST_DOCUMENTS // n_parts)
    if part.documents is not None and groups.over == "documents" and groups.n_units > most:
        documents = numbered(part.documents)[1] % most
        groups = replace(
            resampling_units(replace(part, documents=documents)), over="groups of documents"
        )
    return add_intervals(
        estimates,
        count(matrix),
        groups,
        distance=resolve_set_distance(distance, matrix),
        sampling=sampling,
    )


def coefficient_by_document(
    measure: str,
    counts: ItemCounts,
    *,
    names: tuple[str, ...] = (),
    distance: Distance = "nominal",
) -> Named:
    """Evaluate each document of `counts` alone, named by `names` or by its number."""
    labels = names or tuple(str(d) for d in range(counts.n_units))
    if len(labels) != counts.n_units:
        raise MetricsError(f"{len(labels)} names for {counts.n_units} documents")
    return [
        (
            name,
            coefficient_from_counts(
                measure, counts.select_resampling_units([d]), distance=distance
            ),
        )
        for d, name in enumerate(labels)
    ]


def lowest_documents(
    measure: str,
    counts: ItemCounts,
    *,
    names: Sequence[str],
    most: int,
    distance: Distance = "nominal",
) -> Named:
    """Return the coefficient of the `most` documents with the lowest values, undefined ones last.

    Documents with equal values keep their order.
    """
    groups = resampling_units_of_counts(counts)
    values = np.concatenate(
        [
            coefficient_values(
                [coefficient_of(measure)],
                sums_changing_each(groups.sums_of_all, those, lambda _, own: own),
                distance,
                counts.tagset,
            )[:, 0]
            for those in batches_of_unit_kinds(groups)
        ]
    )
    lowest = np.argsort(values, kind="stable")[:most]
    named = tuple(names[d] for d in lowest.tolist())
    found = coefficient_by_document(
        measure, counts.select_resampling_units(lowest), names=named, distance=distance
    )
    found.sort(key=lambda one: (math.isnan(one[1].value), one[1].value))
    return found


def confusion_between(matrix: LabelMatrix, a: int | str, b: int | str) -> Ints:
    """Confusion matrix int64 (K, K): items that a (rows) labelled c and b (columns) labelled k."""
    matrix.require_humans("The confusion matrix of two annotators")
    left, right = _column_of(matrix, a), _column_of(matrix, b)
    n_categories = len(matrix.tagset)
    both = (matrix.codes[:, left] >= 0) & (matrix.codes[:, right] >= 0)
    cells = matrix.codes[both, left].astype(np.int64) * n_categories + matrix.codes[both, right]
    return np.bincount(cells, minlength=n_categories**2).reshape(n_categories, n_categories)


def confusion_of_pair(matrix: LabelMatrix, a: int, b: int) -> Confusion:
    """Return the confusion matrix of two annotators with their names."""
    from ..results import Confusion

    cells = confusion_between(matrix, a, b).astype(float).tolist()
    return Confusion(matrix.annotators[a], matrix.annotators[b], cells)


def _column_of(matrix: LabelMatrix, annotator: int | str) -> int:
    if isinstance(annotator, int):
        return annotator
    if annotator not in matrix.annotators:
        raise MetricsError(f"no annotator {annotator!r}; there are {', '.join(matrix.annotators)}")
    return matrix.annotators.index(annotator)
