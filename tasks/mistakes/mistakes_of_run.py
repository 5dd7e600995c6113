"""Probable errors of a campaign's layer, from its stored labels and best alignments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...data.store.ownership import Folder
from ...data.store.store import Store
from ...metrics.references.adjudication import Decision
from ...metrics.references.mistakes import (
    MIN_ANNOTATORS,
    MOST_CATEGORIES,
    has_enough_annotators,
)
from ...reports import results as page
from ..layer_results import write_results
from ..layers import LayerSpec
from ..node import Node
from ..options import MistakeOptions
from ..references.disagreement_cases import documents_with_places, present_decisions
from ..units.alignment import DissimilaritySpec, alignment_places
from .mistake_tables import NO_TABLES, Tables
from .probable_errors import (
    ListedLabels,
    decider_of_layer,
    label_mistakes,
    labels_at_places,
    unit_mistakes,
)

MOST_LISTED = 200


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
    aligned = documents_with_places(store, keys, layer, dissimilarity or DissimilaritySpec())
    if not has_enough_annotators(labels_at_places(aligned, layer)):
        return _empty_queue(layer, options)
    return unit_mistakes(aligned, layer, layer.distance_matrix(), options, decide, most=most)


def _empty_queue(layer: LayerSpec, options: MistakeOptions) -> page.MistakeQueue:
    return page.MistakeQueue(
        layer=layer.name, at_least=options.at_least, n_annotations=0, n_probable=0, expected=0.0
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
