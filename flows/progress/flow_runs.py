"""How flow runs appear in Prefect's interface: their names, their tags, the edges of the graph."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from typing import Any
from uuid import UUID

from httpx import HTTPError
from prefect import get_client
from prefect.client.schemas.objects import State, StateDetails
from prefect.futures import PrefectFuture
from prefect.runtime import flow_run
from prefect.states import Completed


def flow_run_name() -> str:
    """`Letters, 2026-11-23 06:00 UTC`: what the run is about, and when it was due.

    For the `flow_run_name` of flows whose parameter `campaign` or `study` is a TOML file: the name
    that the file declares, else the name of the file.
    """
    parameters = flow_run.parameters
    section = next((one for one in ("campaign", "study") if parameters.get(one)), "")
    about = str(flow_run.flow_name)
    if section:
        file = Path(parameters[section])
        about = file.stem
        with suppress(OSError, ValueError, KeyError, TypeError):
            about = str(tomllib.loads(file.read_text(encoding="utf-8"))[section]["name"])
    return f"{about}, {flow_run.scheduled_start_time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def tag_flow_run(*tags: str) -> None:
    """Add tags to the flow run under way. A server that is away does not end the run."""
    with suppress(HTTPError), get_client(sync_client=True) as client:
        identity = UUID(flow_run.id)
        known = client.read_flow_run(identity).tags
        client.update_flow_run(identity, tags=sorted({*known, *tags}))


def campaign_tag(name: str) -> str:
    return f"campaign: {name}"


def layer_tags(names: Iterable[str]) -> list[str]:
    return [f"layer: {name}" for name in names]


def edge_from(future: PrefectFuture[Any]) -> State[Any]:
    """What a task takes as `wait_for` to show that it uses what a finished task has made.

    Its state without its result: as long as a future of Dask's is held, Dask computes its
    result again when the worker that has it is lost.
    """
    return Completed(data=True, state_details=StateDetails(task_run_id=future.task_run_id))
