"""`results.json` is the same, byte for byte, wherever and however often a campaign is run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.flows.killed import start_and_kill
from tests.flows.small import write_small

pytestmark = pytest.mark.services


@pytest.mark.long
def test_two_stores_a_killed_run_and_a_repeated_one_give_the_same_bytes(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    def results(name: str, *, fresh: bool = False) -> bytes:
        outcome, _ = run_campaign(tmp_path / name / "campaign.toml", fresh=fresh)
        page = Path(outcome["report"])
        circumstances = json.loads(page.with_name("run.json").read_text(encoding="utf-8"))
        assert circumstances["started"] > "2026"
        assert {stage["name"] for stage in circumstances["stages"]} >= {"ingest", "agreement"}
        return page.with_name("results.json").read_bytes()

    for name in ("first", "killed"):
        write_small(tmp_path / name)
    runs = tmp_path / "killed" / "runs"
    start_and_kill(
        "run",
        str(tmp_path / "killed" / "campaign.toml"),
        once=lambda: any(runs.glob("accepted/*/receipt.json")),
    )
    first = results("first")
    assert results("killed") == first
    assert results("first", fresh=True) == first
