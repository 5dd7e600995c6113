"""Time from the start of `accordeur run` to its first task, with an existing database.

    python benchmarks/runs/start_up.py [--runs 5] [--checkout FOLDER]…

The checkouts take turns running the demonstration campaign, each with its own Prefect home; the
first run of each (which creates the database) is not counted. The start of the first task is taken
from Prefect's records; CPU time is that of the process tree until then.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import psutil
from kept_database import RECORDED, keep_database

ROOT = Path(__file__).resolve().parents[2]


def first_task(database: Path, since: float) -> float | None:
    """Return the start time of the first task after `since`; None if there is none yet."""
    if not database.is_file():
        return None
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        rows = connection.execute("select start_time from task_run where start_time is not null")
        times = [datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() for (text,) in rows]
    return min((one for one in times if one > since), default=None)


def one_run(checkout: Path, campaign: Path, home: Path) -> tuple[float, float, float]:
    """Return (wall to the first task, CPU of all processes until then, wall of the whole run)."""
    shutil.rmtree(campaign.parent / "store", ignore_errors=True)
    home.mkdir(exist_ok=True)
    folders = {"PREFECT_HOME": str(home), "TMPDIR": str(home)}
    environment = {**os.environ, **RECORDED, **folders, "PYTHONPATH": str(checkout)}
    environment.pop("PREFECT_API_URL", None)
    began = time.time()
    process = subprocess.Popen(
        [sys.executable, "-m", "accordeur.flows.cli", "run", str(campaign)],
        cwd=checkout,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    tree = psutil.Process(process.pid)
    seen: dict[int, float] = {}
    samples: list[tuple[float, float]] = []
    while process.poll() is None:
        try:
            processes = [tree, *tree.children(recursive=True)]
        except psutil.NoSuchProcess:
            break
        for one in processes:
            try:
                times = one.cpu_times()
            except psutil.NoSuchProcess:
                continue
            seen[one.pid] = times.user + times.system
        samples.append((time.time(), sum(seen.values())))
        keep_database(home)
        time.sleep(0.05)
    whole = time.time() - began
    started = first_task(home / "prefect.db", began)
    if process.returncode != 0 or started is None:
        raise SystemExit(f"the run failed with {process.returncode}")
    return started - began, max(cpu for at, cpu in samples if at <= started), whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--checkout", type=Path, action="append")
    options = parser.parse_args()
    checkouts = options.checkout or [ROOT]
    found: dict[Path, list[tuple[float, float, float]]] = {one: [] for one in checkouts}
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.runs + 1):
            for k, checkout in enumerate(checkouts):
                folder = Path(scratch) / str(k)
                if not number:
                    shutil.copytree(ROOT / "flows" / "demo_campaign", folder / "demo")
                measured = one_run(checkout, folder / "demo" / "campaign.toml", folder / "prefect")
                if number:
                    found[checkout].append(measured)
    said = ["| checkout | first task, s | CPU until then, s | whole run, s |", "|---|---|---|---|"]
    for checkout, runs in found.items():
        wall, cpu, whole = (statistics.median(column) for column in zip(*runs, strict=True))
        said.append(f"| {checkout.name} | {wall:.1f} | {cpu:.1f} | {whole:.1f} |")
    said.append(
        f"\nMedians of {options.runs}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}."
    )
    text = "\n".join(said) + "\n"
    print(text)
    (ROOT / "benchmarks" / "results" / "start-up.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
