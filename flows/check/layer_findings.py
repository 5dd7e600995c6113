"""Layers that a run of these exports would find, and the measures it would compute."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...data.schema import Role
from ...metrics.measures import (
    CHAINS,
    OBJECTS,
    OF_REFERENCES,
    RELATIONS,
    SCORES_OF_A_RUN,
    measure_of,
)
from ...tasks.intake.layer_contents import Contents
from ..campaign.file.campaign_config import Config
from ..campaign.file.declared import distances_of_objects
from ..campaign.file.measure_keys import EVERY_CATEGORY, UNNAMED_RELATIONS, RelationLayer
from ..campaign.file.run_sections import Gate
from ..campaign.task_settings.layers_of_campaign import layers_to_rename, units_or_positions
from .check_reading import CampaignRead


@dataclass(frozen=True, slots=True)
class LayerFound:
    """One layer; only documents finished by at least one of its humans count.

    kind          items, positions, units or relations
    fewest, most  humans per document
    n_single      documents finished by only one human
    measures      measures that a run computes; if empty, `why_not` gives the reason
    """

    name: str
    kind: str
    humans: tuple[str, ...]
    n_documents: int
    fewest: int
    most: int
    n_single: int
    measures: tuple[str, ...]
    why_not: str = ""


def layers_found(config: Config, read: CampaignRead, contents: Contents) -> list[LayerFound]:
    """Return the layers of items, then units, then relations, each by name."""
    found = []
    for of_table in (contents.labels, contents.units):
        for name, layer in of_table.items():
            kind = "items" if layer.table == "labels" else units_or_positions(config, name)
            asked = config.unit_measures if kind == "units" else _item_measures(config, name)
            given = [one for name in asked for one in measure_of(name).gives]
            present = layer.annotators(Role.HUMAN)
            per_document, _ = read.per_document(present, name)
            found.append(_describe_layer(name, kind, present, per_document, given))
    for stored, layer in contents.relations.items():
        name = stored or UNNAMED_RELATIONS
        given = _relation_measures(config.relations.get(name), layer.counts())
        present = layer.annotators(Role.HUMAN)
        per_document, _ = read.per_document(present)
        found.append(_describe_layer(name, "relations", present, per_document, given))
    return found


def _item_measures(config: Config, layer: str) -> tuple[str, ...]:
    return OBJECTS if layer in distances_of_objects(config) else config.measures_of(layer)


def _relation_measures(declared: RelationLayer | None, categories: Collection[str]) -> list[str]:
    chains = (declared or RelationLayer()).chains
    in_chains = [c for c in categories if EVERY_CATEGORY in chains or c in chains]
    of_links = RELATIONS if len(in_chains) < len(categories) else ()
    return [*of_links, *(CHAINS if in_chains else ())]


def _describe_layer(
    name: str,
    kind: str,
    humans: tuple[str, ...],
    per_document: NDArray[np.int64],
    measures: Sequence[str],
) -> LayerFound:
    annotated = per_document[per_document > 0]
    most = int(annotated.max(initial=0))
    why_not = ""
    if len(humans) < 2:
        why_not = f"one human annotator only ({humans[0]})" if humans else "no human annotator"
    elif most < 2:
        why_not = "no document has two human annotators (are names the same in all exports?)"
    return LayerFound(
        name=name,
        kind=kind,
        humans=humans,
        n_documents=len(annotated),
        fewest=int(annotated.min(initial=most)),
        most=most,
        n_single=int((annotated == 1).sum()),
        measures=() if why_not else tuple(measures),
        why_not=why_not,
    )


def why_never_met(gate: Gate, layers: Sequence[LayerFound]) -> str:
    """Explain why a run could not compute the value of the gate; "" if it could."""
    named = [layer for layer in layers if gate.layer in (None, layer.name)]
    if any(gate.measure in layer.measures for layer in named):
        return ""
    if named and gate.measure in (*SCORES_OF_A_RUN, *OF_REFERENCES):
        return ""  # systems and references are checked elsewhere
    if not named:
        held = {layer.name for layer in layers}
        return f"no export contains its layer; {layers_to_rename(gate.layer or '', held)}"
    what = [
        f"{layer.name} is not measured"
        if layer.why_not
        else f"{layer.name} is a layer of {layer.kind}"
        for layer in named
    ]
    return f"no layer has it ({'; '.join(what)})"
