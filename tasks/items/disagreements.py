"""The items that cost most, to discuss."""

from __future__ import annotations

import numpy as np

from metrics.agreement.label_matrix import LabelMatrix
from reports import results as page
from tasks.item_names import split_item
from tasks.layers import LayerSpec


def label_disagreements(
    matrix: LabelMatrix, layer: LayerSpec, *, most: int = 200
) -> list[page.Disagreement]:
    """The items that cost most: mean distance over the pairs of their labels."""
    counts = matrix.counts().astype(np.float64)
    weights = layer.distance_matrix()
    if weights is None:
        weights = 1.0 - np.eye(len(layer.tagset))
    n_labels = counts.sum(axis=1)
    pairs = np.einsum("nk,kl,nl->n", counts, weights, counts)
    cost = pairs / np.maximum(n_labels * (n_labels - 1), 1)
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
                document=document, layer=layer.name, where=item, cost=float(cost[i]), said=said
            )
        )
    return found
