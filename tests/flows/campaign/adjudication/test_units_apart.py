"""Units that the best alignment pairs although they do not overlap: two units, never one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.flows.campaign.adjudication.decided import filled, rows_of
from tests.flows.command_line import accordeur
from tests.flows.small import NO_GRID

APART = [("ann", 3, 30, "Inform"), ("ben", 38, 74, "Inform")]


def write_campaign(folder: Path, rule: str) -> Path:
    rows = ["document,annotator,start,end,category"]
    for d in range(6):
        rows += [f"d{d},{who},100,120,Inform" for who in ("ann", "ben", "cat")]
    rows += [f"d0,{who},{start},{end},{category}" for who, start, end, category in APART]
    (folder / "units.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    campaign = folder / "campaign.toml"
    campaign.write_text(
        '[campaign]\nname = "R"\n[[sources]]\npath = "units.csv"\n'
        f"[intervals]\nreplicates = 20\n[chance]\nprecision = 0.2\n{NO_GRID}"
        f'[reference]\nrule = "{rule}"\n[store]\nurl = "{folder / rule}"\n',
        encoding="utf-8",
    )
    return campaign


def reference_of(outcome: dict[str, Any]) -> list[tuple[int, int, int]]:
    path = Path(outcome["report"]).parent / "reference" / "units" / "reference.parquet"
    rows = [row for row in pq.read_table(path).to_pylist() if row["document"] == "d0"]
    return [(row["start_offset"], row["end_offset"], row["support"]) for row in rows]


@pytest.mark.services
def test_no_reference_unit_lies_between_units_that_do_not_overlap(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    outcome, _ = run_campaign(write_campaign(tmp_path, "majority"))
    assert reference_of(outcome) == [(100, 120, 3)]
    report = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "3–74" not in report


@pytest.mark.long
@pytest.mark.services
def test_each_of_them_is_a_case_and_both_can_be_kept(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    campaign = write_campaign(tmp_path, "adjudicated")
    run_campaign(campaign)
    listed = tmp_path / "open.csv"
    assert accordeur("adjudicate", campaign, listed).returncode == 0
    rows = rows_of(listed)
    assert {row["where"] for row in rows} == {"3–30", "38–74"}
    kept = {row["case"]: {"decision": "Inform"} for row in rows}
    file = filled(listed, tmp_path / "decided.csv", kept)
    done = accordeur("adjudicate", campaign, "--decisions", file)
    assert done.returncode == 0, done.stderr
    outcome, _ = run_campaign(campaign)
    assert reference_of(outcome) == [(3, 30, 1), (38, 74, 1), (100, 120, 3)]
