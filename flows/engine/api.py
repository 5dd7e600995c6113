"""The Prefect API for a flow and its tasks.

Without a server configured by the user (`PREFECT_API_URL`), every Dask worker would start its own.
Therefore one server is started for the run and shared by all workers; it is stopped only after the
logs have been sent.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from prefect import settings
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker, PrefectConsoleHandler
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from .server import start_server

_DRAIN_SECONDS = 10.0
# Nobody watches the runs of a server that ends with them, and each run waits up to a second for
# its last heartbeat. Prefect 3.6 sends none and has no such setting.
_HEARTBEAT = getattr(settings, "PREFECT_FLOWS_HEARTBEAT_FREQUENCY", None)
_NO_HEARTBEAT = {_HEARTBEAT: None} if _HEARTBEAT else {}


@contextmanager
def api_server(*, quiet: bool = True) -> Iterator[str]:
    """Yield the API's URL: the configured server, else a server for this run only.

    `quiet` keeps log lines of Prefect and Dask off the terminal; they are still sent to the API.
    """
    if quiet:
        _silence_loggers()
    if PREFECT_API_URL.value():
        yield PREFECT_API_URL.value()
        return
    server = start_server()
    try:
        url = server.wait()
        access = {PREFECT_API_URL: url, PREFECT_API_AUTH_STRING: server.password}
        with temporary_settings({**access, **_NO_HEARTBEAT}):
            yield url
    finally:
        APILogWorker.drain_all(timeout=_DRAIN_SECONDS)
        EventsWorker.drain_all(timeout=_DRAIN_SECONDS)
        server.stop()


def _silence_loggers() -> None:
    os.environ["PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"] = "CRITICAL"  # for the workers
    names = [name for name in logging.root.manager.loggerDict if name.startswith("prefect")]
    for name in ("", *names):
        for handler in logging.getLogger(name).handlers:
            if isinstance(handler, PrefectConsoleHandler):
                handler.setLevel(logging.CRITICAL)
    for name in ("distributed", "distributed.http.proxy", "asyncio", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
