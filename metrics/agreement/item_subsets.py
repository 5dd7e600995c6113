"""Agreement on the same annotations over several subsets of items (Fort et al. 2010, section 3.2).

The definition of an item decides the prevalence: all tokens, candidates only, or items to which the
annotators gave a category other than the null category. Comparing the subsets shows how much of a
coefficient is due to the null category.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..arrays import Flags
from ..errors import MetricsError
from ..measures import USUAL
from ..options import Sampling
from ..results import Universe
from .breakdown import add_intervals_of_part, confusion_of_pair
from .coefficients import compute_coefficients
from .distances import Distance, NamedTable, without_category
from .label_matrix import LabelMatrix

ALL_ITEMS = "all items"


def select_candidate_items(matrix: LabelMatrix, candidates: Flags) -> LabelMatrix:
    """Select the items where `candidates`, bool (N,), is true."""
    if candidates.shape != (matrix.n_items,):
        raise MetricsError(f"{candidates.shape} candidates; expected ({matrix.n_items},)")
    return matrix.select_items(candidates)


def remove_null_category(matrix: LabelMatrix, *, null: str) -> LabelMatrix:
    """Remove the labels of the null category, then the items left with fewer than two labels.

    For two annotators, this removes the row and the column of `null` from the confusion matrix.
    """
    if null not in matrix.tagset:
        raise MetricsError(
            f"no category {null!r} among the categories ({', '.join(matrix.tagset)})"
        )
    dropped = matrix.tagset.index(null)
    renumber = np.array(
        [-1 if k == dropped else k - (k > dropped) for k in range(len(matrix.tagset))] + [-1],
        dtype=np.int32,
    )
    members = None if matrix.members is None else np.delete(matrix.members, dropped, axis=0)
    kept = replace(
        matrix,
        codes=renumber[matrix.codes],
        tagset=tuple(category for category in matrix.tagset if category != null),
        members=members,
    )
    return kept.select_items(kept.n_labels >= 2)


def evaluate_item_subsets(
    matrix: LabelMatrix,
    *,
    null: str | None = None,
    candidates: Mapping[str, Flags] | None = None,
    measures: Sequence[str] = USUAL,
    distance: Distance = "nominal",
    sampling: Sampling | None = None,
) -> list[Universe]:
    """Evaluate all items, each named set of candidates, and the items without the null category.

    With `sampling`, each value has an interval from resamples of the subset's own documents or
    items. A distance given as a table is used without the row and column of the null category in
    the last.
    """
    universes = [(ALL_ITEMS, matrix, distance)]
    for name, mask in (candidates or {}).items():
        universes.append((name, select_candidate_items(matrix, mask), distance))
    if null is not None:
        at = matrix.tagset.index(null) if null in matrix.tagset else 0
        smaller = distance
        if isinstance(distance, NamedTable):
            smaller = distance.without(at)
        elif not isinstance(distance, str):
            smaller = without_category(distance, at)
        universes.append((f"without {null}", remove_null_category(matrix, null=null), smaller))
    return [
        Universe(
            name,
            some.n_items,
            some.tagset,
            tuple(
                add_intervals_of_part(
                    compute_coefficients(some, measures=measures, distance=table),
                    some,
                    distance=table,
                    sampling=sampling,
                    n_parts=len(universes),
                )
            ),
            confusion_of_pair(some, 0, 1) if some.n_annotators == 2 else None,
        )
        for name, some, table in universes
    ]
