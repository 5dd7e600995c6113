"""Conversion of the layer summaries in the store to fields of the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ...data.readers.common.category_features import ReadAs
from ...metrics.signature import line_with
from ...reports import results as page
from ...reports.quota import MOST_DISAGREEMENTS, most_costly
from ...reports.value import Model

_Model = TypeVar("_Model", bound=Model)


def measured_fields(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the fields of the results that contain the measured values of the layers."""
    disagreements = read_model_lists(parts, "disagreements", page.Disagreement)
    return {
        "items": read_models(parts, "items", page.ItemAgreement),
        "units": read_models(parts, "units", page.UnitAgreement),
        "relations": read_models(parts, "relations", page.RelationAgreement),
        "distributions": [
            found
            for part in parts
            for found in (
                *read_models([part], "distribution", page.Distribution),
                *read_model_lists([part], "distributions", page.Distribution),
            )
        ],
        "resampling": read_models(parts, "resampling", page.Resampling),
        "grids": read_model_lists(parts, "grids", page.GridCurve),
        "readings": read_model_lists(parts, "readings", page.Reading),
        "reading_tables": read_model_lists(parts, "reading_tables", page.ReadingTable),
        "references": read_models(parts, "reference", page.ReferenceSummary),
        "mistakes": read_models(parts, "mistakes", page.MistakeQueue),
        "replacement": read_models(parts, "replacement", page.Replacement),
        "validity": read_model_lists(parts, "validity", page.Validity),
        "repairs": read_model_lists(parts, "repairs", page.Repair),
        "disagreements": most_costly(disagreements, MOST_DISAGREEMENTS),
    }


def with_reading(part: Any, read_as: ReadAs, layer: str = "") -> Any:
    """Add to a summary's signatures how its layer was read from the exports."""
    if not (read_as.features or read_as.offsets):
        return part
    if isinstance(part, Mapping):
        layer = str(part.get("layer", layer))
        return {
            key: line_with(value, **read_as.settings(layer))
            if key == "signature" and value
            else with_reading(value, read_as, layer)
            for key, value in part.items()
        }
    if isinstance(part, list):
        return [with_reading(one, read_as, layer) for one in part]
    return part


def read_models(parts: Sequence[Mapping[str, Any]], key: str, model: type[_Model]) -> list[_Model]:
    """Return the models under `key`, from the summaries that have it."""
    return [model.model_validate(part[key]) for part in parts if key in part]


def read_model_lists(
    parts: Sequence[Mapping[str, Any]], key: str, model: type[_Model]
) -> list[_Model]:
    """Return the lists under `key`, concatenated over the summaries."""
    return [model.model_validate(one) for part in parts for one in part.get(key, [])]
