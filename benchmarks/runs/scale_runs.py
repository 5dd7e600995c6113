"""Measurement of one whole run, or of its batches in plain processes."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
from kept_database import RECORDED, keep_database
from shares import Shares

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Measured:
    """Wall and CPU seconds, and MB of the largest worker and of the flow's process.

    flow         duration of the campaign's flow
    after_start  its duration from the first task on
    n_tasks      tasks of its stages, and the report
    """

    wall: float
    flow: float
    after_start: float
    cpu: float
    worker_mb: float
    flow_mb: float
    stages: Mapping[str, float]
    n_tasks: int


def watched(
    command: list[str], environment: Mapping[str, str], shares: Shares | None = None
) -> tuple[float, float, float, float]:
    """Return (wall, CPU of the process tree, peak MB of a descendant, peak MB of the process)."""
    began = time.time()
    process = subprocess.Popen(
        command, cwd=ROOT, env=dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    tree = psutil.Process(process.pid)
    cpu: dict[int, float] = {}
    peak: dict[int, float] = {}
    while process.poll() is None:
        try:
            processes = [tree, *tree.children(recursive=True)]
        except psutil.NoSuchProcess:
            break
        for one in processes:
            try:
                if shares is not None:
                    shares.hold(one)
                times, memory = one.cpu_times(), one.memory_info().rss
            except psutil.NoSuchProcess:
                continue
            cpu[one.pid] = times.user + times.system
            peak[one.pid] = max(peak.get(one.pid, 0), memory / 1e6)
        if "PREFECT_HOME" in environment:
            keep_database(Path(environment["PREFECT_HOME"]))
        time.sleep(0.1)
    said = process.stderr.read().decode() if process.stderr else ""
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{said[-3000:]}")
    own = peak.pop(process.pid)
    return time.time() - began, sum(cpu.values()), max(peak.values(), default=0.0), own


def run_campaign(campaign: Path, home: Path, share: float | None = None) -> Measured:
    home.mkdir(exist_ok=True)
    folders = {"PREFECT_HOME": str(home), "TMPDIR": str(home)}
    environment = {**os.environ, **RECORDED, **folders, "PYTHONPATH": str(ROOT)}
    environment.pop("PREFECT_API_URL", None)
    command = [sys.executable, "-m", "accordeur.flows.cli", "run", str(campaign)]
    began = datetime.now(UTC)
    shares = None if share is None else Shares(share)
    wall, cpu, worker, own = watched(command, environment, shares)
    if shares is not None and not shares.let_go():
        raise SystemExit("--share: no worker was found")
    flow, after_start = recorded(home / "prefect.db", began)
    store = campaign.parent / campaign.stem.replace("campaign", "store")
    newest = max((store / "reports").glob("run-*/run.json"))
    run = json.loads(newest.read_text(encoding="utf-8"))
    stages = {one["name"]: one["seconds"] for one in run["stages"]}
    n_tasks = 1 + sum(one["n_tasks"] for one in run["stages"])
    return Measured(wall, flow, after_start, cpu, worker, own, stages, n_tasks)


def recorded(database: Path, since: datetime) -> tuple[float, float]:
    """Return the seconds of the campaign's flow, whole and from its first task, from Prefect."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        flows = connection.execute(
            "select start_time, end_time from flow_run where parent_task_run_id is null"
        ).fetchall()
        tasks = connection.execute("select start_time from task_run where flow_run_id is not null"
                                   " and task_key not like 'measure%'").fetchall()  # fmt: skip
    [(start, end)] = [one for one in ([_moment(t) for t in row] for row in flows) if one[0] > since]
    first = min((t for (text,) in tasks if text and (t := _moment(text)) > since), default=end)
    return (end - start).total_seconds(), (end - first).total_seconds()


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def run_bare(campaign: Path, scratch: Path) -> Mapping[str, Any]:
    """Return the output of `bare_run.py` for the campaign."""
    said = scratch / "bare.json"
    watched(
        [sys.executable, str(Path(__file__).with_name("bare_run.py")), str(campaign), str(said)],
        {**os.environ, "PYTHONPATH": str(ROOT)},
    )
    told: Mapping[str, Any] = json.loads(said.read_text())
    return told
