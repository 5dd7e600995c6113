"""Every run says which errors would give its γ, unless its file asks for no trial."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.services
Run = Callable[..., tuple[dict[str, Any], Any]]

_FILE = """
seed = 3
[campaign]
name = "c"
[[sources]]
path = "units.csv"
format = "table"
[chance]
precision = 0.05
[store]
url = "store"
"""


def _grids(folder: Path, run_campaign: Run, further: str) -> list[dict[str, Any]]:
    folder.mkdir()
    rows = [
        f"d{d},{name},{20 * k},{20 * k + 9 + (k + d) % 3 * who},{'xy'[(k + who * (k == 4)) % 2]}"
        for d in range(3)
        for who, name in enumerate(("ann", "bob"))
        for k in range(8)
        if (k, d, who) != (2, 1, 1)
    ]
    head = "document,annotator,start,end,category\n"
    (folder / "units.csv").write_text(head + "\n".join(rows) + "\n", encoding="utf-8")
    file = folder / "campaign.toml"
    file.write_text(_FILE + further, encoding="utf-8")
    facts, _ = run_campaign(file)
    [path] = (folder / "store").glob("reports/run-0001/results.json")
    assert facts
    grids: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["grids"]
    return grids


@pytest.mark.long
def test_a_run_reads_gamma_by_default(tmp_path: Path, run_campaign: Run) -> None:
    grids = _grids(tmp_path / "a", run_campaign, "")
    assert [one["degradation"] for one in grids] == ["omission", "shift", "category"]
    assert all(one["n_units"] == 25 and one["reading"]["magnitude"] is not None for one in grids)


def test_no_trial_makes_no_reading(tmp_path: Path, run_campaign: Run) -> None:
    assert _grids(tmp_path / "c", run_campaign, "[reading_grid]\ntrials = 0\n") == []
