"""The order of `measures` in [units] decides which value leads the report, and is quoted."""

from __future__ import annotations

import json
from pathlib import Path

from tests.flows.command_line import accordeur
from tests.flows.small import SMALL_GRID, write_small

MEASURES = ("pairwise_f", "u_alpha", "gamma")


def test_the_first_measure_of_units_leads(tmp_path: Path) -> None:
    campaign = write_small(tmp_path)
    text = campaign.read_text(encoding="utf-8").replace(SMALL_GRID, "[reading_grid]\ntrials = 0\n")
    campaign.write_text(f"{text}[units]\nmeasures = {[*MEASURES]}\n", encoding="utf-8")
    done = accordeur("run", campaign)
    assert done.returncode == 0, done.stdout + done.stderr
    [results] = [json.loads(path.read_bytes()) for path in tmp_path.rglob("results.json")]
    [units] = results["units"]
    names = [one["measure"] for one in units["values"]]
    assert [name for name in names if name in MEASURES] == [*MEASURES]
    assert names[0] == "pairwise_f"
    assert f"pairwise_f ({units['layer']}): " in done.stdout
    assert f"gamma ({units['layer']}): " not in done.stdout
