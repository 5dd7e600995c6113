"""The reference of a layer: built from its annotators by a rule, or taken from a curation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import numpy as np
import pyarrow as pa
from prefect import task

from ...data.store.store import Store
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...reports import results as page
from ..cache_keys import cache_key
from ..item_names import split_item
from ..layers import LayerSpec, continua_of, label_rows, matrix_of
from ..units.alignment import DissimilaritySpec
from .cases import gold_labels, human_labels
from .consensus import consensus_reference
from .labels import labels_reference
from .release import release, slug
from .settings import MOST_LISTED, Built, ReferenceSettings
from .soft import build_soft, check_of_model, release_soft
from .units import units_reference

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
        ("start_offset", pa.int64()),
        ("end_offset", pa.int64()),
        ("category", pa.string()),
        ("support", pa.int64()),
        ("confidence", pa.float64()),
    ]
)
CONSENSUS_ROWS = UNIT_ROWS.append(pa.field("start_confidence", pa.float64())).append(
    pa.field("end_confidence", pa.float64())
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
    """Build, write and release the reference of a layer; return the path of its summary (JSON).

    The summary contains `reference` (for the page) and `place` (Parquet read by scoring); released
    files are below `folder`. Raises MetricsError for a rule that the layer does not allow.
    """
    store = Store(store_url)
    if settings.annotator is not None and settings.annotator not in layer.humans:
        raise MetricsError(
            f"reference.annotator: {settings.annotator!r} is not a human annotator of layer "
            f"{layer.name!r} ({', '.join(layer.humans) or 'none'}); name one of them, or give "
            "a curation the role 'reference' instead"
        )
    if settings.gold not in layer.references:
        settings = replace(settings, gold=None)
    measure = dissimilarity or DissimilaritySpec()
    if layer.is_labels:
        gold = gold_labels(store, keys, layer, settings.gold)
        labels, schema = human_labels(store, keys, layer), LABEL_ROWS
        built = labels_reference(labels, layer, settings, gold)
        _add_soft(store, labels, built, settings, folder, layer.name)
    elif settings.rule == "consensus":
        built, schema = consensus_reference(store, keys, layer, measure, settings), CONSENSUS_ROWS
    else:
        built, schema = units_reference(store, keys, layer, measure, settings), UNIT_ROWS
    key = cache_key(list(keys), asdict(layer), asdict(settings))
    place = f"references/{key}"
    table = pa.Table.from_pylist([row._asdict() for row in built.rows], schema)
    documents = pa.table({"document": pa.array(built.documents, pa.string())}, DOCUMENT_ROWS)
    store.write_table(f"{place}/reference.parquet", table)
    store.write_table(f"{place}/documents.parquet", documents)
    release(store, keys, layer, built, settings, folder)
    return store.write_json(
        f"summaries/reference-{key}.json",
        {"reference": built.summary.model_dump(mode="json"), "place": place},
    )


def _add_soft(
    store: Store,
    matrix: LabelMatrix,
    built: Built,
    settings: ReferenceSettings,
    folder: str,
    layer: str,
) -> None:
    """Release the requested distributions, and check the model if one was fitted."""
    found: dict[str, object] = {}
    if settings.soft is not None:
        soft, found["soft"] = build_soft(matrix, settings.soft, settings.sampling)
        release_soft(store, soft, f"{folder}/{slug(layer)}")
    if "dawid_skene" in (settings.rule, settings.soft):
        check, warnings = check_of_model(matrix, settings.sampling.seed)
        found |= {"model_check": check.p_value, "warnings": [*built.summary.warnings, *warnings]}
    built.summary = built.summary.model_copy(update=found)


build_reference_task = task(name="build reference", task_run_name="build reference {layer.name}")(
    build_reference
)


def curation_summary(store_url: str, keys: Sequence[str], layer: LayerSpec, reference: str) -> str:
    """Summarise the coverage of a curation (role reference); return the path of its summary."""
    store = Store(store_url)
    if layer.is_labels:
        columns = [reference, *layer.humans]
        rows = pa.concat_tables([label_rows(store, key, layer, columns) for key in keys])
        matrix = matrix_of(rows, layer, columns, "reference")
        n_items, n_resolved = matrix.n_items, int((matrix.codes[:, 0] >= 0).sum())
        open_ = [matrix.items[i] for i in np.nonzero(matrix.codes[:, 0] < 0)[0].tolist()]
        unresolved = [", ".join(split_item(name)) for name in open_]
        warnings = []
    else:
        annotated, curated, n_units = set(), set(), 0
        for key in keys:
            found = continua_of(store, key, layer, layer.humans, "human")
            annotated |= {document for document, _, _ in found}
            for document, continuum, _ in continua_of(store, key, layer, [reference], "reference"):
                curated.add(document)
                n_units += continuum.n_units
        unresolved = sorted(annotated - curated)
        n_items, n_resolved = n_units, n_units
        warnings = [CodedWarning("not_curated", {"n": len(unresolved)})] if unresolved else []
    summary = page.ReferenceSummary(
        layer=layer.name,
        rule="adjudicated",
        annotators=[reference],
        n_items=n_items,
        n_resolved=n_resolved,
        n_unresolved=n_items - n_resolved,
        unresolved=unresolved[:MOST_LISTED],
        warnings=warnings,
    )
    key = cache_key(list(keys), asdict(layer), reference)
    return store.write_json(
        f"summaries/curation-{key}.json", {"reference": summary.model_dump(mode="json")}
    )
