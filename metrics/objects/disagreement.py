"""Disagreement of objects by document and pair of annotators, in which causes are searched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..agreement.diagnosis.label_disagreement import item_groups
from ..arrays import Flags, Floats
from ..causes.disagreement import (
    MOST_ANNOTATORS,
    UNDISTINGUISHED,
    Disagreement,
    DisagreementKind,
    Part,
    max_document_groups,
)
from .evaluate import MeasuredObjects


def object_disagreement(
    measured: MeasuredObjects, parts: Sequence[tuple[Part, Flags]] = ()
) -> Disagreement | None:
    """Return the distances of objects by document and pair; None without a distance by chance.

    A pair on an item with n objects has the weight 2 / (n − 1), so that the sum of the amounts over
    the sum of the chances is D_o / D_e of α. All objects differ in one kind: they have no
    categories. With more than `MOST_ANNOTATORS`, annotators are not distinguished.

    parts  each part with its documents, bool (D,), in the order of `matrix.documents`
    """
    pairs, names = measured.pairs, measured.matrix.annotators
    within, chance = pairs.within, pairs.chance
    if chance is None or not within.n_pairs or not chance.distances.any():
        return None
    one, other = pairs.annotator[within.first], pairs.annotator[within.second]
    if len(names) > MOST_ANNOTATORS:
        names, one, other = UNDISTINGUISHED, np.zeros_like(one), np.ones_like(other)
    groups, of_groups = item_groups(measured.matrix, parts, max_document_groups(len(names), 1))
    item = pairs.item[within.first]
    shape = (int(groups.max()) + 1, len(names), len(names))
    cell = np.ravel_multi_index((groups[item], one, other), shape)
    weight: Floats = 2.0 / (pairs.n_objects_by_item[item] - 1)

    def summed(weights: Floats) -> Floats:
        sums = np.bincount(cell, weights, int(np.prod(shape)))
        return np.asarray(sums.reshape(shape), dtype=np.float64)

    return Disagreement(
        amounts=summed(weight * within.distances)[..., None],
        counts=summed((within.distances > 0).astype(np.float64)).astype(np.int64)[..., None],
        chances=summed(weight * float(chance.distances.mean())),
        compared=summed(np.ones(cell.size)).astype(np.int64),
        usage=np.zeros((shape[0], 0)),
        kinds=(DisagreementKind("category", ("", "")),),
        annotators=names,
        categories=(),
        parts=of_groups,
    )
