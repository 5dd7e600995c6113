"""`accordeur estimate`: what a corpus contains, from exports of labels of systems and humans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...data.coded import Coded
from ...data.errors import DataError
from ...data.in_memory.labels import LabelTable, UnitsOnlyError
from ...data.option_names import format_options, option
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.arrays import Flags
from ...reports import results as page
from ..annotation_rounds import items_drawn_at_random
from ..inputs.assessment_options import EstimateOptions
from ..inputs.data_warnings import warnings_on_reading
from ..inputs.export_results import ExportSummary
from ..inputs.informative_labels import read_queue
from ..inputs.reading_options import Reading
from ..items.agree import (
    categories_of_tables,
    is_number,
    matrix_of_table,
    read_label_table,
    tally_labels,
)
from .corpus_estimates import estimate_corpus, estimate_warnings
from .corpus_labels import CorpusLabels, corpus_labels


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
    table = _read(paths, systems, reading)
    chosen = _chosen(table, systems)
    earlier = None if before is None else _read(before, chosen, reading)
    tables = [table] if earlier is None else [table, earlier]
    tagset = reading.tagset or categories_of_tables(tables)
    matrix, labels = _labels(table, tagset, chosen, reading, options)
    _check_names(matrix, labels)
    if not (labels.is_whole or options.audit_is_random or options.queue):
        raise DataError(
            "nothing says that the audited items were drawn at random, so they say nothing about "
            f"the others: state it with {option('audit_is_random')}, or give the queue of "
            f"`accordeur next` that drew them with {option('queue')}"
        )
    account = table.account()
    tally_labels(account.tally, table, fewest=1)
    found = estimate_corpus(
        matrix,
        labels,
        options,
        None
        if earlier is None
        else _labels(earlier, tagset, chosen, reading, replace(options, queue=None))[1],
        random_by="recorded" if options.queue else "declared",
    )
    return ExportSummary(
        found,
        account.rows,
        account.rejected,
        [*warnings_on_reading(table.notes, list(labels.annotators)), *estimate_warnings(found)],
    )


def _read(paths: Given | Sequence[Given], systems: Sequence[str], reading: Reading) -> LabelTable:
    roles = {**reading.roles, **dict.fromkeys(systems, Role.SYSTEM)}
    try:
        table = read_label_table(paths, replace(reading, roles=roles), with_systems=True)
    except UnitsOnlyError:
        raise DataError(
            "the exports hold units: numbers of units are not estimated, because the interval of "
            "a mean of counts covers too little after an audit of few documents"
        ) from None
    if table.sets:
        raise DataError(
            "items have several labels, and a share is estimated of one label an item: give each "
            "label a layer of its own, with yes or no for every item"
        )
    return table


def _chosen(table: LabelTable, systems: Sequence[str]) -> list[str]:
    """Return the systems to estimate from. Raises DataError without any, and for unknown ones."""
    for name in systems:
        if name not in table.systems:
            known = ", ".join(sorted(Coded.of(table.annotators).texts_in_use()))
            raise DataError(
                f"{option('system')} {name}: no label of {name!r}; the annotators are {known}"
            )
    if not table.systems:
        raise DataError(f"there is no system among the annotators: name it with {option('system')}")
    return list(dict.fromkeys(systems)) or list(table.systems)


def _labels(
    table: LabelTable,
    tagset: Sequence[str],
    systems: Sequence[str],
    reading: Reading,
    options: EstimateOptions,
) -> tuple[LabelMatrix, CorpusLabels]:
    matrix = matrix_of_table(table, tagset)
    roles = tuple(
        Role.SYSTEM.value if name in table.systems else HUMAN for name in matrix.annotators
    )
    matrix = replace(matrix, roles=roles)
    drawn = None if options.queue is None else _drawn(table, matrix, Path(options.queue))
    ordered = bool(reading.tagset) or all(map(is_number, tagset))
    if HUMAN not in roles:
        raise DataError("no human labelled an item: the audit is empty")
    return matrix, corpus_labels(matrix, systems, options.target, ordered=ordered, drawn=drawn)


def _check_names(matrix: LabelMatrix, labels: CorpusLabels) -> None:
    """Raise DataError if no system labelled an audited item, with the names that do not agree."""
    is_audited = labels.human >= 0
    is_labelled = np.any([codes >= 0 for codes in labels.systems.values()], axis=0)
    if not is_audited.any() or (is_audited & is_labelled).any():
        return
    audited, others = (
        [matrix.items[i].rpartition("/")[2] for i in np.flatnonzero(some).tolist()]
        for some in (is_audited, is_labelled)
    )
    if matrix.documents is not None and not set(others).isdisjoint(audited):
        why = (
            "the names are of items in other documents, and a file without a column `document` is "
            "a document of its own; if each file is one annotator’s, use "
            f"{format_options(file='annotator')}"
        )
    else:
        why = f"their names differ, such as {audited[0]!r} and {others[0]!r}"
    raise DataError(
        f"{', '.join(labels.systems)} labelled none of the {len(audited):,} audited items: {why}"
    )


def _drawn(table: LabelTable, matrix: LabelMatrix, queue: Path) -> Flags:
    """Return which items a queue drew at random. Raises DataError if it drew none of them."""
    with_documents = table.documents is not None
    drawn = {
        (document if with_documents else "", item)
        for _, document, item in items_drawn_at_random(read_queue(queue))
    }
    homes = table.documents or [""] * len(table.items)
    keys = dict.fromkeys(zip(homes, table.items, strict=True))  # in the order of the matrix
    found = np.fromiter((key in drawn for key in keys), np.bool_, len(keys))
    if not found.any():
        raise DataError(f"{queue.name}: the queue drew none of these items at random")
    assert len(found) == matrix.n_items
    return found
