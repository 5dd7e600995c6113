"""One Prefect API server and one Dask cluster for a run, whatever the machine.

Without a server of the user's (`PREFECT_API_URL`), every Dask worker would start its own: here one
is started for the run and shared by all workers, and stopped only after the logs have been sent.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dask
import distributed
from prefect.client.schemas.objects import State
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker, PrefectConsoleHandler
from prefect.settings import (
    PREFECT_API_AUTH_STRING,
    PREFECT_API_SSL_CERT_FILE,
    PREFECT_API_URL,
    PREFECT_CLIENT_CSRF_SUPPORT_ENABLED,
    PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    temporary_settings,
)

from ...data.errors import StoreError
from ..campaign.file.config import Engine
from ..errors import is_users
from ..toml_file import ConfigError
from .dask_runner import SharingDaskTaskRunner
from .ending import all_done
from .private_folder import private_folder
from .server import Server, start_server, stop_servers
from .startup import start_fork_server

_DRAIN_SECONDS = 10.0
_NO_AUTHORITY = Path(__file__).with_name("no_authority.pem")  # expired, and its key was not kept
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@contextmanager
def api_server(*, quiet: bool = True) -> Iterator[str]:
    """The API's URL: the user's server when one is configured, else one for this run only.

    `quiet` keeps Prefect's and Dask's own log lines off the terminal; Prefect's API has them.
    """
    if quiet:
        _quieten()
    if PREFECT_API_URL.value():
        stop_servers(but=PREFECT_API_URL.value())  # started before the settings were known
        yield PREFECT_API_URL.value()
        return
    server = start_server()
    try:
        with temporary_settings(_alone_with(server)), all_done():
            yield server.url
    finally:
        APILogWorker.drain_all(timeout=_DRAIN_SECONDS)
        EventsWorker.drain_all(timeout=_DRAIN_SECONDS)
        server.stop()


def _alone_with(server: Server) -> dict[Any, Any]:
    """Settings of who talks to a server of this run's own only, once it answers."""
    return {
        PREFECT_API_URL: server.wait(),
        PREFECT_API_AUTH_STRING: server.password,
        # Nobody looks for heartbeats there, and a flow waits a second to end its own.
        PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None,
        PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED: False,  # it is this installation's
        PREFECT_CLIENT_CSRF_SUPPORT_ENABLED: False,  # it gives no such tokens
        # Each client reads the authorities that it would trust, 15 ms of CPU for all of certifi's,
        # though it speaks plain HTTP on loopback: here it trusts nobody.
        PREFECT_API_SSL_CERT_FILE: str(_NO_AUTHORITY),
    }


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


def seconds_of_workers(futures: Sequence[Any]) -> float:
    """What these tasks took on their workers, summed, as Dask's scheduler has seen it."""
    wrapped = [getattr(one, "wrapped_future", None) for one in futures]
    on_dask = [one for one in wrapped if isinstance(one, distributed.Future)]
    if not on_dask:
        return 0.0
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


def task_runner(engine: Engine) -> SharingDaskTaskRunner:
    """Dask as the campaign file says: this machine, a scheduler's address, or a cluster class.

    Raises ConfigError when the class cannot be imported, or workers elsewhere could not report.
    """
    if engine.dask == "local":
        start_fork_server()
        dask.config.set(
            {
                "distributed.worker.multiprocessing-method": "forkserver",
                "temporary-directory": str(private_folder()),
                "distributed.worker.profile.enabled": False,  # a twelfth of their time
                # How late its loops are, Dask looks at 50 times a second in each of them.
                "distributed.admin.tick.interval": "1s",
            }
        )
        return SharingDaskTaskRunner(
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
        _require_reachable_server(engine)
        return SharingDaskTaskRunner(address=engine.dask)
    module, _, name = engine.dask.rpartition(".")
    try:
        cluster_class = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"engine.dask: the cluster class {engine.dask!r} cannot be imported ({error}); install "
            "its package (dask-jobqueue, dask-kubernetes, …) in this environment"
        ) from None
    _require_reachable_server(engine)
    arguments = dict(engine.arguments)
    if not engine.adaptive:
        arguments.setdefault("n_workers", engine.workers)
    return SharingDaskTaskRunner(
        cluster_class=cluster_class,
        cluster_kwargs=arguments,
        adapt_kwargs={"minimum": 1, "maximum": engine.workers} if engine.adaptive else None,
    )


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
            "answers on this machine only; start one (`prefect server start --host …`) and set "
            "PREFECT_API_URL to a server that they reach"
        )
