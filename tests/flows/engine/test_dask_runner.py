"""Tasks on Dask: each its own run in Prefect, with settings and a client that the worker keeps."""

from __future__ import annotations

import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event
from typing import Any

import pytest
from distributed import get_worker
from distributed.protocol.pickle import dumps
from prefect import flow, get_client, task
from prefect.client.schemas.objects import TaskRun
from prefect.context import FlowRunContext, SyncClientContext, TaskRunContext
from prefect.exceptions import ObjectNotFound
from prefect.settings import (
    PREFECT_API_SSL_CERT_FILE,
    PREFECT_CLIENT_CSRF_SUPPORT_ENABLED,
    PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    PREFECT_LOGGING_EXTRA_LOGGERS,
    get_current_settings,
    temporary_settings,
)

from accordeur.flows.campaign.file.config import Engine
from accordeur.flows.engine import ending
from accordeur.flows.engine.dask_runner import SharingDaskTaskRunner
from accordeur.flows.engine.ending import all_done

pytestmark = pytest.mark.services
ATTEMPTS: list[int] = []  # of this process, where the worker is
MAY_CLOSE = Event()


def closing() -> None:
    MAY_CLOSE.wait(30)


@pytest.fixture
def runner(prefect_server: str) -> SharingDaskTaskRunner:
    """On a worker in this process."""
    arguments = {"n_workers": 1, "threads_per_worker": 1, "processes": False}
    return SharingDaskTaskRunner(
        cluster_kwargs={
            **arguments,
            "protocol": "tcp://",
            "host": "127.0.0.1",
            "dashboard_address": "127.0.0.1:0",
        }
    )


@task
def surroundings(number: int) -> dict[str, Any]:
    flow_run, task_run, client = (
        context.get() for context in (FlowRunContext, TaskRunContext, SyncClientContext)
    )
    assert flow_run
    assert task_run
    assert client
    return {
        "number": number,
        "flow run": flow_run.flow_run.id,
        "task run": task_run.task_run.id,
        "name": task_run.task_run.name,
        "loggers": get_current_settings().logging.extra_loggers,
        "worker": get_worker().name,
        "made once": (id(client.client), id(get_current_settings())),
    }


@task
def doubled(number: int) -> int:
    return 2 * number


@task
def told(numbers: list[int], given: dict[str, Any]) -> tuple[list[int], dict[str, Any]]:
    return numbers, given


@task(retries=1, retry_delay_seconds=0)
def second_time_lucky() -> int:
    ATTEMPTS.append(1)
    if len(ATTEMPTS) == 1:
        raise OSError("not yet")
    return len(ATTEMPTS)


@task
def hopeless() -> None:
    raise LookupError("nothing here")


def until(read: Callable[[], TaskRun]) -> TaskRun:
    """What the server has of a task, which it writes within a second or two."""
    for _ in range(100):
        with suppress(ObjectNotFound):
            return read()
        time.sleep(0.1)
    return read()


def test_tasks_find_their_run_and_the_settings(runner: SharingDaskTaskRunner) -> None:
    @flow(task_runner=runner)
    def three() -> tuple[Any, list[dict[str, Any]]]:
        named = surroundings.with_options(task_run_name="number {number}")
        context = FlowRunContext.get()
        assert context
        assert context.flow_run
        futures = [named.submit(number) for number in range(3)]
        return context.flow_run.id, [one.result() for one in futures]

    with temporary_settings({PREFECT_LOGGING_EXTRA_LOGGERS: "campaign"}):
        flow_run, told = three()
    assert [one["number"] for one in told] == [0, 1, 2]
    assert {one["flow run"] for one in told} == {flow_run}
    assert len({one["task run"] for one in told}) == 3
    assert [one["name"] for one in told] == ["number 0", "number 1", "number 2"]
    assert {tuple(one["loggers"]) for one in told} == {("campaign",)}
    assert {one["worker"] for one in told} == {0}
    assert len({one["made once"] for one in told}) == 1


def test_a_task_waits_for_futures_and_prefect_knows_of_it(runner: SharingDaskTaskRunner) -> None:
    @flow(task_runner=runner)
    def chain() -> tuple[int, Any, Any]:
        first = doubled.submit(4)
        second = doubled.submit(first)  # type: ignore[arg-type]  # a future of it
        third = doubled.submit(1, wait_for=[second])
        return second.result() + third.result(), first.task_run_id, second.task_run_id

    total, first, second = chain()
    assert total == 18
    with get_client(sync_client=True) as client:
        recorded = until(lambda: client.read_task_run(second))
    inputs = recorded.task_inputs
    assert [one.id for one in inputs["number"]] == [first]  # type: ignore[union-attr]


def test_parameters_arrive_as_they_were_and_lists_of_futures_are_awaited(
    runner: SharingDaskTaskRunner,
) -> None:
    given = {"nested": [{"of": (1, 2)}, Engine(workers=3)], "empty": None}

    @flow(task_runner=runner)
    def listed() -> Any:
        return told.submit([doubled.submit(1), doubled.submit(2)], given).result()  # type: ignore[arg-type]

    numbers, arrived = listed()
    assert numbers == [2, 4]
    assert arrived == given


def test_a_worker_is_not_handed_the_class_of_its_cluster() -> None:
    """Its library may refuse to be imported in a worker's thread: dask-jobqueue does."""
    its_own = SharingDaskTaskRunner(cluster_class="distributed.SpecCluster")
    assert b"SpecCluster" not in dumps(its_own)  # type: ignore[no-untyped-call]
    assert its_own.duplicate().cluster_class == "distributed.SpecCluster"


def test_the_cluster_closes_beside_the_flows_end(
    runner: SharingDaskTaskRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ending, "_around", [])
    MAY_CLOSE.clear()

    @flow(task_runner=runner)
    def early() -> tuple[int, SharingDaskTaskRunner]:
        result = doubled.submit(4).result()
        context = FlowRunContext.get()
        assert context
        its_own = context.task_runner
        assert isinstance(its_own, SharingDaskTaskRunner)
        its_own._exit_stack.callback(closing)
        its_own.let_go()
        return result, its_own

    with all_done():
        result, its_own = early()
        assert result == 8
        assert its_own.client.status == "running"
        MAY_CLOSE.set()
    assert its_own.client.status == "closed"

    _, its_own = early()  # nobody waits for more than the flow
    assert its_own.client.status == "closed"


def test_a_stage_is_asked_for_without_waiting(runner: SharingDaskTaskRunner) -> None:
    with runner:
        assert runner.client.scheduler_comm.interval < 0.01


def test_retries_and_errors_are_prefects(runner: SharingDaskTaskRunner) -> None:
    ATTEMPTS.clear()

    @flow(task_runner=runner)
    def tried() -> tuple[int, Any]:
        lucky, lost = second_time_lucky.submit(), hopeless.submit()
        lost.wait()
        return lucky.result(), lost.state

    n_attempts, state = tried()
    assert n_attempts == 2
    assert state.is_failed()
    with pytest.raises(LookupError, match="nothing here"):
        state.result()


def test_only_a_server_of_the_users_gets_heartbeats(prefect_server: str) -> None:
    """prefect_server is one of a run's own; the variable makes it the user's for what follows."""
    from accordeur.flows.engine.runner import api_server

    assert PREFECT_FLOWS_HEARTBEAT_FREQUENCY.value() is None
    with temporary_settings(restore_defaults={PREFECT_FLOWS_HEARTBEAT_FREQUENCY}), api_server():
        assert PREFECT_FLOWS_HEARTBEAT_FREQUENCY.value() is not None


def test_clients_of_a_server_of_the_runs_own_trust_no_authority(prefect_server: str) -> None:
    """They speak plain HTTP on loopback, and are of one installation with it."""
    trusted = ssl.create_default_context(cafile=PREFECT_API_SSL_CERT_FILE.value())
    assert trusted.cert_store_stats() == {"x509": 1, "crl": 0, "x509_ca": 0}
    assert trusted.verify_mode == ssl.CERT_REQUIRED
    assert not PREFECT_CLIENT_SERVER_VERSION_CHECK_ENABLED.value()
    assert not PREFECT_CLIENT_CSRF_SUPPORT_ENABLED.value()


def test_workers_of_this_machine_take_the_settings_as_they_are() -> None:
    here = SharingDaskTaskRunner(cluster_kwargs={"n_workers": 1})
    assert here._shared()["settings_context"]["settings"] is get_current_settings()
    elsewhere = SharingDaskTaskRunner(address="tcp://192.0.2.1:8786")
    assert isinstance(elsewhere._shared()["settings_context"]["settings"], dict)


FORKED_FROM = """
import sys, threading
import accordeur.flows.engine.preloaded
from prefect.events.schemas.events import Event
assert Event.__pydantic_complete__
for name in ("anyio._backends._asyncio", *accordeur.flows.engine.preloaded.LATE):
    assert name in sys.modules, name
assert threading.active_count() == 1, threading.enumerate()
"""


def test_the_process_that_workers_are_forked_from_has_loaded_much_and_has_one_thread() -> None:
    command = [sys.executable, "-c", FORKED_FROM]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
