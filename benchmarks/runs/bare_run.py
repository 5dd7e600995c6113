"""Stages of a run without Prefect and Dask: the same functions and batches in a process pool.

    python benchmarks/runs/bare_run.py CAMPAIGN OUTPUT.json

The baseline of `benchmarks/runs/scale.py overhead`. The stages' own code determines the batches;
only the submission of tasks and the waiting are replaced.
"""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import pickle
import resource
import sys
import time
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, patch

import psutil


def _call(module: str, name: str, arguments: bytes) -> Any:
    task = getattr(importlib.import_module(module), name)
    positional, keyword = pickle.loads(arguments)
    return task.fn(*positional, **keyword)


class Bare:
    """A task whose `submit` uses a process pool."""

    def __init__(self, task: Any, pool: ProcessPoolExecutor) -> None:
        self._task, self._pool = task, pool

    def submit(self, *positional: Any, **keyword: Any) -> Future[Any]:
        arguments = pickle.dumps((positional, keyword))
        return self._pool.submit(_call, self._task.fn.__module__, self._task.fn.__name__, arguments)


def main() -> None:
    campaign, output = Path(sys.argv[1]), Path(sys.argv[2])
    from accordeur.data.store.store import Store
    from accordeur.flows.campaign import measure as stages
    from accordeur.flows.campaign import reporting, run
    from accordeur.flows.campaign.earlier.history import earlier_runs
    from accordeur.flows.campaign.file.campaign_config import load_campaign
    from accordeur.flows.numbering import next_run
    from accordeur.tasks.reporting import campaign_report

    config = load_campaign(campaign)
    context = multiprocessing.get_context("forkserver")
    os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"  # as in a run
    with ProcessPoolExecutor(config.engine.workers, mp_context=context) as pool:
        list(pool.map(time.sleep, [0.5] * config.engine.workers))  # wait for all workers
        request = run.RunRequest(campaign, next_run(earlier_runs(Store(config.store.url))))
        assemble = Bare(campaign_report.assemble_task, pool)
        with (
            patch.object(run, "as_completed", as_completed),
            patch.object(run.Run, "options", lambda _, task, what: Bare(task, pool)),
            patch.object(run, "Shown", MagicMock),
            patch.object(reporting, "assemble_task", assemble),
        ):
            before, began = _cpu(), time.perf_counter()
            outcome = stages.measure_campaign.fn(run.Undisclosed(config), request)
            told = {
                "wall": time.perf_counter() - began,
                "cpu": _cpu() - before,
                "worker_mb": max(one.memory_info().rss for one in _workers()) / 1e6,
                "flow_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
                "stages": {one["name"]: one["seconds"] for one in outcome["stages"]},
            }
    output.write_text(json.dumps(told))


def _workers() -> list[psutil.Process]:
    return psutil.Process().children(recursive=True)


def _cpu() -> float:
    """CPU seconds of this process and its workers so far."""
    times = [one.cpu_times() for one in (psutil.Process(), *_workers())]
    return sum(one.user + one.system for one in times)


if __name__ == "__main__":
    main()
