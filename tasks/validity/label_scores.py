"""A run's labels of systems and of a reference, evaluated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.store.store import Store
from ...reports import results as page
from ..layers import LayerSpec, document_names, label_rows, matrix_of
from .against import Against, with_built_labels
from .evaluation import ScoringSettings
from .label_evaluation import MAIN, LabelSides, evaluate_labels
from .presence import presence_of
from .scores import as_validity, reported


def validity_of_labels(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
) -> page.Validity:
    """Every system's labels against the reference's, with baselines and comparisons."""
    evaluation = evaluate_labels(
        _sides(store, keys, layer, reference),
        presence_of(store, keys, layer, settings),
        settings,
        reported(MAIN),
    )
    return as_validity(evaluation, layer, "items", reference.name, settings)


def _sides(store: Store, keys: Sequence[str], layer: LayerSpec, reference: Against) -> LabelSides:
    """The codes of all shards."""
    columns = [reference.name, *layer.systems]
    parts, homes = [np.empty((0, len(columns)), np.int32)], [np.empty(0, np.int64)]
    names: list[str] = []
    for key in keys:
        rows = label_rows(store, key, layer, columns)
        if reference.place is not None:
            rows = with_built_labels(store, key, rows, layer, reference.place)
        matrix = matrix_of(rows, layer, columns, "system")
        if matrix.documents is None or not matrix.n_items:
            continue
        parts.append(matrix.codes)
        homes.append(matrix.documents + len(names))
        names += document_names(matrix)
    codes = np.concatenate(parts)
    return LabelSides(
        codes[:, 0],
        {system: codes[:, column] for column, system in enumerate(layer.systems, start=1)},
        np.concatenate(homes),
        names,
        layer.tagset,
        layer.distance,
        layer.distance_matrix(),
    )
