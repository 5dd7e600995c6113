"""Choice of the task runner of a flow.

A small campaign is measured in the process of its flow. Larger campaigns use a local Dask cluster,
or the cluster configured in the campaign file. Dask is imported only for them, as it takes half a
second.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from prefect.client.schemas.objects import State
from prefect.settings import PREFECT_API_URL
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from ...data.errors import SilentStoreError, StoreError, os_reason, os_remedy
from ..errors import UserError, is_user_error
from ..shared_sections import Engine
from ..toml_file import ConfigError
from .environment import VARIABLES
from .private_folder import private_folder
from .semaphores import record_semaphores
from .startup import start_worker_template

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def may_pass_next_time(task: Any, run: Any, state: State[Any]) -> bool:
    """Whether to retry a task: not for invalid input, but for a lost worker or a full disk."""
    error = state.result(raise_on_failure=False)
    if isinstance(error, StoreError):
        return not isinstance(error, SilentStoreError)  # it was waited for
    return not isinstance(error, Exception) or not is_user_error(error)


def killed_worker() -> type[Exception]:
    """Return the error of a task that killed each worker that ran it."""
    from distributed.scheduler import KilledWorker

    return KilledWorker


def seconds_of_workers(futures: Sequence[Any]) -> float | None:
    """Return the total worker time of these tasks; None if no Dask scheduler recorded it."""
    if "distributed" not in sys.modules:
        return None
    import distributed

    wrapped = [getattr(one, "wrapped_future", None) for one in futures]
    on_dask = [one for one in wrapped if isinstance(one, distributed.Future)]
    if not on_dask:
        return None
    keys = {one.key for one in on_dask}
    try:
        seen = on_dask[0].client.get_task_stream()
    except OSError:  # the scheduler is gone, with its records
        return 0.0
    return sum(
        step["stop"] - step["start"]
        for task in seen
        if task["key"] in keys
        for step in task["startstops"]
        if step["action"] == "compute"
    )


@contextmanager
def task_runner(engine: Engine, *, is_small: bool = False) -> Iterator[TaskRunner[Any]]:
    """Yield the configured task runner: this machine, a scheduler's address, or a cluster class.

    is_small  whether to run tasks sequentially in this process, whose kernels use all cores,
              instead of starting a local cluster

    Raises ConfigError if the class cannot be imported, or if remote workers could not reach
    Prefect's server; UserError if the connection to the scheduler is lost.
    """
    if engine.dask == "local" and is_small:
        yield ThreadPoolTaskRunner(max_workers=1)
        return
    from distributed import CancelledError

    try:
        with _dask_runner(engine) as runner:
            yield runner
    except CancelledError as error:  # of all tasks that a lost scheduler had
        scheduler = f"scheduler at {engine.dask}" if "://" in engine.dask else "scheduler"
        raise UserError(
            f"the connection to the Dask {scheduler} was lost: if it has ended, start it again; "
            "then start this run again, which goes on from its finished tasks. If the machine was "
            "busy, set DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP=300s for both"
        ) from error


@contextmanager
def _dask_runner(engine: Engine) -> Iterator[TaskRunner[Any]]:
    from prefect_dask import DaskTaskRunner

    if "://" in engine.dask:
        _require_reachable_server(engine)
        yield DaskTaskRunner(address=engine.dask)
    else:
        with _started_cluster(engine) as cluster:
            record_semaphores(private_folder())
            if engine.adaptive:
                cluster.adapt(minimum=1, maximum=engine.workers)
            yield DaskTaskRunner(address=cluster.scheduler_address)


def _started_cluster(engine: Engine) -> Any:
    """Return a new cluster. Raises UserError if the operating system prevents it."""
    start = cluster_of(engine)
    try:
        return start()
    except (OSError, RuntimeError) as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, OSError):
            cause = cause.__cause__ or cause.__context__
        if cause is None:
            raise
        raise UserError(
            f"the Dask workers of this run cannot be started ({os_reason(cause)}): "
            f"{os_remedy(cause)}, and start the run again"
        ) from error


def cluster_of(engine: Engine) -> partial[Any]:
    """Return the configured Dask cluster class with its arguments.

    Raises ConfigError as `task_runner` does.
    """
    import dask
    import distributed

    arguments = dict(engine.arguments)
    if not engine.adaptive:
        arguments.setdefault("n_workers", engine.workers)
    if engine.dask == "local":
        dask.config.set(
            {
                "temporary-directory": str(private_folder()),
                "distributed.worker.multiprocessing-method": "forkserver",
                # Each process of Dask looks every 20 ms whether its loop is late, which only its
                # log says.
                "distributed.admin.tick.interval": "1s",
                **{f"distributed.nanny.pre-spawn-environ.{k}": v for k, v in VARIABLES.items()},
                # Dask's value returns each large array to the system, which doubles the time of
                # calculations on arrays.
                "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
            }
        )
        start_worker_template()
        here: dict[str, Any] = {
            "threads_per_worker": 1,
            "host": "127.0.0.1",
            "silence_logs": logging.ERROR,
        }
        here |= {"dashboard_address": "127.0.0.1:0", "n_workers": 1, "silence_logs": logging.ERROR}
        return partial(distributed.LocalCluster, **{**here, **arguments})
    module, _, name = engine.dask.rpartition(".")
    try:
        cluster_class = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"engine.dask: the cluster class {engine.dask!r} cannot be imported ({error}); install "
            "its package (dask-jobqueue, dask-kubernetes, …) in this environment"
        ) from None
    _require_reachable_server(engine)
    return partial(cluster_class, **arguments)


def _require_reachable_server(engine: Engine) -> None:
    """Raise ConfigError if workers on other machines cannot reach a loopback Prefect server."""
    if "://" in engine.dask:
        workers_at = urlsplit(engine.dask).hostname
    elif engine.dask.split(".")[0] in ("distributed", "dask"):
        return  # a local cluster
    else:
        workers_at = engine.arguments.get("scheduler_options", {}).get("host")
    server_at = urlsplit(PREFECT_API_URL.value() or "").hostname
    if server_at in _LOOPBACK and workers_at not in _LOOPBACK:
        raise ConfigError(
            f"engine.dask: the workers of {engine.dask} report to a Prefect server, and this run's "
            "server listens on this machine only; start one (`prefect server start --host …`) "
            "and set PREFECT_API_URL to a server that they reach"
        )
