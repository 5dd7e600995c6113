"""Runs killed at random, with their servers and workers, give the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.flows.command_line import INSTALLED, accordeur_in, alone
from tests.flows.small import write_small

pytestmark = [pytest.mark.services, pytest.mark.long, pytest.mark.release]
N_KILLS = 6
N_OF_ONE = 3  # kills of one campaign before its run may end


def results(campaign: Path) -> bytes:
    [last] = campaign.parent.glob("runs/reports/*/results.json")
    return last.read_bytes()


def test_results_are_the_same_bytes_however_often_a_run_was_killed(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("k")
    environment = alone(folder)

    def run(campaign: Path) -> None:
        done = accordeur_in(campaign.parent, "run", "campaign.toml", environment=environment)
        assert done.returncode == 0, done.stderr

    unbroken = write_small(folder / "unbroken")
    run(unbroken)
    started = time.monotonic()
    run(write_small(folder / "timed"))
    seconds = time.monotonic() - started
    draw, n_killed, n_campaigns = random.Random(21), 0, 0
    while n_killed < N_KILLS:
        campaign = write_small(folder / f"c{n_campaigns}")
        n_campaigns += 1
        for _ in range(N_OF_ONE):
            # In the first second nothing but imports happens; one that goes on ends sooner.
            n_killed += killed_after(draw.uniform(1, 0.7 * seconds), campaign, environment)
            if list(campaign.parent.glob("runs/reports/*/results.json")):
                break  # it was killed at its very end, or not at all
        else:
            run(campaign)
        assert results(campaign) == results(unbroken), f"campaign {n_campaigns}, {n_killed} kills"
        assert n_campaigns < N_KILLS, "runs end before they are killed"


def killed_after(seconds: float, campaign: Path, environment: dict[str, str]) -> bool:
    """Whether the run was killed; it may have ended before."""
    process = subprocess.Popen(
        [*INSTALLED, "run", "campaign.toml"],
        cwd=campaign.parent,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait() == -signal.SIGKILL
