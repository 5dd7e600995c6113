"""Prefect's Dask task runner, with what the tasks of a run share made once a worker.

prefect-dask serialises all settings for every task, builds them again in the worker and makes two
API clients there: 0.13 s of CPU, more than many a task takes. Here the settings and one client stay
in each worker for its next task.

Prefect and Dask each walk through every parameter down to its last number, on either side, in
search of futures: up to 40 ms for what a pickle does in one. Here they see one pickle.
"""

from __future__ import annotations

import contextvars
from collections.abc import Iterable
from functools import lru_cache
from threading import Thread
from typing import Any
from uuid import uuid4

from distributed.protocol.pickle import dumps, loads
from prefect.context import SettingsContext, SyncClientContext, serialize_context
from prefect.futures import PrefectFuture
from prefect.task_engine import run_task_sync
from prefect.tasks import Task
from prefect.utilities.annotations import quote
from prefect.utilities.collections import visit_collection
from prefect.utilities.engine import collect_task_run_inputs_sync
from prefect_dask import DaskTaskRunner
from prefect_dask.client import PrefectDaskClient
from prefect_dask.task_runners import PrefectDaskFuture

from .ending import before_the_end

_SEND_SECONDS = 0.001  # Dask's 10 ms would be waited at each stage, as it lets go of the last one


class SharingDaskTaskRunner(DaskTaskRunner):  # type: ignore[misc]  # prefect-dask has no types
    """Runs synchronous tasks of one flow run; its settings and tags are those of the first task."""

    def __init__(self, *positional: Any, **keyword: Any) -> None:
        super().__init__(*positional, **keyword)
        self._run = b""  # what Prefect hands on to every task of the run, pickled
        self._closing: Thread | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without the cluster's class: a worker has its flow's runner, and starts no cluster.

        Reading the class would import its library in a worker's thread, where it may refuse
        (dask-jobqueue sets a signal handler, which only a main thread may).
        """
        return {**self.__dict__, "cluster_class": None, "resolved_cluster_class": None}

    @property
    def client(self) -> PrefectDaskClient:
        """Dask's client, made at the first task; what it is asked reaches the scheduler at once."""
        client = super().client
        if client.scheduler_comm is not None:
            client.scheduler_comm.interval = _SEND_SECONDS
        return client

    def submit(  # type: ignore[override]  # one signature for the overloads
        self,
        task: Task[Any, Any],
        parameters: dict[str, Any],
        wait_for: Iterable[PrefectFuture[Any]] | None = None,
        dependencies: dict[str, set[Any]] | None = None,
    ) -> PrefectDaskFuture[Any]:
        """A future of the task, which begins when the futures among its parameters are there.

        A parameter may be a future or a collection of futures; deeper down they are not found.
        """
        if not self._run:
            self._run = dumps(self._shared())  # type: ignore[no-untyped-call]
        known = dependencies or {}
        inputs = {
            name: collect_task_run_inputs_sync(value, max_depth=1) | known.get(name, set())
            for name, value in parameters.items()
        }
        awaited = {n: _of_dask(value) for n, value in parameters.items() if _holds_futures(value)}
        others = {name: value for name, value in parameters.items() if name not in awaited}
        task_run_id = uuid4()
        future = self.client.submit(
            run_on_worker,
            self._run,
            dumps((task, task_run_id, others, inputs)),  # type: ignore[no-untyped-call]
            awaited,
            _of_dask(wait_for),
            key=f"{getattr(task, '__name__', task.name)}-{task_run_id.hex}",
            pure=False,
        )
        return PrefectDaskFuture(wrapped_future=future, task_run_id=task_run_id)

    def _shared(self) -> dict[str, Any]:
        """The flow run and the settings, for every task.

        Workers of this machine take the settings as they are; elsewhere Prefect builds them anew
        (30 ms) from what was set here and what the worker's own environment says.
        """
        shared = serialize_context()
        settings = SettingsContext.get()
        if settings is not None and self.address is None and self.cluster_class is None:
            shared["settings_context"] = {
                "profile": settings.profile,
                "settings": settings.settings,
            }
        return shared

    def let_go(self) -> None:
        """Begin to close the cluster, as no task follows."""
        self._closing = Thread(target=self._exit_stack.pop_all().close)
        self._closing.start()

    def __exit__(self, *exception: Any) -> None:
        if self._closing is not None:
            before_the_end(self._closing.join)
        super().__exit__(*exception)


def _holds_futures(given: Any) -> bool:
    found = []

    def look(one: Any) -> None:
        if isinstance(one, PrefectFuture):
            found.append(one)

    visit_collection(given, visit_fn=look, max_depth=1)
    return bool(found)


def _of_dask(given: Any) -> Any:
    """The same with Dask's futures in place of Prefect's: Dask waits for those."""

    def unwrapped(one: Any) -> Any:
        return one.wrapped_future if isinstance(one, PrefectDaskFuture) else one

    return visit_collection(given, visit_fn=unwrapped, return_data=True)


def run_on_worker(
    run: bytes, call: bytes, awaited: dict[str, Any], wait_for: Iterable[Any] | None
) -> Any:
    """The final state of the task; Prefect's engine retries, logs and reports as everywhere.

    call: the task, the id of its run, its parameters but those awaited, and what it depends on.
    """
    task, task_run_id, others, dependencies = loads(call)  # type: ignore[no-untyped-call]
    entered, flow_run = _entered(run)
    context = contextvars.copy_context()  # in which Dask's worker is found
    for variable, value in entered.items():
        context.run(variable.set, value)
    return context.run(
        run_task_sync,
        task=task,
        task_run_id=task_run_id,
        parameters={**awaited, **{name: quote(value) for name, value in others.items()}},
        wait_for=wait_for,
        return_type="state",
        dependencies=dependencies,
        context=flow_run,
    )


@lru_cache(maxsize=1)
def _entered(run: bytes) -> tuple[contextvars.Context, dict[str, Any]]:
    """The settings and a client, entered once for all tasks of a run on this worker; the rest."""
    flow_run = loads(run)  # type: ignore[no-untyped-call]
    context = contextvars.Context()
    context.run(SettingsContext(**flow_run.pop("settings_context")).__enter__)
    context.run(lambda: SyncClientContext().__enter__())  # closed by the end of the process
    return context, flow_run
