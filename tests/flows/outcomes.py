"""What a run leaves: its results document, joined with the circumstances of the run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from accordeur.metrics.measures import FOUND
from accordeur.tasks.inputs.measure_names import GATES


def results_of(outcome: dict[str, Any]) -> dict[str, Any]:
    folder = Path(outcome["report"]).parent
    results = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    circumstances = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    results["history"] = circumstances.pop("history") + results["history"]
    for name in ("drift", "alerts"):
        results[name] = circumstances.pop(name) + results[name]
    results["run"] |= circumstances
    return results


def refused_as_gates(results: dict[str, Any]) -> set[str]:
    """The measures named anywhere in a results document that a gate would not take.

    What explains γ (found, where, what) is no measure and has no gate.
    """
    found: set[str] = set()

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("measure"), str):
                found.add(node["measure"])
            node = list(node.values())
        if isinstance(node, list):
            for one in node:
                walk(one)

    walk(results)
    assert found
    return found - {*GATES, *FOUND}
