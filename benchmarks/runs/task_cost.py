"""Cost of an empty Prefect task: CPU of worker, server and flow (with Dask's scheduler), wall.

    python benchmarks/runs/task_cost.py --tasks 400

Tasks are submitted as in a run: named, with retries, and with the parameters of a group of shards.
A first batch is not counted, as it creates clients and includes one-time work of each process.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from prefect import flow, task
from psutil import Process

ROOT = Path(__file__).resolve().parents[2]
SHARD = {"key": "0123456789abcdef", "place": "aligned/0123456789abcdef", "n_documents": 250}


@task(name="empty")
def empty_task(shards: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return shards


@flow(name="empty tasks", validate_parameters=False)
def empty_tasks(n_tasks: int) -> dict[str, float]:
    """Return milliseconds per task."""
    from accordeur.flows.progress.names import name_task

    def drawn(n: int) -> None:
        waiting = [
            name_task(empty_task, f"shard {k}", retries=3).submit([SHARD] * 8) for k in range(n)
        ]
        for future in waiting:
            future.result()

    def settled() -> tuple[float, dict[str, float]]:
        """Return the time and CPU times once the server has written all it received."""
        now = time.perf_counter()
        time.sleep(5.0)
        children = Process().children(recursive=True)
        servers = [
            one for one in children if "accordeur.flows.engine.server" in " ".join(one.cmdline())
        ]
        workers = [one for one in children if one not in servers]
        parts = {"flow": [Process()], "server": servers}
        return now, {
            part: sum(sum(one.cpu_times()[:2]) for one in of)
            for part, of in (parts | {"workers": workers}).items()
        }

    drawn(40)
    _, before = settled()
    began = time.perf_counter()
    drawn(n_tasks)
    ended, after = settled()
    told = {part: after[part] - before[part] for part in before} | {"wall": ended - began}
    return {part: 1000 * seconds / n_tasks for part, seconds in told.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ["PREFECT_HOME"] = home
        from accordeur.flows.engine.api import api_server
        from accordeur.flows.engine.runner import task_runner
        from accordeur.flows.shared_sections import Engine

        with api_server(), task_runner(Engine(workers=2)) as runner:
            told = empty_tasks.with_options(task_runner=runner)(options.tasks)
    head = f"| {options.tasks} tasks, ms each | " + " | ".join(told)
    row = "| | " + " | ".join(f"{value:.1f}" for value in told.values())
    table = f"{head} |\n{'|---' * (1 + len(told))}|\n{row} |"
    print(table)
    load = os.getloadavg()[0]
    result = ROOT / "benchmarks" / "results" / "task-cost.md"
    result.write_text(f"{table}\n\n{os.cpu_count()} cores; load {load:.1f} at the end.\n")


if __name__ == "__main__":
    main()
