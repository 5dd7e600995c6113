"""Which document kills its worker: each one alone, in a process that may die.

A task that kills its worker takes a whole batch with it, and says nothing. Here a child process
goes through the documents of the batch one after the other and names each before it begins: when
it dies, the last name is the culprit, and a new child goes on after it.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psutil
from distributed import get_worker
from prefect import task

from ...data.store.store import Store
from .stages import ByDocument, Job

_POLL_SECONDS = 0.05
_SHARE_OF_MEMORY = 0.95  # of the worker's limit, as Dask's own nanny has it
_CHILD = "from accordeur.tasks.isolation.one_by_one import child; child()"


@dataclass(frozen=True, slots=True)
class Probe:
    """What was being done in a stage, and to which parts of the campaign."""

    stage: str
    doing: ByDocument
    parts: tuple[Any, ...]

    def documents(self, store: Store) -> Iterator[Job]:
        """Every document of the batch."""
        for part in self.parts:
            yield from self.doing.documents(store, part)


def find_deadly(store_url: str, probe: Probe, *, memory_limit: int | None = None) -> dict[str, str]:
    """Document → how it killed its process (`died of signal 9`); {} when none does alone."""
    found: dict[str, str] = {}
    n_begun = 0
    while True:
        begun, how = _run_child(store_url, probe, n_begun, memory_limit)
        n_begun += len(begun)
        if not how:
            return found
        if not begun:
            return found  # it dies before any document: the batch as such is at fault
        found[begun[-1]] = how


def _run_child(
    store_url: str, probe: Probe, skip: int, memory_limit: int | None
) -> tuple[list[str], str]:
    """Documents that a child began, and how it died ("" when it came to the end)."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(  # noqa: S603  # our own interpreter and module
        [sys.executable, "-P", "-c", _CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    lines: list[str] = []
    stream = process.stdout
    reader = threading.Thread(target=lambda: lines.extend(line.decode() for line in stream))
    reader.start()
    try:
        pickle.dump((store_url, probe, skip), process.stdin)
        process.stdin.close()
    except BrokenPipeError:
        pass  # it died at once: the exit code tells
    too_large = _watch(process, memory_limit)
    reader.join()
    process.stdout.close()
    if process.returncode == 0:
        return [json.loads(line) for line in lines], ""
    begun = [json.loads(line) for line in lines if line.endswith("\n")]
    if too_large:
        return begun, f"needs more than the {(memory_limit or 0) / 2**20:.0f} MiB of a worker"
    if process.returncode < 0:
        return begun, f"died of signal {-process.returncode}"
    return begun, f"ended with code {process.returncode}"


def _watch(process: subprocess.Popen[bytes], memory_limit: int | None) -> bool:
    """Wait for the end; kill the process when it outgrows a worker. Whether it did."""
    too_large = False
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            size = watched.memory_info().rss
        except psutil.NoSuchProcess:
            size = 0
        if memory_limit and size > _SHARE_OF_MEMORY * memory_limit:
            too_large = True
            process.kill()
        time.sleep(_POLL_SECONDS)
    return too_large


def child() -> None:
    """The child's side: names on standard output, the computations' results thrown away.

    A document that raises an error is not deadly: its task tells the error itself.
    """
    store_url, probe, skip = pickle.load(sys.stdin.buffer)  # noqa: S301  # from our own parent
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is not a name
    for number, (name, compute) in enumerate(probe.documents(Store(store_url))):
        if number < skip:
            continue
        out.write(json.dumps(name) + "\n")
        out.flush()
        try:
            compute()
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001, S110
            pass


@task(name="isolate", task_run_name="isolate {probe.stage}")
def find_deadly_task(store_url: str, probe: Probe) -> dict[str, str]:
    """`find_deadly` with the memory of the worker that it runs on."""
    return find_deadly(store_url, probe, memory_limit=get_worker().memory_manager.memory_limit)
