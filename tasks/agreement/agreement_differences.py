"""`accordeur agree --against`: compare two annotations of the same items, or two campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...data.arrow_columns import column
from ...data.errors import DataError
from ...data.label_sets import labels_of_set_name, set_members
from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...data.row_account import RowAccount
from ...data.schema import Rejected
from ...metrics.agreement.coefficient_difference import bootstrap_difference, paired_difference
from ...metrics.agreement.coefficients import compute_coefficient, distance_name
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import LabelMatrix, sort_categories
from ...metrics.arrays import Ints
from ...metrics.coded_warning import CodedWarning
from ...metrics.errors import MetricsError
from ...metrics.options import IntervalKind
from ...metrics.signature import How, IntervalMethod, input_hash
from ..inputs.exported_labels import ExportedLabels, read_exported_labels
from ..inputs.label_options import LabelOptions
from ..inputs.measure_difference import MeasureDifference
from ..inputs.name_warnings import warnings_on_names_of_export
from ..inputs.reading_options import Reading
from ..inputs.results_of_exports import warnings_json
from ..item_names import documents_and_items
from .agree import DEFAULT_OPTIONS, DEFAULT_READING, default_measures


@dataclass(frozen=True, slots=True)
class Differences:
    """Result of comparing two annotations; `rows` has the account of each side."""

    compared: list[MeasureDifference]
    rows: tuple[RowAccount, RowAccount]
    rejected: list[Rejected]
    warnings: list[CodedWarning]

    def as_json(self) -> dict[str, Any]:
        first, second = (one.as_json() for one in self.rows)
        return {
            "differences": differences_json(self.compared),
            "rows": {"first": first, "second": second},
            "rejected": [asdict(row) for row in self.rejected],
            "warnings": warnings_json(self.warnings),
        }


def agree_against(
    first: Given,
    second: Given,
    reading: Reading = DEFAULT_READING,
    options: LabelOptions = DEFAULT_OPTIONS,
    *,
    independent: bool = False,
) -> Differences:
    """Compare each coefficient of two tables, with an interval and a p-value of the difference.

    By default, items are paired by name (and document), as for two versions of a guideline or two
    teams. With `independent`, the two campaigns share nothing. With `options.analytic`, Gwet's
    paired test replaces the bootstrap. Raises DataError and MetricsError.
    """
    if "count" in reading.options:
        raise DataError(
            "--count creates items without names, which cannot be paired with a second table: "
            "remove --against, or give each item its own row"
        )
    require_fixed_annotators(options)
    if options.complete:
        raise MetricsError("--against compares all labels of the two tables: remove --complete")
    if options.analytic and independent:
        raise MetricsError(
            f"the analytic test needs paired items: remove {option('independent')}, or use "
            f"{option('interval', 'bootstrap')}"
        )
    paths = (first, second)
    sides = [read_exported_labels(path, reading, sets=options.sets) for path in paths]
    if any(side.layer.sets for side in sides):
        sides = [side.as_sets() for side in sides]
    for side in sides:
        side.require_two_annotators()
    whole = [side.rows.matrix() for side in sides]
    common, n_left_out = ([None, None], 0) if independent else _common_items(sides, whole)
    kept = [_on_items(*one) for one in zip(whole, common, strict=True)]
    tagset = () if sides[0].layer.sets else reading.categories
    tagset = tagset or _categories_in_use(kept)
    several = all(one.documents_to_resample is not None for one in kept)
    one, two = (_with_tagset(matrix, tagset, with_documents=several) for matrix in kept)
    for path, matrix in zip(paths, (one, two), strict=True):
        if matrix.n_annotators < 2:
            raise DataError(
                f"{path}: one annotator only on the items of both tables; agreement needs two or "
                "more"
            )
    accounts = [
        side.account(common=None if of_side is None else _named(matrix, of_side))
        for side, matrix, of_side in zip(sides, whole, common, strict=True)
    ]
    rejected = rejected_by_side([first], [second], [side.shard.rejected for side in sides])
    distance = options.distance_between_categories(
        tagset, options.measures, tagset_is_declared=bool(reading.categories)
    )
    both = min(one.n_annotators, two.n_annotators), max(one.n_annotators, two.n_annotators)
    chosen = options.measures or default_measures(2 if both == (2, 2) else both[1])
    found = [
        _difference_of(
            measure, one, two, distance, options, independent=independent, n_left_out=n_left_out
        )
        for measure in chosen
    ]
    warnings = _warnings_of_sides(sides, whole, distance, options.distance.name)
    rows = accounts[0].rows, accounts[1].rows
    return Differences(found, rows, rejected, [*warnings_on_comparison(found), *warnings])


def differences_of_parts(
    parts: Sequence[LabelMatrix],
    measures: Sequence[str],
    distance: Distance,
    options: LabelOptions,
) -> list[MeasureDifference]:
    """Compare coefficients of two parts of a table whose items are different, as `--independent`.

    Returns [] for more parts, for parts that share an item or the documents that are resampled,
    and for intervals that no comparison of independent campaigns has.
    """
    if len(parts) != 2 or options.interval != "bootstrap" or not options.replicates:
        return []
    of_documents = all(one.documents_to_resample is not None for one in parts)
    first, second = (
        {home if of_documents else (home, item) for home, item in documents_and_items(one)}
        for one in parts
    )
    if options.complete or first & second or min(one.n_annotators for one in parts) < 2:
        return []
    tagset = parts[0].tagset
    one, two = (_with_tagset(matrix, tagset, with_documents=of_documents) for matrix in parts)
    return [
        _difference_of(measure, one, two, distance, options, independent=True)
        for measure in measures
    ]


def _difference_of(
    measure: str,
    one: LabelMatrix,
    two: LabelMatrix,
    distance: Distance,
    options: LabelOptions,
    *,
    independent: bool,
    n_left_out: int = 0,
) -> MeasureDifference:
    arguments: dict[str, Any] = {"measures": (measure, measure), "distance": distance}
    if options.analytic:
        difference = paired_difference(one, two, level=options.confidence_level, **arguments)
    else:
        difference = bootstrap_difference(
            one, two, **arguments, **options.arguments, paired=not independent
        )
    value_1, value_2 = (compute_coefficient(measure, of, distance=distance) for of in (one, two))
    return MeasureDifference(
        measure,
        value_1.value,
        value_2.value,
        difference,
        (value_1.n_items, value_2.n_items),
        n_left_out,
        How(
            measure=f"difference of {measure}",
            distance=distance_name(distance, one.tagset),
            interval=IntervalMethod(difference.method, difference.over, difference.level),
            prior=difference.prior,
            replicates=None if options.analytic else options.replicates,
            seed=None if options.analytic else options.seed,
            first=input_hash([one.codes, *one.annotators]),
            second=input_hash([two.codes, *two.annotators]),
        ),
    )


def require_fixed_annotators(options: IntervalKind) -> None:
    """Raise MetricsError where a comparison is to take annotators as a sample."""
    if options.interval == "annotators":
        raise MetricsError(
            "a comparison of two annotations treats their annotators as fixed: remove "
            f"{option('interval', 'annotators')}"
        )


def warnings_on_comparison(compared: Sequence[MeasureDifference]) -> list[CodedWarning]:
    """Warn of equal annotations, and of items or documents that only one side has."""
    if not compared:
        return []
    are_equal = all(one.how.first == one.how.second for one in compared)
    found = [CodedWarning("nothing_changed")] if are_equal else []
    n = compared[0].n_left_out
    if not n:
        return found
    if compared[0].n_documents is None:
        return [*found, CodedWarning("not_in_both", {"n_items": n})]
    return [
        *found,
        CodedWarning("not_in_both", {"n_documents": n}, ("warning.documents_not_in_both",)),
    ]


def rejected_by_side(
    first: Sequence[Given], second: Sequence[Given], rejected: Sequence[Sequence[Rejected]]
) -> list[Rejected]:
    """Return the rejected rows of both sides, with the side if file names may be ambiguous."""
    alike = {path.name for path in first} & {path.name for path in second}
    if not alike and not any(
        isinstance(path, Path) and path.is_dir() for path in (*first, *second)
    ):
        return [row for rows in rejected for row in rows]
    return [
        replace(row, source=f"{side}: {row.source}")
        for side, rows in zip(("first", "second"), rejected, strict=True)
        for row in rows
    ]


def _common_items(
    sides: Sequence[ExportedLabels], matrices: Sequence[LabelMatrix]
) -> tuple[list[Ints | None], int]:
    """Return the rows of the items that both sides have, in one order, and the number of others.

    Raises DataError if there are none, and if only one side names documents.
    """
    first, second = (side.shard.where for side in sides)
    named = [side.names_documents for side in sides]
    if named[0] != named[1]:
        raise DataError(
            f"only {first if named[0] else second} has a column of documents: items are paired by "
            "document and name, so give it in both tables or in neither"
        )
    rows_of = [
        {document_and_item if named[0] else document_and_item[1]: row
         for row, document_and_item in enumerate(documents_and_items(matrix))}
        for matrix in matrices
    ]  # fmt: skip
    common = sorted(rows_of[0].keys() & rows_of[1].keys())
    if not common:
        raise DataError(
            f"{first} and {second} have no item in common: to compare two campaigns that share "
            f"nothing, add {option('independent')}"
        )
    kept = [np.array([of_side[key] for key in common], dtype=np.int64) for of_side in rows_of]
    return [*kept], len(rows_of[0].keys() ^ rows_of[1].keys())


def _on_items(matrix: LabelMatrix, rows: Ints | None) -> LabelMatrix:
    """Return these items with the annotators who labelled one of them; None: all items."""
    if rows is not None:
        documents = None if matrix.documents is None else matrix.documents[rows]
        matrix = replace(matrix, codes=matrix.codes[rows], documents=documents, items=())
    present = np.flatnonzero((matrix.codes >= 0).any(axis=0)).tolist()
    return matrix.select_annotators(present)


def _named(matrix: LabelMatrix, rows: Ints) -> pa.Table:
    names = [documents_and_items(matrix)[row] for row in rows.tolist()]
    columns = [column([name[k] for name in names], pa.string()) for k in range(2)]
    return pa.table(columns, names=["document", "item"])


def _categories_in_use(matrices: Sequence[LabelMatrix]) -> tuple[str, ...]:
    """Return the categories of both matrices, in order; for sets, their names."""
    found = {
        matrix.tagset[code]
        for matrix in matrices
        for code in np.unique(matrix.codes[matrix.codes >= 0]).tolist()
    }
    sets = any(matrix.members is not None for matrix in matrices)
    return tuple(sorted(found, key=labels_of_set_name)) if sets else sort_categories(found)


def _with_tagset(
    matrix: LabelMatrix, tagset: Sequence[str], *, with_documents: bool
) -> LabelMatrix:
    """Return the matrix with the categories of both sides."""
    number = {category: k for k, category in enumerate(tagset)}
    new = np.array([*(number.get(one, -1) for one in matrix.tagset), -1], dtype=np.int32)
    found = replace(
        matrix,
        codes=new[matrix.codes],
        tagset=tuple(tagset),
        documents=matrix.documents if with_documents else None,
        items=(),
        members=None,
        tags=(),
    )
    if matrix.members is None:
        return found
    labels, members = set_members(found.tagset)
    return replace(found, members=members, tags=labels)


def _warnings_of_sides(
    sides: Sequence[ExportedLabels],
    matrices: Sequence[LabelMatrix],
    distance: Distance,
    distance_name: str,
) -> list[CodedWarning]:
    """Return the warnings of both sides, each once, and names that are alike between the sides."""
    found = [
        warning
        for side, matrix in zip(sides, matrices, strict=True)
        for warning in side.warnings(matrix=matrix, distance=distance, distance_name=distance_name)
    ]
    categories = {name for matrix in matrices for name in matrix.tags or matrix.tagset}
    people = {name for matrix in matrices for name in matrix.annotators}
    found += warnings_on_names_of_export(categories, people)
    return [one for k, one in enumerate(found) if one not in found[:k]]


def differences_json(compared: Sequence[MeasureDifference]) -> list[dict[str, Any]]:
    """Return plain values for JSON: null where undefined."""
    return [one.as_json() for one in compared]
