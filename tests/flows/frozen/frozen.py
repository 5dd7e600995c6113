"""What is frozen, and how it is computed now."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.flows.frozen import campaigns, commands
from tests.flows.frozen.numbers import TOLERANCE, Numbers, differences, numbers_of
from tests.flows.in_process import found
from tests.flows.outcomes import results_of
from tests.flows.studies import run_here

FOLDER = Path(__file__).parent / "numbers"
RunCampaign = Callable[[Path], tuple[dict[str, Any], Any]]
# Its variance is a quotient of small differences, which magnify how kernels of BLAS round.
_MAGNIFIED = {"agree-analytic": 1e-9}
_OF_THE_RUN = ("run", "release", "history")  # seconds, dates, versions
_ITERATED = ("mistakes",)  # rounds of EM magnify how kernels of BLAS round


def assert_frozen(name: str, numbers: Numbers) -> None:
    """Compare with what is kept; with ACCORDEUR_FREEZE in the environment, keep it instead."""
    path = FOLDER / f"{name}.json"
    if os.environ.get("ACCORDEUR_FREEZE"):
        text = json.dumps(numbers, indent=0, sort_keys=True, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    told = differences(kept, numbers, _MAGNIFIED.get(name, TOLERANCE))
    assert not told, "\n".join([f"{name}: {len(told)} differ", *told[:20]])


def of_command(line: str, here: Path, shared: Path | None = None) -> Numbers:
    return numbers_of(found(*commands.arguments(line, here, shared)))


def of_campaign(file: Path, run_campaign: RunCampaign) -> Numbers:
    results = results_of(run_campaign(file)[0])
    left_out = (*_OF_THE_RUN, *_ITERATED)
    return numbers_of({key: part for key, part in results.items() if key not in left_out})


def of_study(name: str, folder: Path) -> Numbers:
    results = run_here(campaigns.write_study(name, folder))[0].model_dump(mode="json")
    return numbers_of({key: part for key, part in results.items() if key not in _OF_THE_RUN})
