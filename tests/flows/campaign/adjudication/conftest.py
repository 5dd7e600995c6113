"""One campaign whose disagreements are listed, for all tests of this folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.flows.demo import write_demo
from tests.flows.campaign.adjudication.decided import measured
from tests.flows.command_line import accordeur


@pytest.fixture(scope="session")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration campaign with what the last run would have left in its store."""
    path = write_demo(tmp_path_factory.mktemp("adjudication") / "demo")
    measured(path)
    return path


@pytest.fixture(scope="session")
def listed(campaign: Path) -> Path:
    path = campaign.parent / "open.csv"
    done = accordeur("adjudicate", campaign, path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"47 disagreements, 47 open: {path}\n"
    return path
