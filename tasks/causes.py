"""Causes of a low agreement of a layer: from its disagreement to entries of the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..data.store.store import Store
from ..metrics.arrays import Flags
from ..metrics.causes.campaign_parts import campaign_parts
from ..metrics.causes.cause_search import find_causes
from ..metrics.causes.disagreement import Disagreement, Part
from ..metrics.causes.examples import places_of_cause
from ..metrics.causes.gradual_fall import gradual_fall
from ..metrics.causes.strata import StrataOfWork, strata_of_times
from ..reports import results as page
from .batches_and_periods import document_groups
from .cause_examples import ExamplesOf
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


def strata_of_layer(
    store: Store, keys: Sequence[str], layer: LayerSpec, names: Sequence[str]
) -> list[StrataOfWork]:
    """Return the hour and order of the work on the documents `names`, by the layer's humans."""
    rows = pa.concat_tables(
        [
            store.accepted_rows(
                key, "assignments", columns=["document", "annotator", "layer", "time"]
            )
            for key in keys
        ]
    )
    rows = rows.filter(pc.equal(rows["layer"], layer.name))
    documents, annotators = (
        pc.index_in(rows[column].combine_chunks(), value_set=pa.array(known, pa.string()))
        for column, known in (("document", names), ("annotator", layer.humans))
    )
    is_known = pc.and_(pc.is_valid(documents), pc.is_valid(annotators))
    documents, annotators = (
        np.asarray(one.filter(is_known), dtype=np.int64) for one in (documents, annotators)
    )
    times = pc.fill_null(rows["time"].combine_chunks().filter(is_known), "").to_pylist()
    return strata_of_times(times, documents, annotators, (len(names), len(layer.humans)))


def cause_fields(
    of_measures: Mapping[str, Disagreement | None], examples_of: ExamplesOf | None = None
) -> dict[str, Any]:
    """Return the fields of a `SearchedLayer`: the causes of its main values, and of others.

    of_measures  the disagreement that each counts; that of the first one is of the main values
    examples_of  what the annotators did at the places that show a cause
    """
    different = {id(one): one for one in of_measures.values() if one is not None}
    searches = [
        _search_of([name for name, of in of_measures.items() if of is one], one, examples_of)
        for one in different.values()
    ]
    if not searches:
        return {}
    main, *others = searches
    return {
        "causes_of": main.measures,
        "causes": main.causes,
        "n_candidates": main.n_candidates,
        "unexamined": main.unexamined,
        "examples": main.examples,
        "searches": others,
    }


def _search_of(
    measures: Sequence[str], found: Disagreement, examples_of: ExamplesOf | None
) -> page.CauseSearch:
    search, disagreement = find_causes(found), 1.0 - found.value
    periods = [gradual_fall(found, one) for one in search.causes]
    causes = [
        page.Cause.from_measured(
            one,
            kind=one.kind.cause,
            categories=list(one.kind.categories),
            part="" if one.part is None else one.part.kind.value,
            part_name="" if one.part is None else one.part.name,
            share=one.gain / disagreement,
            interval=(one.interval[0] / disagreement, one.interval[1] / disagreement),
            counted=found.counted.value,
            first=first,
            last=last,
            confounded=list(one.confounded),
        )
        for one, (first, last) in zip(search.causes, periods, strict=True)
    ]
    examples: list[page.Example] = []
    if search.causes and examples_of is not None:
        examples = examples_of(places_of_cause(found, search.causes[0]))
    return page.CauseSearch(
        measures=list(measures),
        causes=causes,
        n_candidates=search.n_candidates,
        unexamined=[one.value for one in search.unexamined],
        examples=examples,
    )
