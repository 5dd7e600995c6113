"""`accordeur mistakes`: probable errors in an export of labels or units."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...data.errors import DataError
from ...data.in_memory.labels import LabelTable, UnitsOnlyError
from ...data.label_sets import set_labels
from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...data.schema import Role
from ...data.spreadsheet import csv_text
from ...data.writers.base import write_files
from ...metrics.agreement.label_matrix import HUMAN, sort_categories
from ...metrics.alignment.best_alignment import best_alignment
from ...metrics.reference.label_list import LabelList
from ...metrics.reference.mistakes import find_mistakes
from ...metrics.reference.place_labels import exclusive_labels, place_distances, place_labels
from ...reports import results as page
from ...reports.mistakes import mistake_columns
from ..inputs.assessment_options import MistakeSearchOptions
from ..inputs.data_warnings import warnings_on_reading
from ..inputs.export_results import ExportSummary
from ..inputs.reading_options import Reading
from ..items.agree import read_label_table, require_two_annotators, tally_labels
from ..layers import direct_distances
from ..units.units_of_exports import read_units
from .mistake_queue import mistake_queue
from .mistake_tables import NO_TABLES, Tables, find_with_judgments, read_verdicts_and_audits
from .places import Place, place_namer


def mistakes_in_exports(
    paths: Given | Sequence[Given],
    reading: Reading,
    options: MistakeSearchOptions,
    tables: Tables = NO_TABLES,
) -> ExportSummary[page.MistakeQueue]:
    """Return the annotations of an export that are probably wrong, most probable first.

    tables  verdicts and correct labels, in place of those that the options name

    Raises DataError for invalid tables, MetricsError for fewer than three annotators.
    """
    try:
        table = read_label_table(paths, reading, with_systems=options.with_systems)
    except UnitsOnlyError:
        if options.judgments or options.audited or options.with_systems or tables != NO_TABLES:
            raise DataError(
                f"{option('judgments')}, {option('audited')} and {option('with_systems')} "
                f"are for labels of items; the export "
                "holds units"
            ) from None
        return _unit_mistakes(
            list(paths) if isinstance(paths, Sequence) else [paths], reading, options
        )
    require_two_annotators(paths, table)
    labels, items = _label_list(table, reading.tagset)
    distance = options.distance_between_categories(
        labels.tagset, tagset_is_declared=bool(reading.tagset)
    )
    tables = read_verdicts_and_audits(options) if tables == NO_TABLES else tables
    marginals = np.bincount(labels.codes, minlength=len(labels.tagset))
    distances = direct_distances(distance, labels.tagset, marginals)
    found = find_with_judgments(labels, items, tables, distances)
    names = list(items)
    queue = mistake_queue(
        found.labels,
        found.mistakes,
        lambda row: Place(*names[row], names[row][1]),
        at_least=options.at_least,
        judgments=found.judgments,
        n_audited=found.n_audited,
    )
    account = table.account()
    tally_labels(account.tally, table)
    return ExportSummary(
        queue, account.rows, account.rejected, warnings_on_reading(table.notes, table.annotators)
    )


def _label_list(
    table: LabelTable, tagset: Sequence[str]
) -> tuple[LabelList, dict[tuple[str, str], int]]:
    """Return all labels, and the number of each (document, item); sets give several labels."""
    documents = table.documents or [""] * len(table.items)
    items = dict.fromkeys(zip(documents, table.items, strict=True), 0)
    items = {key: number for number, key in enumerate(items)}
    names = sorted(set(table.annotators))
    column = {name: a for a, name in enumerate(names)}
    given = [set_labels(one) if table.sets else (one,) for one in table.labels]
    tagset = tuple(tagset) or sort_categories({label for one in given for label in one})
    code = {label: k for k, label in enumerate(tagset)}
    rows = [
        (items[document, item], column[annotator], code[label])
        for document, item, annotator, labels in zip(
            documents, table.items, table.annotators, given, strict=True
        )
        for label in labels
    ]
    entries = np.array(rows, dtype=np.int64).reshape(-1, 3)
    entries = entries[np.argsort(entries[:, 0], kind="stable")]
    roles = tuple(Role.SYSTEM.value if name in table.systems else HUMAN for name in names)
    columns = entries[:, 0], entries[:, 1], entries[:, 2]
    return LabelList(*columns, len(items), tuple(names), tagset, roles=roles), items


def _unit_mistakes(
    paths: Sequence[Given], reading: Reading, options: MistakeSearchOptions
) -> ExportSummary[page.MistakeQueue]:
    units = read_units(paths, reading)
    continua, account = units.continua, units.account()
    dissimilarity = options.dissimilarity_for(
        "gamma", continua, tagset_is_declared=bool(reading.tagset)
    )
    aligned = [
        (document, continuum, best_alignment(continuum, dissimilarity))
        for document, continuum, _ in units.documents
        if continuum.n_annotators > 1 and continuum.n_units
    ]
    humans = sorted({name for continuum in continua for name in continuum.annotators})
    labels = place_labels([(continuum, alignment) for _, continuum, alignment in aligned], humans)
    width = len(continua[0].tagset)
    distances = place_distances(dissimilarity.category_distances, width)
    queue = mistake_queue(
        labels,
        find_mistakes(labels, distances=distances, exclusive=exclusive_labels(width)),
        place_namer(aligned),
        at_least=options.at_least,
        of_units=True,
    )
    return ExportSummary(queue, account.rows, account.rejected, units.warnings())


def write_mistake_queue(queue: page.MistakeQueue, path: Path) -> None:
    """Write the list as CSV or Parquet, by suffix. Raises DataError for any other suffix."""
    columns = mistake_columns(queue.mistakes)
    if path.suffix.lower() == ".parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table(columns), path)  # type: ignore[no-untyped-call]
    elif path.suffix.lower() == ".csv":
        rows = [[str(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
        write_files({path: csv_text([list(columns), *rows])})
    else:
        raise DataError(f"{option('to')} {path.name}: give a file that ends in .csv or .parquet")
