"""Display of flow runs in Prefect's interface: names, tags, and edges of the graph."""

from __future__ import annotations

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

from ...data.untrusted.documents import parse_toml
from ...data.untrusted.files import read_file


def flow_run_name() -> str:
    """Return a name like `Letters, 2026-11-23 06:00 UTC`: the subject, and the scheduled time.

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
            about = str(parse_toml(read_file(file), file.name)[section]["name"])
    return f"{about}, {flow_run.scheduled_start_time.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def tag_flow_run(*tags: str) -> None:
    """Add tags to the current flow run. An unreachable server does not end the run."""
    with suppress(HTTPError), get_client(sync_client=True) as client:
        identity = UUID(flow_run.id)
        known = client.read_flow_run(identity).tags
        client.update_flow_run(identity, tags=sorted({*known, *tags}))


def campaign_tag(name: str) -> str:
    return f"campaign: {name}"


def study_tag(name: str) -> str:
    return f"study: {name}"


def layer_tags(names: Iterable[str]) -> list[str]:
    return [f"layer: {name}" for name in names]


def edge_from(future: PrefectFuture[Any]) -> State[Any]:
    """Return a value for `wait_for` that shows the use of a finished task's output.

    It is the task's state without the result: as long as a Dask future is held, Dask recomputes its
    result if the worker that has it is lost.
    """
    return Completed(data=True, state_details=StateDetails(task_run_id=future.task_run_id))
