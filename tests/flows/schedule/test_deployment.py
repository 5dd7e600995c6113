"""The deployments that `accordeur serve --to` describes, on a real server and worker."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect import get_client
from prefect.client.schemas.objects import FlowRun
from prefect.settings import PREFECT_API_URL, temporary_settings

from accordeur.data.store.store import Store
from accordeur.flows.engine.environment import VARIABLES
from accordeur.flows.schedule.deployments import deployments_of_repository
from tests.flows.in_process import said
from tests.flows.small import write_small
from tests.flows.studies import SYNTHETIC, study_file

ROOT = Path(__file__).resolve().parents[3]


def written(folder: Path) -> tuple[Path, Path]:
    """A small campaign, and the file with its deployments."""
    campaign = write_small(folder)
    code, output = said("serve", campaign, "--to", folder / "prefect.yaml")
    assert code == 0, output
    assert "small-weekly, small-arrivals, small-next, small-release, small-prevalence" in output
    return campaign, folder / "prefect.yaml"


def test_deployments_have_descriptions_tags_and_the_variables_of_commands(tmp_path: Path) -> None:
    campaign, file = written(tmp_path)
    described = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert described["pull"] == []
    for one in described["deployments"]:
        assert one["description"].endswith(".")
        assert one["tags"] == ["campaign: Small"]
        assert one["parameters"]["campaign"] == str(campaign)
        assert one["work_pool"]["job_variables"]["env"] == VARIABLES


def test_deployments_of_a_study_and_a_schedule(tmp_path: Path) -> None:
    study = study_file(tmp_path, SYNTHETIC)
    to = tmp_path / "study.yaml"
    code, output = said("serve", study, "--study", "--cron", "0 3 * * 6", "--to", to)
    assert code == 0, output
    [one] = yaml.safe_load(to.read_text(encoding="utf-8"))["deployments"]
    assert one["parameters"] == {"study": str(study)}
    assert [s["cron"] for s in one["schedules"] if s["active"]] == ["0 3 * * 6"]


def test_deployments_are_not_written_over_a_file_or_for_a_wrong_schedule(tmp_path: Path) -> None:
    campaign, file = written(tmp_path)
    code, output = said("serve", campaign, "--to", file)
    assert (code, "exists already" in output) == (2, True)
    code, output = said("serve", campaign, "--cron", "mondays", "--to", tmp_path / "other")
    assert (code, "give minute, hour" in output) == (2, True)


def test_the_file_of_the_repository_has_the_same_deployments() -> None:
    text = (ROOT / "prefect.yaml").read_text(encoding="utf-8")
    assert text == deployments_of_repository()  # else: make schema
    names = [one["name"] for one in yaml.safe_load(text)["deployments"]]
    assert names == ["weekly", "arrivals", "next", "release", "prevalence", "monthly"]


def prefect(*arguments: str, environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "prefect", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


async def deployments(url: str) -> dict[str, Any]:
    """Flow/deployment → what the server knows of it."""
    with temporary_settings({PREFECT_API_URL: url}):
        async with get_client() as client:
            found = await client.read_deployments()
            flows = {one.flow_id: await client.read_flow(one.flow_id) for one in found}
    return {f"{flows[one.flow_id].name}/{one.name}": one.model_dump() for one in found}


async def flow_runs(url: str) -> list[FlowRun]:
    with temporary_settings({PREFECT_API_URL: url}):
        async with get_client() as client:
            return await client.read_flow_runs()


def n_waiting(url: str) -> int:
    """How many runs of deployments wait for the store, without keeping the one worker."""
    found = [one for one in asyncio.run(flow_runs(url)) if one.deployment_id]
    return sum(one.state_name == "AwaitingStore" for one in found)


def has_ended(url: str) -> bool:
    return all(one.state.is_final() for one in asyncio.run(flow_runs(url)) if one.deployment_id)


def until(found: Callable[[], bool], worker: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 300
    while not found():
        assert time.monotonic() < deadline, log.read_text(encoding="utf-8")
        assert worker.poll() is None, log.read_text(encoding="utf-8")
        time.sleep(0.5)


@pytest.mark.services
@pytest.mark.long
def test_deployments_of_one_store_wait_for_each_other(prefect_server: str, tmp_path: Path) -> None:
    campaign, file = written(tmp_path / "c")
    environment = {**os.environ, "PREFECT_API_URL": prefect_server, "PYTHONPATH": str(ROOT / "src")}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()

    def command(*arguments: str) -> str:
        return prefect(*arguments, environment=environment, folder=elsewhere)

    command("work-pool", "create", "accordeur", "--type", "process")
    command("--no-prompt", "deploy", "--all", "--prefect-file", str(file))
    deployed = asyncio.run(deployments(prefect_server))
    weekly, following = "campaign quality/small-weekly", "next round/small-next"
    assert {weekly, following, "release audit/small-release"} <= deployed.keys()
    assert {name: one["parameters"] for name, one in deployed.items() if name == weekly} == {
        weekly: {"campaign": str(campaign)}
    }
    [schedule] = deployed[weekly]["schedules"]
    assert (schedule["schedule"]["cron"], schedule["active"]) == ("0 6 * * 1", True)
    assert [s["active"] for s in deployed[following]["schedules"]] == [False]
    command("deployment", "run", weekly)
    command("deployment", "run", following)
    store = Store(str(campaign.parent / "runs"))
    said_by_worker = tmp_path / "worker.txt"
    with said_by_worker.open("wb") as log, ExitStack() as held:
        held.enter_context(store.lock(campaign))
        worker = subprocess.Popen(
            [sys.executable, "-m", "prefect", "worker", "start", "--pool", "accordeur"],
            cwd=elsewhere,
            env={**environment, "PREFECT_WORKER_QUERY_SECONDS": "2"},
            stdout=log,
            stderr=log,
        )
        try:
            until(lambda: n_waiting(prefect_server) == 2, worker, said_by_worker)
            held.close()
            until(lambda: has_ended(prefect_server), worker, said_by_worker)
        finally:
            worker.terminate()
            worker.wait(timeout=60)
    ended = {one.state_type for one in asyncio.run(flow_runs(prefect_server)) if one.deployment_id}
    assert ended == {"COMPLETED"}, said_by_worker.read_text(encoding="utf-8")
    report = campaign.parent / "runs" / "reports" / "run-0001" / "results.json"
    assert json.loads(report.read_text(encoding="utf-8"))["gates"] == []
