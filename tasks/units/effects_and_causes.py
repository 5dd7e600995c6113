"""γ without each batch, and the causes of a low γ: disorder by annotators, kinds and parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.store.store import Store
from ...metrics.chance.chance_samples import ExpectedDisorder
from ...metrics.chance.corpus import Corpus
from ...metrics.effect_of_omission import MOST_BATCHES, Effect, EffectKind
from ...metrics.errors import MetricsError
from ...metrics.influence import Influences, combine_influences
from ...metrics.measures import FOUND, GAMMAS, MEASURES
from ...metrics.units.disagreement_of_lengths import disagreement_of_lengths
from ...metrics.units.disagreement_of_pairs import disagreement_of_pairs
from ...metrics.units.expected_documents import expected_per_document
from ...metrics.units.found_units import disagreement_of_found
from ...metrics.units.observed import Observed
from ...metrics.units.pairwise_f import units_of_corpus
from ...metrics.units.unit_disagreement import UnitGroups, unit_disagreement
from ..batches_and_periods import documents_by_group, with_periods
from ..cause_examples import UnitExamples, texts_in
from ..causes import PERIOD, cause_fields, parts_of_campaign, strata_of_layer
from .alignment import (
    read_category_use,
    read_disorder_rows,
    read_found_rows,
    read_participation,
)
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
    corpus: Corpus,
    observed: Observed,
    expected: ExpectedDisorder,
    documents: pa.Table,
) -> dict[str, Any]:
    """Return the fields of causes of γ, of what explains it, and of the other measures.

    documents  the columns document, batch and time, in the order of the counts
    """
    layer, measures = work.layer, work.settings.measures
    usage = np.concatenate([units for _, units in read_category_use(store, work.places)])
    names = documents["document"].to_pylist()
    parts = parts_of_campaign(
        with_periods(documents.select(["document", "batch", "time"]), PERIOD), names
    )
    by = UnitGroups.of_documents(usage.astype(np.float64), layer.humans, layer.tagset, parts)
    found = unit_disagreement(
        read_disorder_rows(store, work.places),
        usage.astype(np.float64),
        observed.weights * expected_per_document(observed, expected).means,
        read_participation(store, work.places, len(layer.humans)),
        by,
    )
    if found is None:
        return {}
    given = [name for one in measures for name in MEASURES[one].gives]
    keys, examples = [one.key for one in work.shards], None
    of_work = strata_of_layer(store, keys, layer, names)
    try:
        units = units_of_corpus(corpus, layer.humans)
        found, of_f = disagreement_of_pairs(
            found, units, by, given, work.settings.matching, of_work
        )
        of_f |= disagreement_of_lengths(found, units, by)
        examples = UnitExamples(units, layer.humans, layer.tagset, names, texts_in(store, keys))
    except MetricsError:  # bounds that are no whole numbers, for which there is no F
        of_f = {}
    of_measures = of_f | disagreement_of_found(read_found_rows(store, work.places), found, by)
    of_measures = {name: one for name, one in of_measures.items() if name in FOUND or name in given}
    gammas = [one for one in ("gamma", *measures) if one in GAMMAS.values()]
    return cause_fields({**dict.fromkeys(gammas, found), **of_measures}, examples)
