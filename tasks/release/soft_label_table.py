"""Soft labels: the distribution of the votes on an item, and the posterior of a model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ...data.store.store import Store
from ...metrics.item_name import place_of_item
from ..layers import LayerSpec
from ..references.disagreement_cases import human_labels
from ..references.reference_labels import fit_annotator_model
from ..references.reference_settings import ReferenceSettings

SOFT_LABELS = [
    ("item", pa.string()),
    ("label", pa.string()),
    ("votes", pa.int64()),
    ("n_labels", pa.int64()),
    ("share", pa.float64()),
    ("posterior", pa.float64()),
]


def soft_label_rows(
    store: Store, keys: Sequence[str], layer: LayerSpec, settings: ReferenceSettings | None
) -> pa.Table:
    """Return a row for each item and category: votes and their share of the item's labels.

    With a rule that is a model, every category has a row with its posterior probability before
    decisions; otherwise only categories with a vote have a row, and `posterior` is null.
    """
    matrix = human_labels(store, keys, layer)
    votes = np.stack([(matrix.codes == k).sum(axis=1) for k in range(len(matrix.tagset))], axis=1)
    can_fit = settings is not None and len(matrix.tagset) > 1 and bool(votes.any())
    model = fit_annotator_model(matrix, settings) if settings and can_fit else None
    posterior = None if model is None else model.posterior
    labelled = votes.sum(axis=1) > 0
    chosen = votes > 0 if posterior is None else np.broadcast_to(labelled[:, None], votes.shape)
    item, label = np.nonzero(chosen)
    names = [place_of_item(matrix.items[i]) for i in item.tolist()]
    n_labels = votes.sum(axis=1)[item]
    columns = {
        "document": [document for document, _ in names],
        "item": [name for _, name in names],
        "label": [matrix.tagset[k] for k in label.tolist()],
        "votes": votes[item, label],
        "n_labels": n_labels,
        "share": votes[item, label] / n_labels,
        "posterior": pa.nulls(len(names), pa.float64())
        if posterior is None
        else posterior[item, label],
    }
    return pa.table(columns, schema=pa.schema([("document", pa.string()), *SOFT_LABELS]))
