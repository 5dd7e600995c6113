"""The items with the highest disagreement."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.item_name import place_of_item
from ...metrics.references.disagreement_cases import case_key, labels_of_item
from ...reports import results as page
from ..item_texts import ItemTexts
from ..layers import LayerSpec


def label_disagreements(
    matrix: LabelMatrix, layer: LayerSpec, texts: ItemTexts | None = None, *, most: int = 200
) -> list[page.Disagreement]:
    """Return the items with the highest mean distance over the pairs of their labels.

    The distance is the layer's own, as a share of its largest value.
    """
    cost = _mean_costs(matrix, layer)
    worst = np.lexsort((np.arange(cost.size), -cost))[:most]
    worst = worst[cost[worst] > 0].tolist()
    contexts = texts(worst) if texts else [""] * len(worst)
    found = []
    for i, context in zip(worst, contexts, strict=True):
        document, item = place_of_item(matrix.items[i])
        given = labels_of_item(matrix, i)
        found.append(
            page.Disagreement(
                document=document,
                layer=layer.name,
                where=item,
                cost=float(cost[i]),
                said={name: one.category for name, one in given.items()},
                context=context,
                case="" if layer.adaptive else case_key(layer.name, document, item, given.values()),
            )
        )
    return found


def _mean_costs(matrix: LabelMatrix, layer: LayerSpec) -> NDArray[np.float64]:
    """Return the mean distance of each item, shape (N,): 0 for an item with fewer than two labels.

    Summed over pairs of labels, because a table of items by categories would be large for
    measurements.
    """
    given = matrix.codes >= 0
    codes = matrix.codes[given]
    distances = layer.direct_distances(np.bincount(codes, minlength=len(layer.tagset)))
    n_labels = given.sum(axis=1)
    places = np.cumsum(given, axis=1)[given] - 1  # position of a label among the labels of its item
    packed = np.full((matrix.n_items, int(n_labels.max(initial=0))), -1, dtype=np.int32)
    packed[np.nonzero(given)[0], places] = codes
    cost = np.zeros(matrix.n_items)
    for first, second in combinations(packed.T, 2):
        both = second >= 0
        apart = first[both] != second[both]
        cost[both] += apart if distances is None else distances[first[both], second[both]]
    n_pairs = n_labels * (n_labels - 1) // 2
    return np.asarray(cost / np.maximum(n_pairs, 1))
