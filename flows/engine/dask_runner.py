"""Prefect's Dask task runner, with what the tasks of a run share made once a worker.

prefect-dask serialises all settings for every task, builds them again in the worker and makes two
API clients there: 0.13 s of CPU, more than many a task takes. Here the settings and one client stay
in each worker for its next task.
"""

from __future__ import annotations

import contextvars
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid4

from distributed.protocol.pickle import dumps, loads
from prefect.context import SettingsContext, SyncClientContext, serialize_context
from prefect.futures import PrefectFuture
from prefect.task_engine import run_task_sync
from prefect.tasks import Task
from prefect.utilities.collections import visit_collection
from prefect.utilities.engine import collect_task_run_inputs_sync
from prefect_dask import DaskTaskRunner
from prefect_dask.task_runners import PrefectDaskFuture


class SharingDaskTaskRunner(DaskTaskRunner):  # type: ignore[misc]  # prefect-dask has no types
    """Runs synchronous tasks of one flow run; its settings and tags are those of the first task."""

    def __init__(self, *positional: Any, **keyword: Any) -> None:
        super().__init__(*positional, **keyword)
        self._settings = b""  # of the run, pickled
        self._flow_run: dict[str, Any] = {}  # what else Prefect hands on to a task

    def submit(  # type: ignore[override]  # one signature for the overloads
        self,
        task: Task[Any, Any],
        parameters: dict[str, Any],
        wait_for: Iterable[PrefectFuture[Any]] | None = None,
        dependencies: dict[str, set[Any]] | None = None,
    ) -> PrefectDaskFuture[Any]:
        """A future of the task, which begins when the futures among its parameters are there."""
        if not self._settings:
            self._flow_run = serialize_context()
            self._settings = dumps(self._flow_run.pop("settings_context"))  # type: ignore[no-untyped-call]
        known = dependencies or {}
        inputs = {
            name: collect_task_run_inputs_sync(value) | known.get(name, set())
            for name, value in parameters.items()
        }
        task_run_id = uuid4()
        future = self.client.submit(
            run_on_worker,
            self._settings,
            self._flow_run,
            task,
            task_run_id,
            _of_dask(parameters),
            _of_dask(wait_for),
            inputs,
            key=f"{getattr(task, '__name__', task.name)}-{task_run_id.hex}",
            pure=False,
        )
        return PrefectDaskFuture(wrapped_future=future, task_run_id=task_run_id)


def _of_dask(given: Any) -> Any:
    """The same with Dask's futures in place of Prefect's: Dask waits for those."""

    def unwrapped(one: Any) -> Any:
        return one.wrapped_future if isinstance(one, PrefectDaskFuture) else one

    return visit_collection(given, visit_fn=unwrapped, return_data=True)


def run_on_worker(
    settings: bytes,
    flow_run: dict[str, Any],
    task: Task[Any, Any],
    task_run_id: UUID,
    parameters: dict[str, Any],
    wait_for: Iterable[Any] | None,
    dependencies: dict[str, set[Any]],
) -> Any:
    """The final state of the task; Prefect's engine retries, logs and reports as everywhere."""
    context = contextvars.copy_context()  # in which Dask's worker is found
    for variable, value in _entered(settings).items():
        context.run(variable.set, value)
    return context.run(
        run_task_sync,
        task=task,
        task_run_id=task_run_id,
        parameters=parameters,
        wait_for=wait_for,
        return_type="state",
        dependencies=dependencies,
        context=flow_run,
    )


@lru_cache(maxsize=1)
def _entered(settings: bytes) -> contextvars.Context:
    """The settings and a client, entered once for all tasks of a run on this worker."""
    context = contextvars.Context()
    context.run(SettingsContext(**loads(settings)).__enter__)  # type: ignore[no-untyped-call]
    context.run(lambda: SyncClientContext().__enter__())  # closed by the end of the process
    return context
