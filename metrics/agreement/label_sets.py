"""Items that take several labels at once: each distinct set is one category of the matrix.

Distances between sets, J = |A ∩ B| / |A ∪ B|:

* jaccard         1 − J
* masi            1 − J·M (Passonneau 2006): M = 1 for equal sets, 2/3 when one contains the other,
                  1/3 when they only overlap, 0 when disjoint
* passonneau2004  1 − M

Two empty sets are equal. The empty set is contained in every other, with J = 0: their distance is
1 for jaccard and masi, 1/3 for passonneau2004.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ...data.label_sets import set_name
from ..errors import MetricsError
from .label_matrix import LabelMatrix, label_matrix

SET_DISTANCES = ("jaccard", "masi", "passonneau2004")


def set_matrix(
    items: Sequence[str],
    annotators: Sequence[str],
    label_sets: Sequence[Iterable[str]],
    *,
    tags: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
) -> LabelMatrix:
    """A matrix whose categories are the sets of labels that were given, the empty set included.

    `tags` are the labels that sets are made of (found when not declared); the tagset holds the
    names of the distinct sets (`data.label_sets`), in the order of the tags, and `members` bool
    (K, tags) says what each contains. Rows as for `label_matrix`. Raises MetricsError for a label
    that is not among the declared tags.
    """
    given = [frozenset(labels) for labels in label_sets]
    names = tuple(tags) if tags is not None else tuple(sorted(frozenset().union(*given)))
    unknown = sorted(frozenset().union(*given) - set(names))
    if unknown:
        raise MetricsError(f"label {unknown[0]!r} is not among the tags ({', '.join(names)})")
    place = {tag: t for t, tag in enumerate(names)}
    distinct = sorted(set(given), key=lambda tags_of: sorted(place[tag] for tag in tags_of))
    names_of = {tags_of: set_name(tags_of) for tags_of in distinct}
    matrix = label_matrix(
        items,
        annotators,
        [names_of[tags_of] for tags_of in given],
        tagset=[names_of[tags_of] for tags_of in distinct],
        documents=documents,
    )
    members = np.array([[tag in tags_of for tag in names] for tags_of in distinct], dtype=bool)
    return LabelMatrix(
        matrix.codes,
        matrix.tagset,
        matrix.annotators,
        documents=matrix.documents,
        items=matrix.items,
        n_duplicates=matrix.n_duplicates,
        members=members.reshape(len(distinct), len(names)),
        tags=names,
    )


def set_distance(distance: str, members: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The table (K, K) of a distance of SET_DISTANCES between K sets, bool (K, tags)."""
    sets = members.astype(np.float64)  # whole numbers, multiplied by BLAS
    size = sets.sum(axis=1)
    common = sets @ sets.T
    union = size[:, None] + size[None, :] - common
    jaccard = np.where(union == 0, 1.0, common / np.maximum(union, 1))
    smaller = np.minimum(size[:, None], size[None, :])
    monotonicity = np.select(
        [union == common, common == smaller, common > 0], [1.0, 2 / 3, 1 / 3], default=0.0
    )
    if distance == "jaccard":
        return 1 - jaccard
    if distance == "masi":
        return 1 - jaccard * monotonicity
    if distance == "passonneau2004":
        return 1 - monotonicity
    raise MetricsError(f"unknown distance {distance!r} on sets; known: {', '.join(SET_DISTANCES)}")
