"""What is frozen, and how it is computed now."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from accordeur.metrics.signature import VERSION
from tests.flows.frozen import campaigns, commands, python
from tests.flows.frozen.leaves import TOLERANCE, Leaves, differences, leaves_of
from tests.flows.in_process import found
from tests.flows.outcomes import results_of
from tests.flows.studies import run_here
from tests.results_schema import errors_in

FOLDER = Path(__file__).parent / "kept"
RunCampaign = Callable[[Path], tuple[dict[str, Any], Any]]
# Its variance is a quotient of small differences, which magnify how kernels of BLAS round.
_MAGNIFIED = {"agree-analytic": 1e-9, "plan-labels": 1e-9, "python-plan": 1e-9}
_OF_THE_RUN = ("run", "release", "history")  # seconds, dates, versions
_ITERATED = ("mistakes",)  # rounds of EM magnify how kernels of BLAS round


def assert_frozen(name: str, leaves: Leaves) -> None:
    """Compare with what is kept; with ACCORDEUR_FREEZE in the environment, keep it instead."""
    path = FOLDER / f"{name}.json"
    if os.environ.get("ACCORDEUR_FREEZE"):
        text = json.dumps(leaves, indent=0, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    told = differences(kept, leaves, _MAGNIFIED.get(name, TOLERANCE))
    assert not told, "\n".join([f"{name}: {len(told)} differ", *told[:20]])


def of_command(line: str, here: Path, shared: Path | None = None) -> Leaves:
    return _anywhere(leaves_of(found(*commands.arguments(line, here, shared))), here, shared)


def of_python(name: str) -> Leaves:
    return _anywhere(leaves_of(python.RESULTS[name]()))


def of_campaign(file: Path, run_campaign: RunCampaign) -> Leaves:
    outcome = run_campaign(file)[0]
    document = Path(outcome["report"]).with_name("results.json").read_text(encoding="utf-8")
    assert errors_in(json.loads(document)) == []
    results = results_of(outcome)
    left_out = (*_OF_THE_RUN, *_ITERATED)
    kept = {key: part for key, part in results.items() if key not in left_out}
    return _anywhere(leaves_of(kept), file.parent)


def of_study(name: str, folder: Path) -> Leaves:
    results = run_here(campaigns.write_study(name, folder))[0].model_dump(mode="json")
    assert errors_in(results, "StudyResults") == []
    kept = {key: part for key, part in results.items() if key not in _OF_THE_RUN}
    return _anywhere(leaves_of(kept), folder)


def _anywhere(leaves: Leaves, *folders: Path | None) -> Leaves:
    """Hide folders and the version in the texts."""
    hidden = [(str(folder), "…") for folder in (commands.DEMO, *folders) if folder]
    hidden.append((VERSION, "version"))

    def text(value: str) -> str:
        for one, shown in hidden:
            value = value.replace(one, shown)
        return value

    return {
        text(path): text(leaf) if isinstance(leaf, str) else leaf for path, leaf in leaves.items()
    }
