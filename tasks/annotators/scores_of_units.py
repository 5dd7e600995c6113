"""Units of annotators beside those of the reference: a score of each card, no part of agreement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ...data.store.in_memory import Tables
from ...metrics.annotator_card import AnnotatorCard
from ...metrics.arrays import Floats
from ...metrics.intervals.evaluate import Share, ratio_of_columns
from ...metrics.options import Sampling
from ...metrics.references.annotator_cards import card_value
from ...metrics.scores.category_counts import CategoryCounts
from ...metrics.scores.unit_match_counts import match_units_by_each
from ..layers import LayerSpec
from ..scores.sides_of_shard import Against, units_by_annotator, units_of_shard
from ..scores.unit_scores import units_of_documents


def with_scores_of_units(
    cards: Sequence[AnnotatorCard],
    store: Tables,
    keys: Sequence[str],
    layer: LayerSpec,
    sampling: Sampling,
) -> list[AnnotatorCard]:
    """Return the cards with the shares of the units of the first reference that they found.

    The documents are those that the annotator and the reference finished.
    """
    first = layer.references[0]
    sides = [units_of_shard(store, key, layer, [Against(first)], layer.humans) for key in keys]
    by = units_by_annotator(pa.concat_tables(sides), (first, *layer.humans))
    made = []
    for card in cards:
        own = by[card.annotator]
        shared = sorted(own.keys() & by[first].keys())
        counts = match_units_by_each(
            units_of_documents(by[first], shared),
            units_of_documents(own, shared),
            tagset=layer.tagset,
            matches=("overlap", "exact"),
            n_documents=len(shared),
        )
        found, exact = (
            card_value(Share(ratio_of_columns(0, 1)), _sums(one), sampling)
            for one in (counts["overlap"], counts["exact"])
        )
        made.append(replace(card, reference_found=found, reference_exact=exact))
    return made


def _sums(counts: CategoryCounts) -> Floats:
    """Return the matched and all units of the reference, (D, 2), of the documents with some."""
    sums = np.stack([counts.found.sum(axis=1), counts.reference.sum(axis=1)], axis=1)
    return sums[sums[:, 1] > 0].astype(np.float64)
