"""The scheduled deployment of prefect.yaml on a real server and a real process worker."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.demo import write_demo

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[2]


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


def test_the_deployment_runs_on_a_process_worker(prefect_server: str, tmp_path: Path) -> None:
    campaign = write_demo(tmp_path / "demo")
    environment = {
        **os.environ,
        "PREFECT_API_URL": prefect_server,
        "ACCORDEUR_HOME": str(ROOT),
        "ACCORDEUR_CAMPAIGN": str(campaign),
        "PYTHONPATH": str(ROOT),
    }
    prefect("work-pool", "create", "accordeur", "--type", "process", environment=environment)
    prefect("--no-prompt", "deploy", "--all", environment=environment)
    name = "campaign quality/weekly"
    told = json.loads(prefect("deployment", "inspect", name, "-o", "json", environment=environment))
    assert told["schedules"][0]["schedule"]["cron"] == "0 6 * * 1"
    assert told["parameters"] == {"campaign": str(campaign)}
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
    assert [gate["passed"] for gate in results["gates"]] == [True, True]
