"""Gates as JUnit XML."""

from __future__ import annotations

from typing import Any

from defusedxml import ElementTree

from accordeur.tasks.reporting.junit import junit_xml

GATE: dict[str, Any] = {
    "measure": "krippendorff_alpha", "layer": "stance", "of": "", "on": "value", "operator": ">=",
    "threshold": 0.667, "value": 0.5, "interval": [0.4, 0.6], "level": 0.95, "reason": "",
    "outcome": "failed", "fails_run": True,
}  # fmt: skip


def cases(*gates: dict[str, Any], campaign: str = "c") -> list[Any]:
    suites = ElementTree.fromstring(junit_xml(campaign, gates))
    [suite] = suites.findall("testsuite")
    found = suite.findall("testcase")
    assert int(suite.get("tests")) == len(found)
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert int(suite.get("skipped")) == len(suite.findall("testcase/skipped"))
    return list(found)


def test_a_failed_gate_is_a_failure_with_its_value_and_threshold() -> None:
    [case] = cases(GATE)
    assert case.get("name") == "krippendorff_alpha (stance) >= 0.667"
    assert case.find("failure").get("message") == (
        "gate FAILED: krippendorff_alpha (stance) 0.500 >= 0.667"
    )


def test_a_gate_that_passes_has_no_failure() -> None:
    [case] = cases(GATE | {"outcome": "passed", "fails_run": False})
    assert list(case) == []


def test_an_undecided_gate_is_skipped_unless_it_fails_the_run() -> None:
    undecided = GATE | {"outcome": "undecided", "interval": [0.4, 0.7]}
    one, two = cases(undecided | {"fails_run": False}, undecided)
    assert "the 95% CI [0.400, 0.700] contains the threshold" in one.find("skipped").get("message")
    assert two.find("failure").get("type") == "undecided"


def test_a_gate_on_an_undefined_value_says_why_and_names_are_made_fit_for_xml() -> None:
    gate = GATE | {
        "value": None,
        "interval": [None, None],
        "reason": "one annotator",
        "layer": "a\0<",
    }
    [case] = cases(gate, campaign="x & \x1b")
    assert case.get("classname") == "x & \N{REPLACEMENT CHARACTER}"
    assert case.get("name") == "krippendorff_alpha (a\N{REPLACEMENT CHARACTER}<) >= 0.667"
    assert "undefined" in case.find("failure").text


def test_a_run_without_gates_has_no_test_case() -> None:
    assert cases() == []
