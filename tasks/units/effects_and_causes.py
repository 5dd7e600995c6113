"""γ without each batch, and the causes of a low γ: disorder by annotators, kinds and parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.chance.chance_samples import ExpectedDisorder
from ...metrics.effect_of_omission import MOST_BATCHES, Effect, EffectKind
from ...metrics.influence import Influences, combine_influences
from ...metrics.units.expected_documents import expected_per_document
from ...metrics.units.observed import Observed
from ...metrics.units.unit_disagreement import unit_disagreement
from ..batches_and_periods import documents_by_group, with_periods
from ..causes import PERIOD, cause_fields, parts_of_campaign
from .alignment import read_category_use, read_disorder_rows, read_participation
from .unit_work import UnitWork

OfDocuments = Callable[[NDArray[np.int64]], Influences]


def effects_of_omitted_batches(
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


def causes_of_units(
    store: Store,
    work: UnitWork,
    observed: Observed,
    expected: ExpectedDisorder,
    documents: pa.Table,
) -> dict[str, Any]:
    """Return the fields `causes` and `n_candidates` of a layer.

    documents  the columns document, batch and time, in the order of the counts
    """
    annotators, tagset = work.layer.humans, work.layer.tagset
    usage = [units for _, units in read_category_use(store, work.places)]
    parts = parts_of_campaign(
        with_periods(documents.select(["document", "batch", "time"]), PERIOD),
        documents["document"].to_pylist(),
    )
    found = unit_disagreement(
        read_disorder_rows(store, work.places),
        np.concatenate(usage).astype(np.float64),
        observed.weights * expected_per_document(observed, expected).means,
        annotators,
        tagset,
        read_participation(store, work.places, len(annotators)),
        parts,
    )
    return cause_fields(found)
