"""The scheduled deployment of prefect.yaml on a real server and a real process worker."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from prefect import get_client
from prefect.settings import PREFECT_API_URL, temporary_settings

from accordeur.flows.demo import write_demo

pytestmark = [pytest.mark.services, pytest.mark.long]
ROOT = Path(__file__).resolve().parents[3]


def prefect(*arguments: str, environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "prefect", *arguments],
        cwd=ROOT,
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


def test_the_deployment_runs_on_a_process_worker(prefect_server: str, tmp_path: Path) -> None:
    campaign = write_demo(tmp_path / "demo")
    environment = {
        **os.environ,
        "PREFECT_API_URL": prefect_server,
        "ACCORDEUR_HOME": str(ROOT),
        "ACCORDEUR_CAMPAIGN": str(campaign),
        "ACCORDEUR_STUDY": str(tmp_path / "study.toml"),
        "PYTHONPATH": str(ROOT),
    }
    prefect("work-pool", "create", "accordeur", "--type", "process", environment=environment)
    prefect("--no-prompt", "deploy", "--all", environment=environment)
    name = "campaign quality/weekly"
    deployed = asyncio.run(deployments(prefect_server))
    assert {one: found["parameters"] for one, found in deployed.items()} == {
        name: {"campaign": str(campaign)},
        "watch exports/arrivals": {"campaign": str(campaign), "deployment": name},
        "next round/next": {"campaign": str(campaign)},
        "resampling study/monthly": {"study": str(tmp_path / "study.toml")},
        "release audit/release": {"campaign": str(campaign)},
        "simulation/prevalence": {"experiment": "prevalence", "campaign": str(campaign)},
    }
    assert all(found["global_concurrency_limit"]["limit"] == 1 for found in deployed.values())
    [schedule] = deployed[name]["schedules"]
    assert (schedule["schedule"]["cron"], schedule["active"]) == ("0 6 * * 1", True)
    for resumed in ("watch exports/arrivals", "next round/next"):
        assert [s["active"] for s in deployed[resumed]["schedules"]] == [False]
    prefect("deployment", "run", name, environment=environment)
    worker = subprocess.Popen(
        [sys.executable, "-m", "prefect", "worker", "start", "--pool", "accordeur", "--run-once"],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    report = campaign.parent / "store" / "reports" / "run-0001" / "report.html"
    deadline = time.monotonic() + 300
    while not report.is_file() and time.monotonic() < deadline and worker.poll() is None:
        time.sleep(0.5)
    said, _ = worker.communicate(timeout=120)
    assert report.is_file(), said
    results = json.loads(report.with_name("results.json").read_text(encoding="utf-8"))
    assert [gate["outcome"] for gate in results["gates"]] == ["passed", "passed"]
