"""The collection of certified values: stated in full, recomputed exactly, and reached by us."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import jsonschema
import pytest

from accordeur.tasks.certified_cases.cases import COLLECTION, read_cases
from accordeur.tasks.certified_cases.outcomes import our_outcomes, recorded_outcomes
from tests.certified.calculator import CALCULATOR, CASES, has_gaps, outcome

FILES = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in CASES.glob("*.json")}
DIFFERENCES = json.loads((COLLECTION / "differences.json").read_text(encoding="utf-8"))
SCHEMA = json.loads((COLLECTION / "schema.json").read_text(encoding="utf-8"))
ENOUGH = 10.0


def _all() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for kind, held in FILES.items():
        for case in held["cases"]:
            yield kind, case, held["inputs"][case["input"]]


@pytest.mark.parametrize("kind", FILES)
def test_every_case_states_source_licence_and_certification(kind: str) -> None:
    held = FILES[kind]
    jsonschema.validate(held, SCHEMA)
    assert held["kind"] == kind
    numbers = [case["id"] for case in held["cases"]]
    assert len(set(numbers)) == len(numbers)
    assert {case["input"] for case in held["cases"]} == set(held["inputs"])


@pytest.mark.parametrize(
    ("of_input", "of_case"),
    [("source", ""), ("licence", ""), ("", "certified"), ("", "value"), ("", "conventions")],
)
def test_a_case_without_source_licence_or_certification_is_refused(
    of_input: str, of_case: str
) -> None:
    given = {"source": "constructed for this test", "licence": "CC0-1.0", "ratings": [[1, 1]]}
    case = {
        "id": "ratings-001",
        "input": "new",
        "measure": "icc_1_1",
        "conventions": {},
        "value": "1/2",
        "certified": CALCULATOR,
    }
    held = {"kind": "ratings", "inputs": {"new": given}, "cases": [case]}
    jsonschema.validate(held, SCHEMA)
    given.pop(of_input, None)
    case.pop(of_case, None)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(held, SCHEMA)


def test_a_convention_on_missing_labels_is_stated_exactly_where_labels_are_missing() -> None:
    wrong = [
        case["id"]
        for kind, case, given in _all()
        if kind == "items" and ("missing" in case["conventions"]) != has_gaps(given)
    ]
    assert wrong == []


@pytest.mark.long
def test_exact_fractions_give_every_certified_value() -> None:
    """The calculator shares no code with the package."""
    wrong = {}
    for kind, case, given in _all():
        found = outcome(kind, case, given) if case["certified"] == CALCULATOR else {}
        if any(case.get(key) != one for key, one in found.items()):
            wrong[case["id"]] = found
    assert wrong == {}


def test_certified_values_round_to_the_published_ones() -> None:
    wrong = []
    for _, case, _ in _all():
        if "published" in case:
            printed = case["published"]["value"]
            unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
            if abs(Fraction(case["value"]) - Fraction(printed)) > unit * Fraction(51, 100):
                wrong.append(case["id"])
    assert wrong == []


def test_accordeur_reaches_ten_digits_of_every_case_or_says_why_not() -> None:
    cases = read_cases()
    found = our_outcomes(cases)
    digits = found.digits(cases)
    assert {case: n for case, n in digits.items() if n < ENOUGH} == {}
    assert {case.id for case in cases} == {*digits, *found.skipped}
    assert found.errors == {}
    assert set(found.skipped.values()) == {
        "corrects W for ties",
        "uses labels that are complete, not available",  # κ of two annotators
    }


def test_each_discrepancy_of_another_package_is_explained() -> None:
    cases = read_cases()
    explained = {(one["package"], case) for one in DIFFERENCES for case in one["cases"]}
    found = {
        (one.package, case)
        for one in recorded_outcomes()
        for case, digits in one.digits(cases).items()
        if digits < ENOUGH
    }
    assert found - explained == set()
    assert explained - found == set()
