"""Items with several labels at once: each distinct set of labels is one category of the matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ...data.label_sets import set_name
from ..errors import MetricsError
from .label_matrix import LabelMatrix, label_matrix


def set_matrix(
    *,
    items: Sequence[str],
    annotators: Sequence[str],
    label_sets: Sequence[Iterable[str]],
    tags: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
) -> LabelMatrix:
    """Build a matrix whose categories are the sets of labels in use, including the empty set.

    `tags` are the labels that sets consist of (by default, those in use). The tagset has the names
    of the distinct sets (`data.label_sets`), in the order of the tags, and `members`, bool (K,
    tags), says which labels each set contains. Rows are as in `label_matrix`. Raises MetricsError
    for a label that is not among the declared tags.
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
        items=items,
        annotators=annotators,
        labels=[names_of[tags_of] for tags_of in given],
        tagset=[names_of[tags_of] for tags_of in distinct],
        documents=documents,
    )
    members = np.array([[tag in tags_of for tag in names] for tags_of in distinct], dtype=bool)
    return replace(matrix, members=members.reshape(len(distinct), len(names)), tags=names)
