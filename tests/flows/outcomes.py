"""What a run leaves: its results document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def results_of(outcome: dict[str, Any]) -> dict[str, Any]:
    folder = Path(outcome["report"]).parent
    return json.loads((folder / "results.json").read_text(encoding="utf-8"))
