"""Results of the layers in the store, between the stages of a run and its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..data.readers.common.category_features import ReadAs
from ..data.store.store import Store
from ..metrics.signature import add_to_signature_line
from ..reports.costliest_disagreements import MOST_DISAGREEMENTS, most_costly
from ..reports.results import LayerResults, Measured
from ..reports.value import Model
from .node import FIELDS


def write_results(store: Store, place: str, found: Model) -> None:
    store.write_json(f"{place}/{FIELDS}", found.model_dump(mode="json"), indent=None)


def read_results(store: Store, path: str, read_as: ReadAs | None = None) -> LayerResults:
    """Read the results of a layer; with `read_as`, signatures say how it was read from exports."""
    found = store.read_json(path)
    if read_as is not None and read_as != ReadAs():
        found = _with_reading(found, read_as)
    return LayerResults.model_validate(found)


def measured_fields(parts: Sequence[LayerResults]) -> dict[str, Any]:
    """Return the fields of `Measured`, each list joined over the parts."""
    found = {
        name: [one for part in parts for one in getattr(part, name)]
        for name in Measured.model_fields
    }
    return found | {"disagreements": most_costly(found["disagreements"], MOST_DISAGREEMENTS)}


def _with_reading(part: Any, read_as: ReadAs, layer: str = "") -> Any:
    if isinstance(part, Mapping):
        layer = str(part.get("layer", layer))
        return {
            key: add_to_signature_line(value, **read_as.settings(layer))
            if key == "signature" and value
            else _with_reading(value, read_as, layer)
            for key, value in part.items()
        }
    if isinstance(part, list):
        return [_with_reading(one, read_as, layer) for one in part]
    return part
