"""One Prefect API server and one Dask cluster for a run, whatever the machine.

Without a server of the user's (`PREFECT_API_URL`), every Dask worker would start its own: here one
is started for the run and shared by all workers, and stopped only after the logs have been sent.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

os.environ.setdefault("DO_NOT_TRACK", "1")
os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")

from prefect.client.schemas.objects import State
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker, PrefectConsoleHandler
from prefect.server.api.server import SubprocessASGIServer
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS,
    temporary_settings,
)
from prefect_dask import DaskTaskRunner

from data.errors import DataError, StoreError
from flows.config import ConfigError, Engine
from flows.errors import UserError
from metrics.errors import MetricsError

_DRAIN_SECONDS = 10.0
_START_SECONDS = 180  # the first start makes the database; on a busy machine it takes a minute


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
    with temporary_settings({PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS: _START_SECONDS}):
        server = SubprocessASGIServer()
        server.start()
        try:
            with temporary_settings({PREFECT_API_URL: server.api_url}):
                yield server.api_url
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
    return not isinstance(error, (DataError, MetricsError, UserError))


def task_runner(engine: Engine) -> DaskTaskRunner:
    """Dask as the campaign file says: this machine, a scheduler's address, or a cluster class."""
    if engine.dask == "local":
        return DaskTaskRunner(
            cluster_kwargs={
                "n_workers": engine.workers,
                "threads_per_worker": 1,
                "dashboard_address": "127.0.0.1:0",
                "host": "127.0.0.1",
                "silence_logs": logging.ERROR,
                **engine.arguments,
            },
            adapt_kwargs={"minimum": 1, "maximum": engine.workers} if engine.adaptive else None,
        )
    if "://" in engine.dask:
        return DaskTaskRunner(address=engine.dask)
    module, _, name = engine.dask.rpartition(".")
    try:
        cluster_class = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"engine.dask: the cluster class {engine.dask!r} cannot be imported ({error}); install "
            "its package (dask-jobqueue, dask-kubernetes, …) in this environment"
        ) from None
    arguments = dict(engine.arguments)
    if not engine.adaptive:
        arguments.setdefault("n_workers", engine.workers)
    return DaskTaskRunner(
        cluster_class=cluster_class,
        cluster_kwargs=arguments,
        adapt_kwargs={"minimum": 1, "maximum": engine.workers} if engine.adaptive else None,
    )
