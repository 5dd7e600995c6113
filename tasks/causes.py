"""Causes of a low agreement of a layer: from its disagreement to entries of the results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..data.store.store import Store
from ..metrics.arrays import Flags
from ..metrics.causes.campaign_parts import campaign_parts
from ..metrics.causes.cause_search import find_causes
from ..metrics.causes.disagreement import Disagreement, Part
from ..metrics.causes.gradual_fall import gradual_fall
from ..reports import results as page
from .batches_and_periods import document_groups
from .layers import LayerSpec

PERIOD = "week"  # in which causes begin; the periods of control charts are an option


def parts_of_campaign(groups: pa.Table, names: Sequence[str]) -> tuple[tuple[Part, Flags], ...]:
    """Return the parts of the documents `names`.

    groups  the columns document, batch and period (by `PERIOD`)
    """
    place = pc.index_in(pa.array(names, pa.string()), groups["document"].combine_chunks())
    batches, periods = (
        pc.fill_null(groups[column].combine_chunks().take(place), "").to_pylist()
        for column in ("batch", "period")
    )
    return campaign_parts(names, batches, periods)


def parts_of_layer(
    store: Store, keys: Sequence[str], layer: LayerSpec, names: Sequence[str]
) -> tuple[tuple[Part, Flags], ...]:
    """Return the parts of the campaign in which causes are searched; `names` of the documents."""
    return parts_of_campaign(document_groups(store, keys, layer, PERIOD), names)


def cause_fields(found: Disagreement | None) -> dict[str, Any]:
    """Return the fields `causes` and `n_candidates` of a layer's agreement."""
    if found is None:
        return {}
    search, disagreement = find_causes(found), 1.0 - found.value
    periods = [gradual_fall(found, one) for one in search.causes]
    causes = [
        page.Cause(
            kind=one.kind.cause,
            categories=list(one.kind.categories),
            annotator=one.annotator,
            part="" if one.part is None else one.part.kind.value,
            part_name="" if one.part is None else one.part.name,
            share=one.gain / disagreement,
            interval=(one.interval[0] / disagreement, one.interval[1] / disagreement),
            n=one.n,
            n_compared=one.n_compared,
            marks_more=one.marks_more,
            first=first,
            last=last,
        )
        for one, (first, last) in zip(search.causes, periods, strict=True)
    ]
    return {"causes": causes, "n_candidates": search.n_candidates}
