"""Serving of a flow from this process: on a schedule, or when its exports change."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import copy_context
from pathlib import Path
from typing import Any

import httpx
from prefect import Flow
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import (
    ConcurrencyLimitConfig,
    ConcurrencyLimitStrategy,
    FlowRun,
)
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments import run_deployment
from prefect.logging import get_logger
from prefect.runner import Runner
from prefect.schedules import Cron, Schedule
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings
from prefect.types.entrypoint import EntrypointType
from pydantic import ValidationError

from ..engine.server import start_server, stop_servers
from ..errors import UserError
from ..secret_settings import MissingSecretError, resolve_setting
from ..watch import EXPORTS_CHANGED, keep_watching
from .webhook import Gatekeeper, listening

POLL_SECONDS = 5
TOLD = "told by webhook"  # tag of runs that a request started


@contextmanager
def scheduling_server() -> Iterator[str]:
    """Yield the API's URL: the configured server, else a new one with a scheduler.

    Raises UserError if neither is available.
    """
    url = PREFECT_API_URL.value()
    if url:
        try:
            httpx.get(f"{url}/health", timeout=10).raise_for_status()
        except httpx.HTTPError as error:
            raise UserError(
                f"the Prefect server at {httpx.URL(url).host} (PREFECT_API_URL) does not answer "
                f"({type(error).__name__}): start it, or unset PREFECT_API_URL to have one started"
            ) from None
        yield url
        return
    try:
        server = start_server(scheduler=True)
        url = server.wait()
        with temporary_settings({PREFECT_API_URL: url, PREFECT_API_AUTH_STRING: server.password}):
            yield url
    finally:
        stop_servers()


def cron_schedule(cron: str, timezone: str) -> Schedule:
    """Parse a cron schedule. Raises UserError for an invalid schedule or an unknown time zone."""
    try:
        CronSchedule(cron=cron, timezone=timezone)
    except ValidationError as error:
        if error.errors()[0]["loc"] == ("timezone",):
            raise UserError(
                f"--timezone {timezone!r}: unknown time zone; give a name such as 'Europe/Paris'"
            ) from None
        raise UserError(
            f"--cron {cron!r}: give minute, hour, day, month and weekday, such as '0 6 * * 1' for "
            "Mondays at six"
        ) from None
    return Cron(cron, timezone=timezone)


def serve_flow(
    served: Flow[Any, Any],
    file: Path,
    parameters: dict[str, Any],
    *,
    name: str,
    schedule: Schedule | None = None,
    watch_seconds: float | None = None,
    webhook: tuple[str, str] | None = None,
    tags: Sequence[str] = (),
) -> None:
    """Serve until interrupted. Runs are sequential: a run that becomes due during another waits.

    name           of the deployment; another file's of the same name and server would replace it
    schedule       when runs are due; None: only on request or when a watch detects new exports
    watch_seconds  interval of checking the exports of the campaign file; None: not watched
    webhook        HOST:PORT and token of requests that start a run; None: no server for them
    tags           tags of the deployment, and so of its runs
    """
    runner = Runner(name=name, query_seconds=POLL_SECONDS, limit=1)
    runner.add_flow(
        served,
        name=name,
        schedule=schedule,
        parameters=parameters,
        tags=list(tags),
        description=served.description,
        concurrency_limit=ConcurrencyLimitConfig(
            limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE
        ),
        entrypoint_type=EntrypointType.MODULE_PATH,
    )
    over, at_the_end = threading.Event(), ExitStack()
    if webhook is not None:
        try:
            at_the_end.enter_context(_webhook(*webhook, f"{served.name}/{name}"))
        except OSError as error:
            raise UserError(
                f"trigger.webhook: {webhook[0]} cannot be listened on ({error.strerror})"
            ) from None
    if watch_seconds is not None:
        deployment = f"{served.name}/{name}"
        settings = copy_context()  # contains Prefect's server address
        threading.Thread(
            target=settings.run,
            args=(_watch_file, file, deployment, watch_seconds, over),
            daemon=True,
        ).start()
    try:
        # In a second thread, as in the main thread the runner would handle the command's signals.
        serving = ThreadPoolExecutor(1).submit(copy_context().run, asyncio.run, runner.start())
        serving.result()
    finally:
        over.set()
        at_the_end.close()


def _webhook(address: str, token: str, deployment: str) -> AbstractContextManager[int]:
    """Listen for requests that start a run. Raises UserError without a token."""
    host, _, port = address.rpartition(":")
    settings, last = copy_context(), list[FlowRun]()

    def start() -> None:
        try:
            if not last or not settings.run(_is_waiting, last[-1]):
                last[:] = [settings.run(_start_of, deployment)]
        except Exception as error:  # noqa: BLE001 - the next request may find a server
            get_logger("accordeur.webhook").warning("no run was started: %s", error)

    try:
        return listening((host, int(port)), Gatekeeper(resolve_setting(token)), start)
    except MissingSecretError as error:
        raise UserError(f"trigger.token: {error}") from None


def _start_of(deployment: str) -> FlowRun:
    started: Any = run_deployment(deployment, timeout=0, as_subflow=False, tags=[TOLD])
    return started  # type: ignore[no-any-return]  # run_deployment is also a coroutine


def _is_waiting(run: FlowRun) -> bool:
    """Whether a run has not begun, so that it will see what a later request speaks of."""
    with get_client(sync_client=True) as client:
        state = client.read_flow_run(run.id).state
    return state is not None and state.is_scheduled()


def _watch_file(file: Path, deployment: str, seconds: float, over: threading.Event) -> None:
    """Watch while the flow is served; an error in one check is logged and does not end it."""

    def start() -> None:
        run_deployment(deployment, timeout=0, as_subflow=False, tags=[EXPORTS_CHANGED])

    while not over.is_set():
        try:
            keep_watching(file, start, seconds=seconds, until=over)
        except Exception as error:  # noqa: BLE001 - an unreachable store, a half-written file
            get_logger("accordeur.watch").warning("still watching after an error: %s", error)
            over.wait(seconds)
