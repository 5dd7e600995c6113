"""The labels of an export in the order of its rows, for tests of reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accordeur.data.readers.tables.given import Given
from accordeur.data.schema import Rejected
from accordeur.tasks.inputs.exported_labels import MeasuredLabels, read_exported_labels
from accordeur.tasks.inputs.reading_options import Reading
from accordeur.tasks.stored_annotations import label_rows


@dataclass(frozen=True)
class ReadLabels:
    """One entry per label of a human; documents: None if the file is the only document."""

    items: list[str]
    annotators: list[str]
    labels: list[str]
    documents: list[str] | None
    rejected: list[Rejected]


def read_labels(
    paths: Given | Sequence[Given], *, options: Mapping[str, str] | None = None, **reading: Any
) -> ReadLabels:
    found = read_exported_labels(paths, Reading(options=dict(options or {}), **reading))
    shard, layer = found.shard, found.layer
    rows = label_rows(shard.store, shard.key, layer, layer.humans)
    columns = (rows[name].to_pylist() for name in ("item", "annotator", "label", "document"))
    items, annotators, labels, documents = columns
    named = documents if found.names_documents else None
    return ReadLabels(items, annotators, labels, named, shard.rejected)


def measured_labels(path: Given, reading: Reading | None = None) -> MeasuredLabels:
    return MeasuredLabels(read_exported_labels(path, reading or Reading()))
