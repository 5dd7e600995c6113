"""A run's validation as a Great Expectations validation result, for its Data Docs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version

from ...data.validation.expectations import Expectation, Severity
from ...reports.results import Expectation as Checked

FILE = "validation_result.json"
_NOT_RAISED = {"raised_exception": False, "exception_traceback": None, "exception_message": None}


def validation_result(
    found: Sequence[Checked], declared: Sequence[Expectation]
) -> dict[str, object]:
    """Return the equivalent of `ExpectationSuiteValidationResult.to_json_dict` over all shards.

    A built-in rule appears as the expectation that a boolean column, named after the rule, is false
    in all rows. Great Expectations is not imported, as that takes seconds.
    """
    known = {(one.table, one.type, one.words): one for one in declared}
    n_passed = sum(one.passed for one in found)
    return {
        "success": n_passed == len(found),
        "results": [
            _result(one, known.get((one.table, one.name, one.description))) for one in found
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


def _result(found: Checked, declared: Expectation | None) -> dict[str, object]:
    if declared is None:
        kind = "expect_column_values_to_be_in_set"
        arguments: dict[str, object] = {"column": found.name, "value_set": [False]}
    else:
        kind = declared.type
        arguments = json.loads(json.dumps(dict(declared.arguments), default=str))  # TOML has dates
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
            "severity": str(declared.severity if declared else Severity.CRITICAL),
        },
        "result": counted,
        "meta": {},
        "exception_info": _NOT_RAISED,
    }
