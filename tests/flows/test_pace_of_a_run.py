"""Times of Label Studio and Prodigy, from the export to the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment
from tests.flows.outcomes import results_of

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def task(n: int, seconds: dict[int, float]) -> dict[str, Any]:
    """One text, labelled by each annotator."""
    end = (START + timedelta(minutes=n)).isoformat()
    choice = {"from_name": "tone", "to_name": "text", "type": "choices"}
    return {
        "id": n,
        "data": {"text": f"text {n}"},
        "annotations": [
            {
                "id": 100 * n + who,
                "completed_by": who,
                "created_at": end,
                "updated_at": end,
                "lead_time": taken,
                "result": [
                    {**choice, "id": "r", "value": {"choices": ["no", "yes"][n % 2 : n % 2 + 1]}}
                ],
            }
            for who, taken in seconds.items()
        ],
    }


def write(path: Path) -> None:
    rng = np.random.default_rng(1)
    tasks = [
        task(n, {1: float(10 + 2 * n + rng.random()), 2: float(20 + rng.random())})
        for n in range(30)
    ]
    path.write_text(json.dumps(tasks), encoding="utf-8")


def test_readers_keep_times(tmp_path: Path) -> None:
    write(tmp_path / "export.json")
    found = read_source(str(tmp_path / "export.json"), "auto", SourceOptions())
    first = next(one for one in found if isinstance(one, Assignment))
    assert 10 < float(first.seconds) < 11
    answer = {"_input_hash": 5, "_annotator_id": "ann", "answer": "accept", "accept": ["x"],
              "options": [{"id": "x"}], "_timestamp": 1_700_000_000}  # fmt: skip
    (tmp_path / "prodigy.jsonl").write_text(json.dumps(answer) + "\n", encoding="utf-8")
    found = read_source(str(tmp_path / "prodigy.jsonl"), "prodigy", SourceOptions())
    [assignment] = [one for one in found if isinstance(one, Assignment)]
    assert assignment.time == "2023-11-14T22:13:20+00:00"


@pytest.mark.services
def test_a_run_shows_the_pace(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    write(tmp_path / "export.json")
    path = tmp_path / "campaign.toml"
    path.write_text(
        '[campaign]\nname = "Pace"\n[[sources]]\npath = "export.json"\n[engine]\nworkers = 1\n',
        encoding="utf-8",
    )
    outcome, _ = run_campaign(path)
    one, two = results_of(outcome)["paces"]
    assert (one["n_documents"], one["n_sessions"], one["drifts"]) == (30, 1, True)
    assert one["last"] > 1.5 * one["first"]
    assert (two["n_documents"], two["drifts"]) == (30, False)
    page = Path(outcome["report"]).read_text(encoding="utf-8")
    assert "slows down within sessions" in page
