"""What a run starts first: its server and the process that its workers are forked from.

Both import Prefect for seconds; started before this process does so too, they share the wait.
Nothing heavy may be imported here.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.forkserver
import os
from collections.abc import Callable

from flows.campaign.file.config import Engine
from flows.engine.server import start_server

PRELOAD = [
    "flows.campaign_quality",
    "flows.resampling_study",
    "data.validation.checks",
    "flows.engine.preloaded",
]
_ALLOCATOR = "jemalloc"
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def begin(engine: Engine, *, quiet: bool, needs_workers: Callable[[], bool] = lambda: True) -> None:
    """Start both in the background; `runner` takes them up, or stops what is not needed.

    needs_workers: asked once the server is on its way; a run that computes nothing has no workers.
    """
    if quiet:
        os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"
    if not os.environ.get("PREFECT_API_URL"):
        start_server()
    if engine.dask == "local" and needs_workers():
        start_fork_server()


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
    multiprocessing.forkserver.ensure_running()
