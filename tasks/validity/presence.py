"""In which documents of a campaign its systems took part, by the store and the campaign file."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow.compute as pc

from ...data.schema import State
from ...data.store.store import Store
from ..layers import FIRST_PASS, LayerSpec, accepted, finished_passes
from .evaluation import Presence, ScoringSettings


def presence_of(
    store: Store, keys: Sequence[str], layer: LayerSpec, settings: ScoringSettings
) -> dict[str, Presence]:
    """Of each system: what it finished, and what an export or the campaign file says it was not
    assigned."""
    present: dict[str, set[str]] = {system: set() for system in layer.systems}
    excluded: dict[str, set[str]] = {system: set() for system in layer.systems}
    patterns = {system: re.compile(pattern) for system, pattern in settings.not_assigned}
    for key in keys:
        for document, annotator, pass_ in finished_passes(store, key, layer.name):
            if annotator in present and pass_ == FIRST_PASS:
                present[annotator].add(document)
        rows = accepted(store, key, "assignments")
        rows = rows.filter(pc.equal(rows["state"], str(State.NOT_ASSIGNED)))
        for row in rows.select(["document", "annotator", "layer"]).to_pylist():
            if row["annotator"] in excluded and row["layer"] in ("", layer.name):
                excluded[row["annotator"]].add(row["document"])
        documents = accepted(store, key, "documents", columns=["document"])["document"].to_pylist()
        for system in layer.systems:
            if system in patterns:
                excluded[system].update(filter(patterns[system].search, documents))
    return {system: Presence(present[system], excluded[system]) for system in layer.systems}
