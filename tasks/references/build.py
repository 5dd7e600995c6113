"""The reference of a layer: built from its annotators by a rule, or taken from a curation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa

from ...data.schema import FRAGMENTS as ARROW_FRAGMENTS
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.item_name import place_of_item
from ...reports import results as page
from ..analysis import jobs_by_document
from ..layer_results import write_results
from ..layers import LayerSpec
from ..node import Job, Node
from ..stored_annotations import label_rows, matrix_of_rows, stored_continua
from ..units.alignment import DissimilaritySpec, alignment_places
from .consensus import consensus_reference
from .disagreement_cases import audit_labels, gold_annotator_labels, human_labels
from .object_reference import RULES_OF_EQUAL_LABELS, objects_reference
from .reference_labels import labels_reference
from .reference_settings import MOST_LISTED, BuiltReference, ReferenceSettings
from .reference_units import units_reference
from .release import release_reference
from .soft_reference import build_soft_labels, check_label_model, release_soft_labels

RELEASED = "released"  # folder below the place of a reference
LABEL_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("item", pa.string()),
        ("annotator", pa.string()),
        ("label", pa.string()),
        ("predicted_agreement", pa.float64()),
    ]
)
AUDITED_ROWS = LABEL_ROWS.append(pa.field("confidence", pa.float64()))
OBJECT_ROWS = LABEL_ROWS.remove(4).append(pa.field("distance", pa.float64()))
UNIT_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("start_offset", pa.int64()),
        ("end_offset", pa.int64()),
        ("category", pa.string()),
        ("fragments", ARROW_FRAGMENTS),
        ("support", pa.int64()),
        ("confidence", pa.float64()),
    ]
)
CONSENSUS_ROWS = UNIT_ROWS.append(pa.field("start_confidence", pa.float64())).append(
    pa.field("end_confidence", pa.float64())
)
OPEN_ROWS = pa.schema(
    [
        ("document", pa.string()),
        ("place", pa.int64()),
        ("start_offset", pa.int64()),
        ("end_offset", pa.int64()),
    ]
)
DOCUMENT_ROWS = pa.schema([("document", pa.string())])


@dataclass(frozen=True, slots=True)
class ReferenceRule:
    """How the reference of a layer is built from its annotators."""

    layer: LayerSpec
    dissimilarity: DissimilaritySpec | None
    settings: ReferenceSettings


def reference_node(keys: Sequence[str], rule: ReferenceRule) -> Node:
    """Return the node of the reference of a layer, built from all shards.

    Its place holds the fields of the results, the tables that scoring reads, and the files to be
    released (`copy_released_files`). Raises MetricsError for a rule that the layer does not allow.
    """
    inputs = [[key, *alignment_places([key], rule.layer, rule.dissimilarity)] for key in keys]
    return Node(Folder.REFERENCES, inputs, rule, _build_reference, _jobs_by_document)


def _jobs_by_document(
    store: Store, rule: ReferenceRule, inputs: Sequence[Sequence[str]]
) -> Iterator[Job]:
    for key, *aligned in inputs:
        build = partial(_build_alone, [key, *aligned], rule)
        yield from jobs_by_document(store, key, aligned, build)


def _build_alone(of_shard: Sequence[str], rule: ReferenceRule, alone: Store) -> None:
    _build_reference(alone, "alone", rule, [of_shard])


def _build_reference(
    store: Store, place: str, rule: ReferenceRule, inputs: Sequence[Sequence[str]]
) -> None:
    keys = [one[0] for one in inputs]
    layer, settings = rule.layer, rule.settings
    if settings.annotator is not None and settings.annotator not in layer.humans:
        raise MetricsError(
            f"reference.annotator: {settings.annotator!r} is not a human annotator of layer "
            f"{layer.name!r} ({', '.join(layer.humans) or 'none'}); name one of them, or give "
            "a curation the role 'reference' instead"
        )
    if settings.gold not in layer.references:
        settings = replace(settings, gold=None)
    measure = rule.dissimilarity or DissimilaritySpec()
    released = f"{place}/{RELEASED}"
    if layer.objects is not None and settings.rule not in RULES_OF_EQUAL_LABELS:
        labels, schema = human_labels(store, keys, layer), OBJECT_ROWS
        built = objects_reference(labels, layer.name, layer.objects, settings)
    elif layer.objects is not None:
        labels, schema = human_labels(store, keys, layer), LABEL_ROWS
        built = labels_reference(labels, layer.without_distance(), settings)
    elif layer.is_labels:
        gold = gold_annotator_labels(store, keys, layer, settings.gold)
        audit = audit_labels(store, keys, layer)
        labels, schema = human_labels(store, keys, layer), AUDITED_ROWS if audit else LABEL_ROWS
        built = labels_reference(labels, layer, settings, gold, audit)
        _add_soft(store, labels, built, settings, released)
    elif settings.rule == "consensus":
        built, schema = consensus_reference(store, keys, layer, measure, settings), CONSENSUS_ROWS
    else:
        built, schema = units_reference(store, keys, layer, measure, settings), UNIT_ROWS
    table = pa.Table.from_pylist([row._asdict() for row in built.rows], schema)
    documents = pa.table({"document": pa.array(built.documents, pa.string())}, DOCUMENT_ROWS)
    store.write_table(f"{place}/reference.parquet", table)
    open_ = pa.Table.from_pylist([row._asdict() for row in built.open_places], OPEN_ROWS)
    store.write_table(f"{place}/documents.parquet", documents)
    store.write_table(f"{place}/open.parquet", open_)
    store.write_table(f"{released}/reference.parquet", table)
    release_reference(store, keys, layer, built, settings, released)
    write_results(store, place, page.LayerResults(references=[built.summary], place=place))


def copy_released_files(store: Store, place: str, folder: str) -> None:
    """Copy the files to be released from the place of a reference below the folder."""
    released = f"{place}/{RELEASED}"
    for path in store.list(released):
        content = store.content(path)
        assert content is not None  # it was just listed
        store.write_bytes(f"{folder}{path.removeprefix(released)}", content)


def _add_soft(
    store: Store,
    matrix: LabelMatrix,
    built: BuiltReference,
    settings: ReferenceSettings,
    folder: str,
) -> None:
    """Release the requested distributions, and check the model if one was fitted."""
    found: dict[str, object] = {}
    if settings.soft is not None:
        soft, found["soft"] = build_soft_labels(matrix, settings.soft, settings.sampling)
        release_soft_labels(store, soft, folder)
    if "dawid_skene" in (settings.rule, settings.soft):
        check, warnings = check_label_model(matrix, settings.sampling.seed)
        found |= {"model_check": check.p_value, "warnings": [*built.summary.warnings, *warnings]}
    built.summary = built.summary.model_copy(update=found)


@dataclass(frozen=True, slots=True)
class Curation:
    """A curation of a layer: the annotator with the role of a reference."""

    layer: LayerSpec
    reference: str


def curation_node(keys: Sequence[str], curation: Curation) -> Node:
    """Return the node that summarises the coverage of a curation."""
    return Node(Folder.SUMMARISED, tuple(keys), curation, _summarise_curation)


def _summarise_curation(store: Store, place: str, curation: Curation, keys: Sequence[str]) -> None:
    layer, reference = curation.layer, curation.reference
    if layer.is_labels:
        columns = [reference, *layer.humans]
        rows = pa.concat_tables([label_rows(store, key, layer, columns) for key in keys])
        matrix = matrix_of_rows(rows, layer, columns, "reference")
        n_items, n_resolved = matrix.n_items, int((matrix.codes[:, 0] >= 0).sum())
        open_ = [matrix.items[i] for i in np.nonzero(matrix.codes[:, 0] < 0)[0].tolist()]
        unresolved = [", ".join(place_of_item(name)) for name in open_]
        warnings = []
    else:
        annotated, curated, n_units = set(), set(), 0
        for key in keys:
            found = stored_continua(store, key, layer, layer.humans, "human")
            annotated |= {document for document, _, _ in found}
            for document, continuum, _ in stored_continua(
                store, key, layer, [reference], "reference"
            ):
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
    write_results(store, place, page.LayerResults(references=[summary]))
