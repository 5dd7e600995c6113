"""The items that cost most, to discuss."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.label_matrix import LabelMatrix
from ...reports import results as page
from ..item_names import public_name, split_item
from ..layers import LayerSpec


def label_disagreements(
    matrix: LabelMatrix, layer: LayerSpec, *, most: int = 200
) -> list[page.Disagreement]:
    """The items that cost most: mean distance over the pairs of their labels.

    The distance is the layer's own, as a share of its largest.
    """
    cost = _mean_costs(matrix, layer)
    worst = np.lexsort((np.arange(cost.size), -cost))[:most]
    found = []
    for i in worst.tolist():
        if cost[i] <= 0:
            break
        document, item = split_item(matrix.items[i])
        said = {
            name: layer.tagset[code] if code >= 0 else ""
            for name, code in zip(matrix.annotators, matrix.codes[i].tolist(), strict=True)
            if code >= 0
        }
        found.append(
            page.Disagreement(
                document=document,
                layer=layer.name,
                where=item,
                cost=float(cost[i]),
                said=said,
                case=public_name(layer.name, matrix.items[i]),
            )
        )
    return found


def _mean_costs(matrix: LabelMatrix, layer: LayerSpec) -> NDArray[np.float64]:
    """(N,): 0 for an item with fewer than two labels. Added up by pairs of labels, as a table of
    items by categories would be large where these are measurements."""
    given = matrix.codes >= 0
    codes = matrix.codes[given]
    distances = layer.direct_distances(np.bincount(codes, minlength=len(layer.tagset)))
    n_labels = given.sum(axis=1)
    places = np.cumsum(given, axis=1)[given] - 1  # of a label among those of its item
    packed = np.full((matrix.n_items, int(n_labels.max(initial=0))), -1, dtype=np.int32)
    packed[np.nonzero(given)[0], places] = codes
    cost = np.zeros(matrix.n_items)
    for first, second in combinations(packed.T, 2):
        both = second >= 0
        apart = first[both] != second[both]
        cost[both] += apart if distances is None else distances[first[both], second[both]]
    n_pairs = n_labels * (n_labels - 1) // 2
    return np.asarray(cost / np.maximum(n_pairs, 1))
