"""Runs in this process on the shared server, and a study that several files read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accordeur.reports.study.study_results import StudyResults
from tests.flows.studies import SYNTHETIC, run_here, study_file


@pytest.fixture
def run_campaign(prefect_server: str) -> Callable[..., tuple[dict[str, Any], Any]]:
    """Run a campaign file in this process on the shared server: (facts, state)."""
    from accordeur.flows.campaign_quality import campaign_quality

    def run(campaign: Path, *, fresh: bool = False) -> tuple[dict[str, Any], Any]:
        state = campaign_quality(str(campaign), fresh, return_state=True)
        outcome = state.result(raise_on_failure=False)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome, state

    return run


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StudyResults]:
    path = study_file(tmp_path_factory.mktemp("synthetic"), SYNTHETIC, batch_size=70)
    return path, run_here(path)[0]
