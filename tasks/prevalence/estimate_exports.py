"""`accordeur estimate`: what a corpus contains, from exports of labels of systems and humans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.option_names import option
from ...data.readers.annotator_folders import path_option
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.label_matrix import LabelMatrix, sort_categories
from ...metrics.arrays import Flags
from ...metrics.item_name import place_of_item
from ...reports import results as page
from ..agreement.humans_and_systems import labels_of_humans_and_systems
from ..inputs.assessment_options import EstimateOptions
from ..inputs.exported_labels import ExportedLabels, UnitsOnlyError, read_exported_labels
from ..inputs.informative_labels import read_queue
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportSummary
from ..intake.layer_contents import OF_SCORES
from ..layers import LayerSpec
from ..queues_of_rounds import items_drawn_at_random
from .corpus_estimates import estimate_corpus, estimate_warnings
from .corpus_labels import CorpusLabels, corpus_labels, with_scale


def estimate_in_exports(
    paths: Given | Sequence[Given],
    systems: Sequence[str],
    reading: Reading,
    options: EstimateOptions,
    *,
    before: Given | Sequence[Given] | None = None,
) -> ExportSummary[page.CorpusEstimates]:
    """Estimate what a corpus contains from a system's labels on it and a human audit.

    systems  names; none: those that the export or `reading` has as systems
    before   exports of an earlier batch, with the same systems and an audit of its own

    Raises DataError if nothing says that the audit is random, for a system without labels, for
    items with several labels, and for units.
    """
    labels = _read(paths, systems, reading)
    chosen = _chosen(labels, systems)
    earlier = None if before is None else _read(before, chosen, reading)
    layers = _layers(labels, earlier, reading)
    matrix, own = _corpus(labels, layers[0], chosen, reading, options)
    _check_names(matrix, own)
    if not (own.is_whole or options.audit_is_random or options.queue):
        raise DataError(
            "nothing says that the audited items were drawn at random, so they say nothing about "
            f"the others: state it with {option('audit_is_random')}, or give the queue of "
            f"`accordeur next` that drew them with {option('queue')}"
        )
    account = labels.account(fewest=1)
    since = None
    if earlier is not None:
        _, since = _corpus(earlier, layers[1], chosen, reading, replace(options, queue=None))
    found = estimate_corpus(
        matrix, own, options, since, random_by="recorded" if options.queue else "declared"
    )
    return ExportSummary(
        found,
        account.rows,
        account.rejected,
        [*labels.warnings(distance=None), *estimate_warnings(found)],
    )


def _read(
    paths: Given | Sequence[Given], systems: Sequence[str], reading: Reading
) -> ExportedLabels:
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    try:
        labels = read_exported_labels(paths, replace(reading, roles=roles))
    except UnitsOnlyError:
        raise DataError(
            "the exports hold units: numbers of units are not estimated, because the interval of "
            "a mean of counts covers too little after an audit of few documents"
        ) from None
    if labels.contents.holds_sets(OF_SCORES):
        raise DataError(
            "items have several labels, and a share is estimated of one label an item: give each "
            "label a layer of its own, with yes or no for every item"
        )
    return labels


def _chosen(labels: ExportedLabels, systems: Sequence[str]) -> list[str]:
    """Return the systems to estimate from. Raises DataError without any, and for unknown ones."""
    layer = labels.layer
    for name in systems:
        if name not in layer.systems:
            known = ", ".join(sorted(layer.humans_and_systems))
            raise DataError(
                f"{option('system')} {name}: no label of {name!r}; the annotators are {known}"
            )
    if not layer.systems:
        raise DataError(f"there is no system among the annotators: name it with {option('system')}")
    return list(dict.fromkeys(systems)) or list(layer.systems)


def _layers(
    labels: ExportedLabels, earlier: ExportedLabels | None, reading: Reading
) -> list[LayerSpec]:
    """Return the layer of each batch, with the categories of all of them."""
    every = [labels] if earlier is None else [labels, earlier]
    found = {name for one in every for name in one.contents.tagset(OF_SCORES)}
    tagset = reading.categories or sort_categories(found)
    return [LayerSpec.of(one.contents, declared=tagset, roles=OF_SCORES) for one in every]


def _corpus(
    labels: ExportedLabels,
    layer: LayerSpec,
    systems: Sequence[str],
    reading: Reading,
    options: EstimateOptions,
) -> tuple[LabelMatrix, CorpusLabels]:
    if not layer.humans:
        raise DataError("no human labelled an item: the audit is empty")
    matrix = labels_of_humans_and_systems(labels.shard.store, labels.shard.key, layer)
    if not labels.names_documents:
        matrix = replace(matrix, documents=None)
    drawn = None if options.queue is None else _drawn(labels, matrix, Path(options.queue))
    ordered = bool(reading.categories) or with_scale(layer)
    return matrix, corpus_labels(matrix, systems, options.target, ordered=ordered, drawn=drawn)


def _check_names(matrix: LabelMatrix, labels: CorpusLabels) -> None:
    """Raise DataError if no system labelled an audited item, with the names that do not agree."""
    is_audited = labels.human >= 0
    is_labelled = np.any([codes >= 0 for codes in labels.systems.values()], axis=0)
    if not is_audited.any() or (is_audited & is_labelled).any():
        return
    audited, others = (
        [place_of_item(matrix.items[i])[1] for i in np.flatnonzero(some).tolist()]
        for some in (is_audited, is_labelled)
    )
    if matrix.documents is not None and not set(others).isdisjoint(audited):
        why = (
            "the names are of items in other documents, and a file without a column `document` is "
            "a document of its own; if each file is one annotator’s, use "
            f"{path_option('{annotator}')}"
        )
    else:
        why = f"their names differ, such as {audited[0]!r} and {others[0]!r}"
    raise DataError(
        f"{', '.join(labels.systems)} labelled none of the {len(audited):,} audited items: {why}"
    )


def _drawn(labels: ExportedLabels, matrix: LabelMatrix, queue: Path) -> Flags:
    """Return which items a queue drew at random. Raises DataError if it drew none of them.

    Of exports that are one document, its name in the queue does not matter.
    """
    is_named = labels.names_documents
    drawn = {
        (document if is_named else "", item)
        for _, document, item in items_drawn_at_random(read_queue(queue))
    }
    names = (place_of_item(name) for name in matrix.items)
    keys = ((document if is_named else "", item) for document, item in names)
    found = np.fromiter((key in drawn for key in keys), np.bool_, matrix.n_items)
    if not found.any():
        raise DataError(f"{queue.name}: the queue drew none of these items at random")
    return found
