"""Check our rules and the user's expectations with Great Expectations.

A rule is an expectation on the columns of its table (`column_rules`); the mask of its predicate
must count the same rows. Only this module and `data_docs` import great_expectations (3–6 s, 300
MB): import them only where they are used. The report shows the results as plain data.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import great_expectations as gx
    import great_expectations.expectations as gxe
    from great_expectations.data_context.types.base import ProgressBarsConfig
    from great_expectations.expectations.expectation import (
        ColumnMapExpectation,
        ColumnPairMapExpectation,
        MulticolumnMapExpectation,
    )
    from great_expectations.expectations.metadata_types import FailureSeverity
    from great_expectations.expectations.row_conditions import Column

from ..errors import DataError
from ..schema import SCHEMAS
from .column_rules import StatedRule, rules_on_own_columns
from .expectations import Expectation, Severity, columns_for_expectations, with_expectation_columns
from .rule import EXAMPLES, Checked, Declared, Stock

ENTRY_POINTS = "accordeur.expectations"
_OF_ROWS = (ColumnMapExpectation, ColumnPairMapExpectation, MulticolumnMapExpectation)
_NOT_OF_ROWS = {  # map expectations that compare rows or inspect the column's type
    "expect_column_value_z_scores_to_be_less_than",
    "expect_column_values_to_be_decreasing",
    "expect_column_values_to_be_in_type_list",
    "expect_column_values_to_be_increasing",
    "expect_column_values_to_be_of_type",
    "expect_column_values_to_be_unique",
    "expect_column_values_to_not_be_outliers",
    "expect_compound_columns_to_be_unique",
}
_NO_ARGUMENTS = {"severity", "description", "meta", "result_format", "catch_exceptions", "batch_id"}

logging.getLogger("great_expectations").setLevel(logging.WARNING)


class RuleCounts(NamedTuple):
    n_rows: int
    n_unexpected: int


def check_rules(
    tables: Iterable[tuple[pa.Table, Sequence[StatedRule]]],
) -> list[tuple[StatedRule, RuleCounts]]:
    """Check the rules of tables on their rows in a shard, or in several shards concatenated.

    Rules of an empty table hold. Invalid rows do not raise; they are counted.
    """
    found: list[tuple[StatedRule, RuleCounts]] = []
    engine = Engine()
    for rows, stated in tables:
        judged = [one for one in stated if one.n_rows]
        suite = [_expectation(one.stock, one.description) for one in judged]
        results = engine.judge(rows.to_pandas(), suite, "BASIC") if suite else []
        found += [(one, RuleCounts(0, 0)) for one in stated if not one.n_rows]
        found += [(one, _counts(result)) for one, result in zip(judged, results, strict=True)]
    return found


def _counts(result: Any) -> RuleCounts:
    if reason := why_not_judged(result):
        raise RuntimeError(f"a rule could not be evaluated: {reason}; please report this")
    return RuleCounts(result.result["element_count"], result.result["unexpected_count"])


def rule_suite(table: str, declared: Declared) -> gx.ExpectationSuite:
    """Return the rules on the table's own columns, with their words, for other data."""
    expectations = [
        _expectation(stock, words) for words, stock in rules_on_own_columns(table, declared)
    ]
    return gx.ExpectationSuite(name=f"accordeur {table}", expectations=expectations)


def _expectation(stock: Stock, words: str) -> gxe.Expectation:
    layer = {"row_condition": Column("layer") == stock.layer} if stock.layer else {}
    return expectation_types()[stock.type](**stock.arguments, **layer, description=words)


class Engine:
    """Great Expectations without a project, on pandas; creating one takes a tenth of a second."""

    def __init__(self) -> None:
        context = gx.get_context(mode="ephemeral")
        context.enable_analytics(False)
        context.variables.progress_bars = ProgressBarsConfig(globally=False)  # the flow has its own
        # Each frame is a batch of one asset: a new asset writes the configuration of the context.
        asset = context.data_sources.add_pandas("campaign").add_dataframe_asset("table")
        self._whole = asset.add_batch_definition_whole_dataframe("all")

    def judge(
        self, frame: pd.DataFrame, suite: Sequence[gxe.Expectation], result_format: str
    ) -> list[Any]:
        """Return the result of each expectation on the frame, in their order; empty the frame.

        Great Expectations keeps the frame until Python's garbage collector runs, in a worker after
        dozens of tasks.
        """
        batch = self._whole.get_batch({"dataframe": frame})
        expected = gx.ExpectationSuite(name="suite")
        for number, expectation in enumerate(suite):
            expectation.meta = {"number": number}  # results may come back in any order
            expected.add_expectation(expectation)
        outcome = batch.validate(expected, result_format=result_format)
        for column in list(frame):
            del frame[column]
        return sorted(outcome.results, key=lambda one: one.expectation_config.meta["number"])


def why_not_judged(result: Any) -> str:
    """Return the exception that Great Expectations reports; "" if there is none."""
    raised = result.exception_info or {}
    if "raised_exception" in raised:
        raised = {"": raised}
    messages = [one["exception_message"] for one in raised.values() if one.get("raised_exception")]
    return str(messages[0]) if messages else ""


def require_expectations(expectations: Sequence[Expectation]) -> None:
    """Raise DataError for the first expectation that cannot be evaluated, naming its key.

    Each is tried on three rows, which reveals invalid regular expressions and conditions.
    """
    for one in expectations:
        schema = SCHEMAS[one.table]
        values = {
            field.name: pa.array([1, 2, 3] if pa.types.is_integer(field.type) else ["a", "b", "c"])
            if not pa.types.is_nested(field.type)
            else pa.nulls(3, field.type)
            for field in schema
        }
        _validation_results(pa.table(values, schema=schema), one.table, [one], "BOOLEAN_ONLY")


def add_broken_value_columns(
    tables: Mapping[str, pa.Table], expectations: Sequence[Expectation]
) -> tuple[dict[str, pa.Table], list[Expectation]]:
    """Return the tables with broken values, and the expectations whose rows are rejected.

    A table has the `column` of each of its expectations: the value of a row that breaks it.
    """
    found = dict(tables)
    rejecting = [one for one in expectations if _rejects_rows(one)]
    for table in dict.fromkeys(one.table for one in rejecting):
        rows = tables[table]
        of_table = [one for one in rejecting if one.table == table]
        results = _validation_results(rows, table, of_table, "COMPLETE")
        for one, result in zip(of_table, results, strict=True):
            values: list[str | None] = [None] * rows.num_rows
            broken = result.get("unexpected_index_list") or []
            if not (result["success"] or broken):
                raise DataError(
                    f"{one.key}: {one.type} does not report which rows violate it; give it "
                    f"severity = {str(Severity.WARNING)!r}"
                )
            for row, value in zip(broken, result.get("unexpected_list") or broken, strict=True):
                values[row] = _as_text(value)
            column = pa.array(values, pa.string())
            found[table] = found[table].append_column(one.column, column)
    return found, rejecting


def judge_campaign(
    tables: Mapping[str, pa.Table], expectations: Sequence[Expectation]
) -> list[Checked]:
    """Evaluate expectations of `campaign_expectations` on the accepted rows of all shards."""
    found = []
    for table in dict.fromkeys(one.table for one in expectations):
        rows = tables[table]
        of_table = [one for one in expectations if one.table == table]
        results = _validation_results(rows, table, of_table, "SUMMARY")
        for one, result in zip(of_table, results, strict=True):
            observed = [result["observed_value"]] if "observed_value" in result else []
            examples = result.get("partial_unexpected_list") or observed
            found.append(
                Checked(
                    one.type,
                    table,
                    one.words,
                    result["success"],
                    rows.num_rows,
                    result.get("unexpected_count") or 0,
                    tuple(map(_as_text, examples[:EXAMPLES])),
                    severity=one.severity,
                )
            )
    return found


def campaign_expectations(expectations: Sequence[Expectation]) -> list[Expectation]:
    """Return expectations that are evaluated on the whole campaign and reject no rows."""
    return [one for one in expectations if not _rejects_rows(one)]


def _validation_results(
    rows: pa.Table, table: str, expectations: Sequence[Expectation], result_format: str
) -> list[dict[str, Any]]:
    """Return the result of each expectation. Raises DataError for one that cannot be evaluated."""
    frame = with_expectation_columns(table, rows).to_pandas()
    suite = [_build_expectation(one) for one in expectations]
    results = Engine().judge(frame, suite, result_format)
    for one, result in zip(expectations, results, strict=True):
        if reason := why_not_judged(result):
            raise DataError(f"{one.key}: {one.type} cannot be evaluated on {table}: {reason}")
    return [{**one.result, "success": bool(one.success)} for one in results]


def _as_text(value: object) -> str:
    """Join the values of one or several columns as text."""
    if isinstance(value, Mapping):
        value = tuple(value.values())
    return " · ".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def _rejects_rows(one: Expectation) -> bool:
    """Return whether it is critical and concerns each row separately."""
    made = _build_expectation(one)
    is_of_rows = isinstance(made, _OF_ROWS) and one.type not in _NOT_OF_ROWS
    return is_of_rows and one.severity == Severity.CRITICAL and getattr(made, "mostly", 1) == 1


def _build_expectation(one: Expectation) -> gxe.Expectation:
    """Build an expectation. Raises DataError for an unknown type or invalid arguments."""
    kinds = expectation_types()
    if one.type not in kinds:
        meant = get_close_matches(one.type, kinds, n=1)
        raise DataError(
            f"{one.key}.type: no expectation {one.type!r}"
            + (f"; did you mean {meant[0]}?" if meant else "")
            + " (a type of Great Expectations, or of an installed package)"
        )
    known = columns_for_expectations(one.table)
    if unknown := [name for name in one.columns if name not in known]:
        raise DataError(
            f"{one.key}.arguments: the table {one.table} has no column {unknown[0]!r}; it has "
            f"{', '.join(known)}"
        )
    if taken := _NO_ARGUMENTS & one.arguments.keys():
        raise DataError(f"{one.key}.arguments: {min(taken)} cannot be given here")
    severity, words = FailureSeverity(one.severity), one.description or None
    try:
        return kinds[one.type](**one.arguments, severity=severity, description=words)
    except (TypeError, ValueError) as error:
        raise DataError(f"{one.key}.arguments: {one.type}: {_wrong_arguments(error)}") from None


def _wrong_arguments(error: Exception) -> str:
    listed = getattr(error, "errors", None)
    if listed is None:
        return " ".join(str(error).split())
    wrong: dict[str, str] = {}
    for one in listed():
        wrong.setdefault(".".join(map(str, one["loc"])), one["msg"])
    return "; ".join(msg if at == "__root__" else f"{at}: {msg}" for at, msg in wrong.items())


@cache
def expectation_types() -> dict[str, type[gxe.Expectation]]:
    """Return name → class, for Great Expectations and entry points of the group `ENTRY_POINTS`.

    Raises DataError for an entry point that is not an expectation or whose name is in use.
    """
    own = [getattr(gxe, name) for name in dir(gxe) if name.startswith("Expect")]
    kinds = {one.expectation_type: one for one in own if one.expectation_type}
    for entry in entry_points(group=ENTRY_POINTS):
        added = entry.load()
        try:
            name = check_type(added)
        except AssertionError as error:
            raise DataError(f"entry point {entry.name!r} ({entry.value}): {error}") from None
        if name in kinds:
            raise DataError(f"entry point {entry.name!r}: the name {name!r} is already taken")
        kinds[name] = added
    return kinds


def check_type(added: Any) -> str:
    """Return the name of another package's expectation. Raises AssertionError for anything else."""
    is_expectation = isinstance(added, type) and issubclass(added, gxe.Expectation)
    if not is_expectation:
        raise AssertionError(f"{added!r} is not an expectation class of Great Expectations")
    name = str(added.expectation_type)
    if not name.startswith("expect_"):
        raise AssertionError(f"the name {name!r} does not begin with expect_")
    return name
