"""A run's units of systems and of a reference, evaluated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...data.store.store import Store
from ...reports import results as page
from ..layers import LayerSpec, continua_of
from ..units.alignment import DissimilaritySpec
from .against import Against, built_units
from .evaluation import ScoringSettings
from .presence import presence_of
from .scores import as_validity, reported
from .unit_evaluation import MAIN, UnitRows, evaluate_units


def validity_of_units(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    reference: Against,
    settings: ScoringSettings,
    dissimilarity: DissimilaritySpec | None,
) -> page.Validity:
    """Every system's units against the reference's, with baselines and comparisons."""
    evaluation = evaluate_units(
        _documents_of(store, keys, layer, reference.name, "reference")
        if reference.place is None
        else built_units(store, reference.place, layer),
        {system: _documents_of(store, keys, layer, system, "system") for system in layer.systems},
        presence_of(store, keys, layer, settings),
        tagset=layer.tagset,
        dissimilarity=None if dissimilarity is None else dissimilarity.for_layer(layer),
        settings=settings,
        wanted=reported(MAIN),
    )
    return as_validity(evaluation, layer, "units", reference.name, settings)


def _documents_of(
    store: Store, keys: Sequence[str], layer: LayerSpec, annotator: str, role: str
) -> dict[str, UnitRows]:
    """The rows of every document that the annotator finished."""
    found = {}
    for key in keys:
        for document, continuum, _ in continua_of(store, key, layer, [annotator], role):
            found[document] = np.stack(
                [continuum.starts, continuum.ends, continuum.categories], axis=1
            ).astype(np.int64)
    return found
