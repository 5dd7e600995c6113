"""A planted fault, from the exports to the first action of the report."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.planted_exports import write_labels
from benchmarks.planted_faults import FAULTS
from tests.flows.outcomes import results_of

Run = Callable[..., tuple[dict[str, Any], Any]]


def _first_cause(tmp_path: Path, run_campaign: Run, name: str) -> tuple[Any, Any, Any]:
    [fault] = [one for one in FAULTS if one.name == name]
    outcome, _ = run_campaign(write_labels(tmp_path, 7, fault))
    results = results_of(outcome)
    return outcome, results, results["actions"][0]


@pytest.mark.long
def test_the_first_action_names_a_planted_fault(tmp_path: Path, run_campaign: Run) -> None:
    outcome, results, first = _first_cause(
        tmp_path, run_campaign, "LOC and ORG exchanged from week 4"
    )
    cause = first["cause"]
    assert (cause["kind"], cause["categories"]) == ("category", ["LOC", "ORG"])
    assert (cause["part"], cause["part_name"]) == ("since", "2026-W05")
    assert 0 < first["interval"][0] < first["gain"]
    assert first["distance"] > 0
    assert outcome["cause"].startswith(
        "likely cause: Since 2026-W05, “LOC” and “ORG” are confused: "
    )
    [gate] = results["gates"]
    assert gate["last"]["kind"] == "time"  # its batches were annotated side by side


@pytest.mark.long
def test_the_first_action_names_a_bad_batch(tmp_path: Path, run_campaign: Run) -> None:
    _, _, first = _first_cause(tmp_path, run_campaign, "one bad batch")
    assert (first["cause"]["part"], first["cause"]["part_name"]) == ("batch", "B")
