"""Where the tasks of a flow run, and the Prefect API server that they report to.

A small campaign is measured in the process of its flow. Anything larger gets a Dask cluster of
this machine, or the one that the campaign file names. Without a server of the user's
(`PREFECT_API_URL`), every Dask worker would start its own: here one is started for the run and
shared by all workers, and stopped only after the logs have been sent.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

import dask
import distributed
from prefect.client.schemas.objects import State
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker, PrefectConsoleHandler
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner
from prefect_dask import DaskTaskRunner

from ...data.errors import StoreError
from ..campaign.file.config import Engine
from ..errors import is_users
from ..toml_file import ConfigError
from .environment import VARIABLES
from .private_folder import private_folder
from .server import start_server

_DRAIN_SECONDS = 10.0
# By the process that workers of this machine are forked from: eight seconds of CPU for all of them
_IMPORTED_ONCE = ["accordeur.flows.campaign.measure", "accordeur.data.validation.checks"]
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@contextmanager
def api_server(*, quiet: bool = True) -> Iterator[str]:
    """The API's URL: the user's server when one is configured, else one for this run only.

    `quiet` keeps Prefect's and Dask's own log lines off the terminal; Prefect's API has them.
    """
    if quiet:
        _quieten()
    if PREFECT_API_URL.value():
        yield PREFECT_API_URL.value()
        return
    server = start_server()
    try:
        url = server.wait()
        with temporary_settings({PREFECT_API_URL: url, PREFECT_API_AUTH_STRING: server.password}):
            yield url
    finally:
        APILogWorker.drain_all(timeout=_DRAIN_SECONDS)
        EventsWorker.drain_all(timeout=_DRAIN_SECONDS)
        server.stop()


def _quieten() -> None:
    os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"  # for the workers
    names = [name for name in logging.root.manager.loggerDict if name.startswith("prefect")]
    for name in ("", *names):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, PrefectConsoleHandler):
                handler.setLevel(logging.CRITICAL)
    for name in ("distributed", "distributed.http.proxy", "asyncio", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def may_pass_next_time(task: Any, run: Any, state: State[Any]) -> bool:
    """Whether to try a task again: bad input stays bad, a lost worker or a full disk may not."""
    error = state.result(raise_on_failure=False)
    if isinstance(error, StoreError):
        return True
    return not isinstance(error, Exception) or not is_users(error)


def seconds_of_workers(futures: Sequence[Any]) -> float | None:
    """What these tasks took on their workers, summed; None where no Dask scheduler has seen it."""
    wrapped = [getattr(one, "wrapped_future", None) for one in futures]
    on_dask = [one for one in wrapped if isinstance(one, distributed.Future)]
    if not on_dask:
        return None
    keys = {one.key for one in on_dask}
    try:
        seen = on_dask[0].client.get_task_stream()
    except OSError:  # the scheduler is gone, and with it what it had seen
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
    """What the campaign file says: this machine, a scheduler's address, or a cluster class.

    is_small  this machine needs no cluster: tasks run one after the other in this process, whose
              kernels use all cores

    Raises ConfigError when the class cannot be imported, or workers elsewhere could not report.
    """
    if engine.dask == "local" and is_small:
        yield ThreadPoolTaskRunner(max_workers=1)
    elif "://" in engine.dask:
        _require_reachable_server(engine)
        yield DaskTaskRunner(address=engine.dask)
    else:
        with cluster_of(engine)() as cluster:
            if engine.adaptive:
                cluster.adapt(minimum=1, maximum=engine.workers)
            yield DaskTaskRunner(address=cluster.scheduler_address)


def cluster_of(engine: Engine) -> partial[Any]:
    """The class of Dask cluster that the campaign file names, with its arguments.

    Raises ConfigError as `task_runner` does.
    """
    arguments = dict(engine.arguments)
    if not engine.adaptive:
        arguments.setdefault("n_workers", engine.workers)
    if engine.dask == "local":
        dask.config.set(
            {
                "temporary-directory": str(private_folder()),
                "distributed.worker.multiprocessing-method": "forkserver",
                **{f"distributed.nanny.pre-spawn-environ.{k}": v for k, v in VARIABLES.items()},
            }
        )
        multiprocessing.set_forkserver_preload(_IMPORTED_ONCE)
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
    """Tasks report to Prefect's server; one on this machine's loopback is out of others' reach."""
    if "://" in engine.dask:
        workers_at = urlsplit(engine.dask).hostname
    elif engine.dask.split(".")[0] in ("distributed", "dask"):
        return  # a cluster of this machine
    else:
        workers_at = engine.arguments.get("scheduler_options", {}).get("host")
    server_at = urlsplit(PREFECT_API_URL.value() or "").hostname
    if server_at in _LOOPBACK and workers_at not in _LOOPBACK:
        raise ConfigError(
            f"engine.dask: the workers of {engine.dask} report to a Prefect server, and this run's "
            "server listens on this machine only; start one (`prefect server start --host …`) "
            "and set PREFECT_API_URL to a server that they reach"
        )
