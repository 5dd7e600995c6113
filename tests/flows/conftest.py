"""One real Prefect API server for the flow tests of a worker process, in a home of its own."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from accordeur.reports.study.study_results import StudyResults
from tests.flows.studies import SYNTHETIC, run_here, study_file


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("prefect")
    os.environ["PREFECT_HOME"] = str(home)
    os.environ["PREFECT_API_AUTH_STRING"] = "tests"  # of commands in processes of their own, too
    from websockets.asyncio import connection

    from accordeur.flows.engine.api import api_server

    # Prefect's thread pings its server to the end of the session with numbers from the global
    # generator; Hypothesis takes that for a strategy that uses `random`, and warns at times
    connection.random = random.Random()  # type: ignore[assignment]

    with api_server() as url:
        os.environ["PREFECT_API_URL"] = url
        yield url
        del os.environ["PREFECT_API_URL"]


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
