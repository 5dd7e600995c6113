"""The results document: its schema only grows, and numbers survive JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest
from pydantic import ValidationError

from accordeur.flows.commands.schema_and_compile import results_schema
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.reports.results import SCHEMA_VERSION, Named, Results
from accordeur.reports.value import Model
from tests.reports import samples
from tests.reports.test_render import GOLDEN
from tests.results_schema import errors_in


def test_no_field_of_the_schema_was_removed():
    """Fields may be added within a version; `python -m tests.reports.update_golden` notes them."""
    noted = json.loads((GOLDEN / "results-fields.json").read_text(encoding="utf-8"))
    assert noted["version"] == SCHEMA_VERSION
    current = Results.model_json_schema()
    kinds = {**current["$defs"], "Results": current}
    for kind, fields in noted["fields"].items():
        missing = set(fields) - set(kinds[kind]["properties"])
        assert not missing, f"{kind} lost {sorted(missing)}: that needs a new schema version"


@pytest.mark.parametrize(
    "sample",
    [samples.typical, samples.pathological, samples.empty, samples.agreed, samples.bare,
     samples.objects, samples.study, samples.simulation],
)  # fmt: skip
def test_the_printed_schema_accepts_what_is_written(sample: Callable[[], Model]) -> None:
    written = sample()
    assert errors_in(json.loads(written.model_dump_json()), type(written).__name__) == []


def test_the_printed_schema_refuses_what_is_never_written() -> None:
    document = json.loads(samples.typical().model_dump_json())
    assert errors_in(document | {"schema_version": 3})
    assert errors_in(document | {"unknown": 1})


def test_the_committed_schema_is_the_one_that_is_printed() -> None:
    committed = (GOLDEN.parents[1] / "docs" / "results.schema.json").read_text(encoding="utf-8")
    assert json.loads(committed, parse_constant=pytest.fail) == results_schema()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_an_undefined_number_is_null_in_json(number: float):
    value = Estimate(measure="gamma", value=number, reason=Reason(ReasonCode.NO_UNIT))
    assert value.as_json()["value"] is None
    assert math.isnan(Estimate.from_json(json.loads(json.dumps(value.as_json()))).value)


def test_a_number_survives_json_to_the_last_digit():
    value = Estimate(measure="gamma", value=0.1 + 0.2, interval=(1 / 3, 2 / 3))
    again = Estimate.from_json(json.loads(json.dumps(value.as_json())))
    assert (again.value, again.interval) == (value.value, value.interval)


def test_an_unknown_field_is_refused():
    with pytest.raises(ValidationError, match="mesure"):
        Named.model_validate({"name": "all", "value": {"mesure": "gamma", "value": 1.0}})
