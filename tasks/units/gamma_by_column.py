"""`accordeur gamma --by COLUMN`: a measure of the units with each value of a column."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from ...data.errors import DataError
from ...data.joined_names import joined_name, named_part
from ...data.option_names import option
from ...data.readers.base import SourceOptions
from ...data.readers.tables.given import Given, GivenTable
from ...data.readers.tables.joined_columns import joined_texts, named_columns
from ...data.readers.tables.options import TableOptions
from ...data.readers.tables.reader import SUFFIXES, open_table
from ...metrics.coded_warning import CodedWarning, Figures
from ...metrics.errors import MetricsError
from ...metrics.estimate import Estimate
from ...metrics.measures import measure_of
from ...metrics.reason import Reason, ReasonCode
from ..agreement.agree_by_column import no_column_sentence
from ..inputs.part_kind import PartKind
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import ExportResults
from ..inputs.unit_options import GammaOptions
from .gamma_of_exports import gamma, gamma_with_alignments

_OF_FILES = ("delimiter", "encoding", "sheet")  # options that say how a file is opened


def gammas_by(
    paths: Sequence[Given], reading: Reading, options: GammaOptions, by: str
) -> ExportResults:
    """Compute each of several measures (commas) as `gamma_by`, in their order."""
    names = options.measure.split(",")
    alone = [one for one in names if measure_of(one).by_category]
    if alone and len(names) > 1:
        raise MetricsError(f"{alone[0]} has a value for each category: measure it alone")
    first, *others = [
        gamma_by(paths, reading, replace(options, measure=one), by) for one in dict.fromkeys(names)
    ]
    for one in others:
        further = [remark for remark in one.remarks if remark not in first.remarks]
        first = replace(
            first,
            estimates=[*first.estimates, *one.estimates],
            parts=[*first.parts, *one.parts],
            remarks=[*first.remarks, *further],
            error_costs=[*first.error_costs, *one.error_costs],
            explained=[*first.explained, *one.explained],
        )
    return first


def gamma_by(
    paths: Sequence[Given], reading: Reading, options: GammaOptions, by: str
) -> ExportResults:
    """Compute the measure of all units, and of parts: a `PartKind`, or the values of a column.

    The units with a value are measured alone, on the documents that have such a row. Raises
    DataError without the column, MetricsError as `gamma`.
    """
    if not by or by in [*PartKind]:
        return gamma(paths, reading, options, PartKind(by) if by else None)
    if measure_of(options.measure).by_category:
        raise MetricsError(
            f"{option('by', by)}: {options.measure} has a value for each category already"
        )
    opened = {name: own for name, own in reading.options.items() if name in _OF_FILES}
    others = {name: own for name, own in reading.options.items() if name not in _OF_FILES}
    written = SourceOptions(extra=opened).of_format(TableOptions)
    tables = [_in_memory(one, written) for one in paths]
    reading = replace(reading, format="table", options=others)
    whole = gamma(tables, reading, options)
    parts: dict[str, list[GivenTable]] = {}
    for table in tables:
        for value, rows in _rows_by_value(table, by).items():
            parts.setdefault(value, []).append(rows)
    found = [(value, _of_part(parts[value], reading, options)) for value in sorted(parts)]
    of_documents = by == reading.options.get("document", "document")
    beside = _beside_the_whole(whole.estimates[0], [one for _, one in found], of_documents)
    remarks = [*whole.remarks, *beside]
    names = joined_name([one.strip() for one in by.split(",")])
    return replace(whole, by=names, parts=found, remarks=remarks)


def _beside_the_whole(
    whole: Estimate, parts: Sequence[Estimate], of_documents: bool
) -> list[CodedWarning]:
    """Explain why documents have other values than in a report, and why all parts are on one side.

    That is above the value of all units, or below it.
    """
    above = [one.value > whole.value for one in parts if not math.isnan(one.value)]
    if len(above) < 2 or math.isnan(whole.expected):
        return []
    if of_documents:
        return [CodedWarning("documents_alone")]
    if len({*above}) > 1:
        return []
    figures: Figures = {"measure": whole.measure, "value": whole.value}
    return [CodedWarning("parts_beside_whole", figures)]


def _of_part(tables: Sequence[GivenTable], reading: Reading, options: GammaOptions) -> Estimate:
    try:
        return gamma_with_alignments(tables, reading, options).found.estimates[0]
    except MetricsError:  # no document with two annotators
        return Estimate(options.measure, float("nan"), Reason(ReasonCode.ONE_ANNOTATOR))


def _in_memory(given: Given, written: TableOptions) -> GivenTable:
    """Return the rows of a table. Raises DataError for an export that is none."""
    if isinstance(given, GivenTable):
        return given
    if not isinstance(given, Path) or given.suffix.lower() not in SUFFIXES:
        raise DataError(f"{given}: {option('by')} takes {', '.join(PartKind)}: it has no columns")
    return table_in_memory(given, written)


def table_in_memory(given: Path, written: TableOptions) -> GivenTable:
    """Return the rows of a tabular file as texts. Raises DataError if it cannot be read."""
    file = open_table(given, written)
    columns: list[list[object]] = [[] for _ in file.header]
    for batch in file.batches:
        for k, cells in enumerate(columns):
            cells += batch.column(k)
    arrays = [pa.array([None if one is None else str(one) for one in cells]) for cells in columns]
    return GivenTable(pa.table(arrays, names=list(file.header)), given.name)


def _rows_by_value(table: GivenTable, column: str) -> dict[str, GivenTable]:
    """Return the rows with each value of the column, or of several that are crossed."""
    names = table.columns.column_names
    chosen = named_columns(column, names)
    if not chosen:
        raise DataError(no_column_sentence(column, names))
    texts = [table.columns[one].combine_chunks().fill_null("") for one in chosen]
    cells = np.array(joined_texts(texts).to_pylist(), dtype=object)
    return {
        named_part(value, column): table.of_rows(pa.array(cells == value))
        for value in dict.fromkeys(cells)
    }
