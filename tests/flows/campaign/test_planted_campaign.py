"""A planted fault, from the exports to the first action of the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.planted_campaigns import FAULTS, write_labels
from tests.flows.outcomes import results_of

Run = Callable[..., tuple[dict[str, Any], Any]]


def test_the_first_action_names_a_planted_fault(tmp_path: Path, run_campaign: Run) -> None:
    [fault] = [one for one in FAULTS if one.name == "LOC and ORG exchanged from week 4"]
    outcome, _ = run_campaign(write_labels(tmp_path, 7, fault))
    results = results_of(outcome)
    first = results["actions"][0]
    cause = first["cause"]
    assert (cause["kind"], cause["categories"]) == ("category", ["LOC", "ORG"])
    assert (cause["part"], cause["part_name"]) == ("since", "week-4")
    assert 0 < first["interval"][0] < first["gain"]
    assert first["distance"] > 0
    assert outcome["cause"].startswith("Since week-4, “LOC” and “ORG” are exchanged: ")
    [gate] = results["gates"]
    assert gate["last"]["run"] == "week-8"
    assert gate["last"]["value"] < gate["value"]
