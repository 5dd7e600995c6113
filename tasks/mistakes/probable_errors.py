"""Probable errors of the annotations of a layer, and who decides whether they are wrong.

Without Prefect, so that a quick look calls the same functions as a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ...data.store.in_memory import Tables as TablesByPath
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Floats
from ...metrics.item_name import place_of_item
from ...metrics.references.adjudication import Decision
from ...metrics.references.disagreement_cases import case_key, labels_of_item
from ...metrics.references.label_list import LabelList
from ...metrics.references.mistakes import (
    find_mistakes,
)
from ...metrics.references.place_labels import exclusive_labels, place_distances, place_labels
from ...reports import results as page
from ..layers import LayerSpec
from ..options import MistakeOptions
from ..stored_annotations import label_rows, matrix_of_rows, stored_continua
from .deciders import (
    Decider,
    decider_by_cases,
    decider_by_labels,
    decider_by_units,
    first_decider,
)
from .mistake_queue import mistake_queue
from .mistake_tables import NO_TABLES, Tables, find_with_judgments
from .places import AlignedDocument, Place, place_namer

SYSTEM = "system"


def decider_of_layer(
    store: TablesByPath,
    keys: Sequence[str],
    layer: LayerSpec,
    decisions: Sequence[Decision] = (),
    *,
    with_references: bool = True,
) -> Decider | None:
    """Return who decides whether an annotation is wrong: the adjudication, then the references."""
    latest = {one.case: one for one in sorted(decisions, key=lambda one: one.when)}
    deciders = _decided_by_references(store, keys, layer) if with_references else []
    if latest:
        by_cases = decider_by_cases(latest, of_units=not layer.is_labels, sets=layer.sets)
        deciders = [by_cases, *deciders]
    return first_decider(deciders) if deciders else None


def _decided_by_references(
    store: TablesByPath, keys: Sequence[str], layer: LayerSpec
) -> list[Decider]:
    """The annotators with the role of a reference, in their order."""
    found: list[Decider] = []
    for name in layer.references:
        if layer.is_labels:
            rows = pa.concat_tables([label_rows(store, key, layer, [name]) for key in keys])
            columns = (rows[column].to_pylist() for column in ("document", "item", "label"))
            labels = {
                (document, item): label for document, item, label in zip(*columns, strict=True)
            }
            found.append(decider_by_labels(labels, sets=layer.sets))
        else:
            units = {
                document: [
                    (start, end, layer.tagset[code] if code >= 0 else "")
                    for start, end, code in zip(
                        one.starts.tolist(), one.ends.tolist(), one.categories.tolist(), strict=True
                    )
                ]
                for key in keys
                for document, one, _ in stored_continua(store, key, layer, [name], "reference")
            }
            found.append(decider_by_units(units))
    return found


@dataclass(frozen=True, slots=True)
class ListedLabels:
    """The labels of humans, and of systems if requested: as a matrix, and as a list."""

    matrix: LabelMatrix
    labels: LabelList
    n_humans: int

    @classmethod
    def of_layer(
        cls, store: TablesByPath, keys: Sequence[str], layer: LayerSpec, *, with_systems: bool
    ) -> ListedLabels:
        systems = layer.systems if with_systems else ()
        names = (*layer.humans, *systems)
        rows = pa.concat_tables([label_rows(store, key, layer, names) for key in keys])
        matrix = matrix_of_rows(rows, layer, names, HUMAN)
        roles = (HUMAN,) * len(layer.humans) + (SYSTEM,) * len(systems)
        return cls(matrix, _labels_of_matrix(matrix, roles), len(layer.humans))

    def place(self, row: int, layer: str) -> Place:
        document, item = place_of_item(self.matrix.items[row])
        humans = self.matrix.annotators[: self.n_humans]
        given = labels_of_item(self.matrix, row)
        of_humans = [given[name] for name in humans if name in given]
        return Place(document, item, case_key(layer, document, item, of_humans))


def _labels_of_matrix(matrix: LabelMatrix, roles: tuple[str, ...]) -> LabelList:
    """Return the labels of the matrix; each label of a set is listed separately."""
    items, annotators = np.nonzero(matrix.codes >= 0)
    codes = matrix.codes[items, annotators].astype(np.int64)
    tagset = matrix.tagset
    if matrix.members is not None:
        entry, codes = np.nonzero(matrix.members[codes])
        items, annotators, tagset = items[entry], annotators[entry], matrix.tags
    return LabelList(
        items, annotators, codes, matrix.n_items, matrix.annotators, tagset, roles=roles
    )


def label_mistakes(
    listed: ListedLabels,
    layer: LayerSpec,
    options: MistakeOptions,
    decide: Decider | None = None,
    tables: Tables = NO_TABLES,
    *,
    most: int | None = None,
) -> page.MistakeQueue:
    """Return the probable errors of labels.

    Raises MetricsError for fewer than three annotators, and for too many categories.
    """
    labels, distances = listed.labels, None
    if not layer.sets:
        distances = layer.direct_distances(np.bincount(labels.codes, minlength=len(layer.tagset)))
    items = {}
    if tables != NO_TABLES:
        items = {place_of_item(name): row for row, name in enumerate(listed.matrix.items)}
    found = find_with_judgments(labels, items, tables, distances)
    return mistake_queue(
        found.labels,
        found.mistakes,
        lambda row: listed.place(row, layer.name),
        layer=layer.name,
        at_least=options.at_least,
        most=most,
        judgments=found.judgments,
        n_audited=found.n_audited,
        decide=decide,
    )


def unit_mistakes(
    aligned: Sequence[AlignedDocument],
    layer: LayerSpec,
    distances: Floats | None,
    options: MistakeOptions,
    decide: Decider | None = None,
    *,
    most: int | None = None,
) -> page.MistakeQueue:
    """Return the probable errors of units, from the best alignment of each document.

    distances  float64 (K, K) between categories; None: nominal

    Raises MetricsError for fewer than three annotators, and for too many categories.
    """
    labels, width = labels_at_places(aligned, layer), len(layer.tagset)
    found = find_mistakes(
        labels, distances=place_distances(distances, width), exclusive=exclusive_labels(width)
    )
    return mistake_queue(
        labels,
        found,
        place_namer(aligned, layer.name),
        layer=layer.name,
        at_least=options.at_least,
        most=most,
        of_units=True,
        decide=decide,
    )


def labels_at_places(aligned: Sequence[AlignedDocument], layer: LayerSpec) -> LabelList:
    return place_labels([(continuum, one) for _, continuum, one in aligned], layer.humans)
