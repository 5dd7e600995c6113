"""A campaign of five weeks that gets worse: its alerts, its trend, and its line in the index."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from accordeur.flows.cli import app
from benchmarks.weekly_campaign import WEEKS, write_week
from tests.flows.outcomes import results_of
from tests.reports.html_check import checked

pytestmark = [pytest.mark.services, pytest.mark.long]


def test_a_slow_fall_is_seen_before_the_gates_fail(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    for week in range(1, WEEKS + 1):
        outcome, _ = run_campaign(write_week(tmp_path, week))
    results = results_of(outcome)
    assert "failed" not in {gate["outcome"] for gate in results["gates"]}
    for layer in ("stance", "arguments"):
        assert any(f"{layer}: " in alert and "fell" in alert for alert in outcome["alerts"])
    page = checked(Path(outcome["report"]).read_text(encoding="utf-8"))
    assert set(page.references) <= set(page.identifiers)
    CliRunner().invoke(app, ["index", str(tmp_path), "--to", str(tmp_path / "index")])
    [campaign] = json.loads((tmp_path / "index" / "index.json").read_text("utf-8"))["campaigns"]
    assert [run["number"] for run in campaign["runs"]] == list(range(1, WEEKS + 1))
    values = [run["values"][0]["value"] for run in campaign["runs"]]
    assert values == sorted(values, reverse=True)
