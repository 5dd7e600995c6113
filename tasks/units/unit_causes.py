"""Causes of a low γ: the disorder of all documents, by annotators, kinds and parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from ...data.store.store import Store
from ...metrics.chance.chance_samples import ExpectedDisorder
from ...metrics.units.expected_documents import expected_per_document
from ...metrics.units.observed import Observed
from ...metrics.units.unit_disagreement import unit_disagreement
from ..batches_and_periods import with_periods
from ..causes import PERIOD, cause_fields, parts_of_campaign
from .alignment import read_category_use, read_disorder_rows, read_participation
from .unit_work import UnitWork


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
