"""What tasks are called: in Prefect's interface, in Dask's dashboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from dask.utils import key_split
from distributed import Client, LocalCluster
from prefect import task_engine
from prefect.client.schemas.objects import TaskRun

from accordeur.flows.progress.names import shards_named
from tests.flows.small import write_small


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([3], "shard 3"),
        ([2, 0, 1, 8], "shards 0 to 2, 8"),
        (range(0, 64, 8), "shards 0, 8, 16, 24, … (8)"),
    ],
)
def test_shards_are_said_shortly(numbers: list[int], said: str) -> None:
    assert shards_named(numbers) == said


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[UUID, str]:
    """Run of a task → the name that it last reports under, of tasks that run in this process.

    The server writes reports down in its own time: what it holds says nothing of what it was told.
    """
    names: dict[UUID, str] = {}
    report = task_engine.emit_task_run_state_change_event

    def noted(task_run: TaskRun, **rest: Any) -> Any:
        names[task_run.id] = task_run.name
        return report(task_run=task_run, **rest)

    monkeypatch.setattr(task_engine, "emit_task_run_state_change_event", noted)
    return names


@pytest.mark.long
@pytest.mark.services
def test_tasks_are_called_by_stage_and_shard(
    tmp_path: Path,
    run_campaign: Callable[..., tuple[dict[str, Any], Any]],
    told: dict[UUID, str],
) -> None:
    expected = {
        "ingest, source 1", "ingest, source 2", "validate, shard 0", "count labels, shard 0",
        "agreement, labels", "align units, shard 0",
    }  # fmt: skip
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            processes=False,
            protocol="tcp://",
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        Client(cluster) as client,
    ):
        client.get_task_stream()  # the scheduler remembers from now on
        run_campaign(write_small(tmp_path, f'dask = "{cluster.scheduler_address}"'))
        on_dask = {str(one["key"]).rpartition("-")[0] for one in client.get_task_stream()}
    assert {name.replace(", ", "-", 1) for name in expected} <= on_dask
    assert {"validate", "align units", "count labels"} <= {key_split(key) for key in on_dask}
    names = set(told.values())
    assert expected <= names
    assert any(name.startswith("measure units, units, gamma") for name in names)
