"""Influence of each document on γ, and γ without each batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...metrics.effect_of_omission import MOST_BATCHES, Effect, EffectKind
from ...metrics.influence import Influences, combine_influences
from ..batches_and_periods import documents_by_group

OfDocuments = Callable[[NDArray[np.int64]], Influences]


def effects_of_batches(
    of_documents: OfDocuments, documents: pa.Table, measure: str
) -> list[Effect]:
    """Compute the difference between γ without each batch and γ of all documents.

    of_documents  γ of a selection of documents, by their numbers in the table
    """
    names = documents["document"].combine_chunks()
    batches = documents_by_group(documents, "batch", names)
    if len(batches) > MOST_BATCHES:
        return []
    every, effects = np.arange(len(names)), []
    own = of_documents(every)
    for name, those in batches.items():
        without = of_documents(np.setdiff1d(every, those))
        if np.isfinite(without.value) and np.isfinite(own.value):
            change = combine_influences([without, own], [1.0, -1.0])
            effects.append(Effect.of(EffectKind.batch, (name,), measure, without.value, change))
    return effects
