"""What tasks are called: in Prefect's interface, in Dask's dashboard."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from dask.utils import key_split
from distributed import Client, LocalCluster
from prefect.client.orchestration import get_client
from prefect.client.schemas.sorting import TaskRunSort

from flows.progress.names import shards_named
from tests.flows.small import write_small


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ([3], "shard 3"),
        ([2, 0, 1, 8], "shards 0–2, 8"),
        (range(0, 64, 8), "shards 0, 8, 16, 24, … (8)"),
    ],
)
def test_shards_are_said_shortly(numbers: list[int], said: str) -> None:
    assert shards_named(numbers) == said


async def _task_names() -> set[str]:
    latest = TaskRunSort.EXPECTED_START_TIME_DESC  # a page of 200, of all that the session ran
    async with get_client() as client:
        return {one.name for one in await client.read_task_runs(sort=latest)}


@pytest.mark.services
def test_tasks_are_called_by_stage_and_shard(
    tmp_path: Path, run_campaign: Callable[..., tuple[dict[str, Any], Any]]
) -> None:
    expected = {
        "ingest, source 1", "ingest, source 2", "validate, shard 0", "count labels, shard 0",
        "summarise labels, labels", "align units, units, shard 0",
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
    for _ in range(50):  # the server writes what tasks report within a second or two
        names = asyncio.run(_task_names())
        if expected <= names and any(name.startswith("measure units") for name in names):
            break
        time.sleep(0.2)
    assert expected <= names
    assert any(name.startswith("measure units, units, gamma") for name in names)
