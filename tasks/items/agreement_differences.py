"""`accordeur agree --against`: compare two annotations of the same items, or two campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ...data.errors import DataError
from ...data.in_memory.labels import LabelTable
from ...data.option_names import option
from ...data.readers.tables.given import Given
from ...data.row_account import RowAccount
from ...data.schema import ExclusionReason, Rejected
from ...metrics.agreement.coefficient_difference import bootstrap_difference, paired_difference
from ...metrics.agreement.coefficients import compute_coefficient, distance_name
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.coded_warning import CodedWarning
from ...metrics.differences import Difference
from ...metrics.errors import MetricsError
from ...metrics.estimate import json_value
from ...metrics.options import IntervalKind
from ...metrics.reason import reason_fields
from ...metrics.signature import How, IntervalMethod, input_hash
from ..inputs.data_warnings import warnings_on_names_of_export
from ..inputs.export_results import warnings_json
from ..inputs.label_options import LabelOptions
from ..inputs.reading_options import Reading
from .agree import (
    DEFAULT_OPTIONS,
    DEFAULT_READING,
    categories_of_tables,
    default_measures,
    matrix_of_table,
    read_label_table,
    require_two_annotators,
    tally_labels,
)


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """One measure of both annotations and its difference, first minus second.

    n_items      number of items or units on each side
    n_left_out   items (for units, documents) on one side only, excluded from a paired comparison
    n_documents  number of documents on each side, if units are compared
    """

    measure: str
    first: float
    second: float
    difference: Difference
    n_items: tuple[int, int]
    n_left_out: int
    how: How
    n_documents: tuple[int, int] | None = None


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
    tables = [read_label_table(path, reading, sets=options.sets) for path in (first, second)]
    if any(table.sets for table in tables):
        tables = [table.as_sets() for table in tables]
    tagset = () if tables[0].sets else reading.tagset
    rejected = rejected_by_side([first], [second], [table.rejected for table in tables])
    accounts = [table.account() for table in tables]
    n_labels = [len(table.labels) for table in tables]
    n_left_out = 0
    if not independent:
        tables, n_left_out = _on_common_items(tables, first, second)
    for account, before, table in zip(accounts, n_labels, tables, strict=True):
        account.tally.exclude(ExclusionReason.NOT_IN_BOTH, before - len(table.labels))
    if not tagset:
        tagset = categories_of_tables(tables)
    one, two = (
        _matrix(table, path, tagset, tables)
        for table, path in zip(tables, (first, second), strict=True)
    )
    for account, table in zip(accounts, tables, strict=True):
        tally_labels(account.tally, table)
    distance = options.distance_between_categories(
        tagset, options.measures, tagset_is_declared=bool(reading.tagset)
    )
    both = min(one.n_annotators, two.n_annotators), max(one.n_annotators, two.n_annotators)
    chosen = options.measures or default_measures(2 if both == (2, 2) else both[1])
    found = []
    for measure in chosen:
        arguments: dict[str, Any] = {"measures": (measure, measure), "distance": distance}
        if options.analytic:
            difference = paired_difference(one, two, level=options.level, **arguments)
        else:
            difference = bootstrap_difference(
                one,
                two,
                **arguments,
                **options.arguments,
                paired=not independent,
            )
        found.append(
            MeasureDifference(
                measure,
                compute_coefficient(measure, one, distance=distance).value,
                compute_coefficient(measure, two, distance=distance).value,
                difference,
                (one.n_items, two.n_items),
                n_left_out,
                How(
                    measure=f"difference of {measure}",
                    distance=distance_name(distance, tagset),
                    interval=IntervalMethod(difference.method, difference.over, difference.level),
                    prior=difference.prior,
                    replicates=None if options.analytic else options.replicates,
                    seed=None if options.analytic else options.seed,
                    first=input_hash([one.codes, *one.annotators]),
                    second=input_hash([two.codes, *two.annotators]),
                ),
            )
        )
    warnings = warnings_on_names_of_export(tagset, {*one.annotators, *two.annotators})
    rows = accounts[0].rows, accounts[1].rows
    return Differences(found, rows, rejected, [*warnings_on_differences(found), *warnings])


def require_fixed_annotators(options: IntervalKind) -> None:
    """Raise MetricsError where a comparison is to take annotators as a sample."""
    if options.interval == "annotators":
        raise MetricsError(
            "a comparison of two annotations treats their annotators as fixed: remove "
            f"{option('interval', 'annotators')}"
        )


def warnings_on_differences(compared: Sequence[MeasureDifference]) -> list[CodedWarning]:
    """Warn of documents that were not compared because only one side has them."""
    n = compared[0].n_left_out if compared else 0
    if not n:
        return []
    if compared[0].n_documents is None:
        return [CodedWarning("not_in_both", {"n_items": n})]
    return [CodedWarning("not_in_both", {"n_documents": n}, ("warning.documents_not_in_both",))]


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


def _item_keys(table: LabelTable) -> list[tuple[str, str]]:
    documents = table.documents or ("",) * len(table.items)
    return list(zip(documents, table.items, strict=True))


def _on_common_items(
    tables: Sequence[LabelTable], first: Given, second: Given
) -> tuple[list[LabelTable], int]:
    """Return both tables on their common items in one order, and the number of other items."""
    if bool(tables[0].documents) != bool(tables[1].documents):
        named = first if tables[0].documents else second
        raise DataError(
            f"only {named} has a column of documents: items are paired by document and name, so "
            "give it in both tables or in neither"
        )
    keys = [_item_keys(table) for table in tables]
    common = set(keys[0]) & set(keys[1])
    if not common:
        raise DataError(
            f"{first} and {second} have no item in common: to compare two campaigns that share "
            f"nothing, add {option('independent')}"
        )
    kept = []
    for table, of_table in zip(tables, keys, strict=True):
        rows = sorted((key, r) for r, key in enumerate(of_table) if key in common)
        chosen = [r for _, r in rows]
        kept.append(
            LabelTable(
                [table.items[r] for r in chosen],
                [table.annotators[r] for r in chosen],
                [table.labels[r] for r in chosen],
                [table.documents[r] for r in chosen] if table.documents else None,
                sets=table.sets,
            )
        )
    return kept, len(set(keys[0]) ^ set(keys[1]))


def _matrix(
    table: LabelTable, path: Given, tagset: Sequence[str], tables: Sequence[LabelTable]
) -> LabelMatrix:
    require_two_annotators(path, table)
    several = all(one.documents and len(set(one.documents)) > 1 for one in tables)
    return matrix_of_table(table, tagset, with_documents=several)


def differences_json(compared: Sequence[MeasureDifference]) -> list[dict[str, Any]]:
    """Return plain values for JSON: null where undefined."""
    return [
        {
            "measure": one.measure,
            "first": json_value(one.first),
            "second": json_value(one.second),
            "difference": json_value(one.difference.value),
            "interval": json_value([one.difference.lower, one.difference.upper]),
            "level": one.difference.level,
            "p_value": json_value(one.difference.p_value),
            "p_reason": str(one.difference.p_reason or ""),
            "standard_error": json_value(one.difference.standard_error),
            **reason_fields(one.difference.reason),
            "method": one.difference.method,
            "n_items": list(one.n_items),
            **({"n_documents": list(one.n_documents)} if one.n_documents else {}),
            "n_left_out": one.n_left_out,
            "signature": one.how.signature,
        }
        for one in compared
    ]
