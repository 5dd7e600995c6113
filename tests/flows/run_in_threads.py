"""Runs whose tasks are threads of this process: quick, where only what is written matters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def tasks_in_this_process() -> Iterator[None]:
    """Without Dask, for campaigns and audits."""
    from prefect.task_runners import ThreadPoolTaskRunner

    with pytest.MonkeyPatch.context() as patch:
        for module in ("accordeur.flows.campaign_quality", "accordeur.flows.release_audit"):
            patch.setattr(f"{module}.task_runner", lambda engine: ThreadPoolTaskRunner(1))
        patch.setattr("accordeur.flows.campaign.run.seconds_of_workers", lambda futures: 0.0)
        yield


def campaign_run(campaign: Path) -> tuple[dict[str, Any], Any]:
    """(facts, state) of a run; raises what the run raises."""
    from accordeur.flows.campaign_quality import campaign_quality

    return _outcome(campaign_quality(str(campaign), return_state=True))


def audit_run(campaign: Path) -> tuple[dict[str, Any], Any]:
    """The same of an audit."""
    from accordeur.flows.release_audit import release_audit

    return _outcome(release_audit(str(campaign), return_state=True))


def _outcome(state: Any) -> tuple[dict[str, Any], Any]:
    outcome = state.result(raise_on_failure=False)
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome, state
