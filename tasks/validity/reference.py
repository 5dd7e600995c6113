"""A layer's reference, built in the open: its labels or units, what it covers, what is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import pyarrow as pa
from prefect import task

from ...data.store.hashes import settings_hash
from ...data.store.store import Store
from ...metrics.errors import MetricsError
from ...metrics.signature import VERSION
from ..layers import LayerSpec
from ..units.alignment import DissimilaritySpec
from .cases import human_labels
from .reference_labels import labels_reference
from .reference_parts import ReferenceSettings
from .reference_units import units_reference
from .release import release

LABEL_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("item", pa.string()),
        ("annotator", pa.string()),
        ("label", pa.string()),
        ("confidence", pa.float64()),
    ]
)
UNIT_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("category", pa.string()),
        ("support", pa.int64()),
        ("confidence", pa.float64()),
    ]
)
DOCUMENT_ROWS = pa.schema([("document", pa.string())])


def build_reference(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    settings: ReferenceSettings,
    folder: str,
) -> str:
    """Build, write and release the reference of a layer; the path of its summary (JSON).

    The summary has `reference` (for the page) and `place` (Parquet that scoring reads); what is
    released goes below `folder`. Raises MetricsError for a rule that the layer does not allow.
    """
    store = Store(store_url)
    if settings.annotator is not None and settings.annotator not in layer.humans:
        raise MetricsError(
            f"reference.annotator: {settings.annotator!r} is no human annotator of layer "
            f"{layer.name!r} ({', '.join(layer.humans) or 'nobody'}); a system cannot be the "
            "reference, and a curation has the role 'reference'"
        )
    built = (
        labels_reference(human_labels(store, keys, layer), layer, settings)
        if layer.is_labels
        else units_reference(store, keys, layer, dissimilarity or DissimilaritySpec(), settings)
    )
    key = settings_hash(list(keys), asdict(layer), asdict(settings), VERSION)
    place = f"references/{key}"
    schema = LABEL_ROWS if layer.is_labels else UNIT_ROWS
    table = pa.Table.from_pylist(built.rows, schema)
    documents = pa.table({"document": pa.array(built.documents, pa.string())}, DOCUMENT_ROWS)
    store.write_table(f"{place}/reference.parquet", table)
    store.write_table(f"{place}/documents.parquet", documents)
    release(store, keys, layer, built, settings, folder)
    return store.write_json(
        f"summaries/reference-{key}.json",
        {"reference": built.summary.model_dump(mode="json"), "place": place},
    )


@task(name="build reference", task_run_name="build reference {layer.name}")
def build_reference_task(
    store_url: str,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    settings: ReferenceSettings,
    folder: str,
) -> str:
    return build_reference(store_url, keys, layer, dissimilarity, settings, folder)
