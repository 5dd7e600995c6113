"""A run's validation as Great Expectations knows it: validation result and suites."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from ...data.schema import SCHEMAS
from ...data.untrusted.documents import parse_json
from ...data.validation.column_rules import built_in_rule, stock_expectation
from ...data.validation.expectations import Expectation, Severity
from ...data.validation.rule import Declared
from ...reports.results import Expectation as Checked

FILE, SUITES = "validation_result.json", "expectation_suites.json"
_NOT_RAISED = {"raised_exception": False, "exception_traceback": None, "exception_message": None}


def gx_validation_result(
    found: Sequence[Checked], further: Sequence[Expectation], declared: Declared
) -> dict[str, object]:
    """Return the equivalent of `ExpectationSuiteValidationResult.to_json_dict` over all shards.

    A built-in rule appears as the expectation that states it on the table's columns; a rule that
    none states, or that is about lists of labels, as the expectation that a column of booleans,
    named after the rule, is false. Great Expectations is not imported, as that takes seconds.

    further   expectations of the campaign file
    declared  tagsets and annotators, as the rules saw them
    """
    known = {(one.table, one.type, one.words): one for one in further}
    n_passed = sum(one.passed for one in found)
    return {
        "success": n_passed == len(found),
        "results": [
            _result(one, known.get((one.table, one.name, one.description)), declared)
            for one in found
        ],
        "suite_name": "accordeur",
        "suite_parameters": {},
        "statistics": {
            "evaluated_expectations": len(found),
            "successful_expectations": n_passed,
            "unsuccessful_expectations": len(found) - n_passed,
            "success_percent": 100 * n_passed / len(found) if found else None,
        },
        "meta": {"great_expectations_version": version("great-expectations")},
        "id": None,
    }


def gx_suites(validation: Mapping[str, Any]) -> dict[str, dict[str, object]]:
    """Return the `ExpectationSuite` of each table as JSON, by the table's name.

    It has the expectations that the columns of the published table decide; rules that are about
    lists of labels, or several tables, are in the validation result only.
    """
    suites: dict[str, dict[str, object]] = {}
    for one in validation["results"]:
        stated = one["expectation_config"]
        table, kwargs = stated["meta"]["table"], stated["kwargs"]
        named = {value for key, value in kwargs.items() if key.startswith("column")}
        if named <= {*SCHEMAS[table].names} and "labels" not in named:
            suite = suites.setdefault(
                table, {"name": table, "expectations": [], "meta": validation["meta"]}
            )
            suite["expectations"].append(stated)  # type: ignore[attr-defined]  # just made
    return suites


def _result(found: Checked, own: Expectation | None, declared: Declared) -> dict[str, object]:
    if own is None:
        rule = built_in_rule(found.table, found.name)
        stock = stock_expectation(rule, found.layer, declared, has_single_labels=False)
        kind, arguments = stock.type, dict(stock.arguments)
        if stock.layer:
            arguments["row_condition"] = _rows_of_layer(stock.layer)
    else:
        kind = own.type
        arguments = parse_json(
            json.dumps(dict(own.arguments), default=str), own.type
        )  # TOML has dates
    counted: dict[str, object] = {
        "element_count": found.n_rows,
        "unexpected_count": found.n_unexpected,
        "unexpected_percent": 100 * found.n_unexpected / found.n_rows if found.n_rows else None,
        "partial_unexpected_list": found.examples,
    }
    if found.examples and not found.n_unexpected:  # for a table: a row count, a mean
        counted = {"element_count": found.n_rows, "observed_value": found.examples[0]}
    return {
        "success": found.passed,
        "expectation_config": {
            "type": kind,
            "kwargs": arguments,
            "meta": {"table": found.table, "layer": found.layer},
            "description": found.description,
            "severity": str(own.severity if own else Severity.CRITICAL),
        },
        "result": counted,
        "meta": {},
        "exception_info": _NOT_RAISED,
    }


def _rows_of_layer(layer: str) -> dict[str, object]:
    """Return the JSON of the condition `Column("layer") == layer` of Great Expectations."""
    column = {"name": "layer"}
    return {"type": "comparison", "column": column, "operator": "==", "parameter": layer}
