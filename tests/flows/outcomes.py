"""What a run leaves: its results document, joined with the circumstances of the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def results_of(outcome: dict[str, Any]) -> dict[str, Any]:
    folder = Path(outcome["report"]).parent
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    circumstances = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    results["history"] = circumstances.pop("history") + results["history"]
    results["run"] |= circumstances
    return results
