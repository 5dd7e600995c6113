"""What a run starts first: its server and the process that its workers are forked from.

Both import Prefect for seconds; started before this process does so too, they share the wait.
Nothing heavy may be imported here.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
from collections.abc import Callable
from contextlib import chdir

from ..campaign.file.config import Engine
from .private_folder import private_folder, work_in_private_folder
from .server import start_server, users_server

PRELOAD = [
    "accordeur.flows.campaign_quality",
    "accordeur.flows.resampling_study",
    "accordeur.data.validation.checks",
    "accordeur.flows.engine.preloaded",
]
_ALLOCATOR = "jemalloc"
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def begin(
    engine: Engine | None,
    *,
    quiet: bool,
    needs_workers: Callable[[], bool] = lambda: True,
    scheduler: bool = False,
) -> None:
    """Start both in the background; `runner` takes them up, or stops what is not needed.

    To be called before Prefect is imported, like `leave_working_directory`, which it does first.

    engine: None where no worker is needed.
    scheduler: the server keeps schedules, too.
    needs_workers: asked once the server is on its way; a run that computes nothing has no workers.
    """
    if quiet:
        os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"
    leave_working_directory()
    if not users_server():
        start_server(scheduler=scheduler)
    if engine is not None and engine.dask == "local" and needs_workers():
        start_fork_server()


def leave_working_directory() -> None:
    """Work in the run's private folder; Prefect's home is there, too, without a server of the user.

    Prefect reads settings from the working directory, and from its home, when it is imported.
    """
    work_in_private_folder()
    if not users_server():
        os.environ["PREFECT_HOME"] = str(private_folder() / "prefect")


def start_fork_server() -> None:
    """Import the tasks in a process that Dask's workers are forked from when they are asked for.

    All workers of this machine then cost the imports once and share their memory; a worker that was
    killed is back at once. Does nothing when it runs.
    """
    import pyarrow as pa  # who asks whether workers are needed has imported it

    # What Dask's nanny would set before it starts a worker: one thread a worker, memory given back.
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    os.environ.setdefault("MALLOC_TRIM_THRESHOLD_", "65536")
    # Arrow's own allocator asks for huge pages, of which a worker's thread zeroes many for little.
    if _ALLOCATOR in pa.supported_memory_backends():
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", _ALLOCATOR)
    multiprocessing.get_context("forkserver").set_forkserver_preload(PRELOAD)
    os.environ["PYTHONSAFEPATH"] = "1"
    with chdir(private_folder()):  # where nothing is found that it would import
        multiprocessing.forkserver.ensure_running()
