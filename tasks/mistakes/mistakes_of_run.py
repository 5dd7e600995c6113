"""Probable errors of a campaign's layer, from its stored labels and best alignments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from ...data.store.in_memory import Tables as TablesByPath
from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Floats
from ...metrics.reference.adjudication import Decision
from ...metrics.reference.disagreement_cases import case_key, labels_of_item
from ...metrics.reference.label_list import LabelList
from ...metrics.reference.mistakes import (
    MIN_ANNOTATORS,
    MOST_CATEGORIES,
    find_mistakes,
    has_enough_annotators,
)
from ...metrics.reference.place_labels import exclusive_labels, place_distances, place_labels
from ...reports import results as page
from ..item_names import split_item
from ..layer_results import write_results
from ..layers import LayerSpec
from ..node import Node
from ..options import MistakeOptions
from ..references.cases import aligned_documents, present_decisions
from ..stored_annotations import label_rows, matrix_of_rows, stored_continua
from ..units.alignment import DissimilaritySpec, alignment_places
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

MOST_LISTED = 200
SYSTEM = "system"


def can_have_queue(layer: LayerSpec) -> bool:
    """Whether the layer has at least three annotators, and not too many categories."""
    width = len(layer.labels() or layer.tagset) if layer.is_labels else len(layer.tagset) + 3
    return len(layer.humans) >= MIN_ANNOTATORS and 2 <= width <= MOST_CATEGORIES


def mistakes_of_layer(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    dissimilarity: DissimilaritySpec | None,
    options: MistakeOptions,
    decisions: Sequence[Decision] = (),
    tables: Tables = NO_TABLES,
    *,
    most: int | None = MOST_LISTED,
    with_references: bool = True,
) -> page.MistakeQueue:
    """Return the probable errors of a layer, and the decisions on them.

    tables  verdicts and audited items, for a layer of labels
    most    maximum number to list; None: all
    with_references  whether annotators with the role of a reference decide, too
    """
    decide = decider_of_layer(store, keys, layer, decisions, with_references=with_references)
    if layer.is_labels:
        listed = ListedLabels.of_layer(store, keys, layer, with_systems=options.with_systems)
        if not has_enough_annotators(listed.labels):
            return _empty_queue(layer, options)
        return label_mistakes(listed, layer, options, decide, tables, most=most)
    aligned = [
        (document, continuum, alignment)
        for _, document, continuum, alignment in aligned_documents(
            store, keys, layer, dissimilarity or DissimilaritySpec()
        )
        if alignment is not None and alignment.units.shape[0]
    ]
    if not has_enough_annotators(_labels_of_places(aligned, layer)):
        return _empty_queue(layer, options)
    return unit_mistakes(aligned, layer, layer.distance_matrix(), options, decide, most=most)


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
    labels, width = _labels_of_places(aligned, layer), len(layer.tagset)
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


def _labels_of_places(aligned: Sequence[AlignedDocument], layer: LayerSpec) -> LabelList:
    return place_labels([(continuum, one) for _, continuum, one in aligned], layer.humans)


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
        return cls(matrix, _label_list(matrix, roles), len(layer.humans))

    def place(self, row: int, layer: str) -> Place:
        document, item = split_item(self.matrix.items[row])
        of_humans = self.matrix.select_annotators(range(self.n_humans))
        given = labels_of_item(of_humans, row).values()
        return Place(document, item, case_key(layer, document, item, given))


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
        items = {split_item(name): row for row, name in enumerate(listed.matrix.items)}
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


def _empty_queue(layer: LayerSpec, options: MistakeOptions) -> page.MistakeQueue:
    return page.MistakeQueue(
        layer=layer.name, at_least=options.at_least, n_annotations=0, n_probable=0, expected=0.0
    )


def _label_list(matrix: LabelMatrix, roles: tuple[str, ...]) -> LabelList:
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


@dataclass(frozen=True, slots=True)
class MistakeSearch:
    """What the probable errors of a layer depend on; see `mistakes_of_layer`."""

    layer: LayerSpec
    dissimilarity: DissimilaritySpec | None
    options: MistakeOptions
    decisions: tuple[Decision, ...] = ()
    tables: Tables = NO_TABLES
    other_names: Mapping[str, str] = field(default_factory=dict)


def mistakes_node(keys: Sequence[str], search: MistakeSearch) -> Node:
    """Return the node that lists the probable errors of a layer."""
    aligned = alignment_places(keys, search.layer, search.dissimilarity)
    return Node(Folder.SUMMARISED, (tuple(keys), aligned), search, _list_mistakes)


def _list_mistakes(
    store: Store, place: str, search: MistakeSearch, inputs: tuple[Sequence[str], Sequence[str]]
) -> None:
    layer, keys = search.layer, inputs[0]
    decisions = present_decisions(
        store, keys, layer, search.dissimilarity, search.decisions, search.other_names
    )
    found = mistakes_of_layer(
        store, keys, layer, search.dissimilarity, search.options, decisions, search.tables
    )
    write_results(store, place, page.LayerResults(mistakes=[found]))
