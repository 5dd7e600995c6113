"""What the process that workers are forked from is started with."""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import forkserver

import pyarrow as pa
import pytest

from accordeur.flows.engine.startup import start_fork_server

POOL = "ARROW_DEFAULT_MEMORY_POOL"


@pytest.fixture(autouse=True)
def started_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started, and the environment is put back."""
    monkeypatch.setattr(forkserver, "ensure_running", lambda: None)
    monkeypatch.setattr(os, "environ", {n: v for n, v in os.environ.items() if n != POOL})


@pytest.mark.parametrize("backends", [["mimalloc", "jemalloc", "system"], ["system"]])
def test_workers_take_an_allocator_that_this_arrow_has(
    monkeypatch: pytest.MonkeyPatch, backends: list[str]
) -> None:
    monkeypatch.setattr(pa, "supported_memory_backends", lambda: backends)
    start_fork_server()
    assert os.environ.get(POOL) == ("jemalloc" if "jemalloc" in backends else None)


def test_an_allocator_that_somebody_chose_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, POOL, "system")
    start_fork_server()
    assert os.environ[POOL] == "system"


@pytest.mark.parametrize(
    "module",
    [
        "accordeur.flows.campaign.earlier.standing",
        "accordeur.flows.study.config",
        "accordeur.flows.progress.shown",
        "accordeur.flows.cli",
    ],
)
def test_prefect_is_not_imported_before_a_run_has_left_the_working_directory(module: str) -> None:
    """The import takes seconds, and reads settings from the working directory."""
    imported = f"import sys, {module}; print('prefect' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", imported], capture_output=True, check=True)
    assert done.stdout == b"False\n"
