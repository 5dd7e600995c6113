"""What tasks are called in Prefect's interface, in Dask's dashboard and in logs: stage and part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_MOST = 4


def name_task(task: Any, what: str, *, stage: str = "", **options: Any) -> Any:
    """The task under the name `STAGE, WHAT`, with Prefect's `options`; Dask groups by the stage.

    stage  the task's own name unless given
    """
    stage = stage or task.name
    name = f"{stage}, {what}"
    changed = task.with_options(name=stage, task_run_name=lambda: name, **options)
    # Dask's keys begin with the name of the function: up to the first "-" it is the stage.
    changed.__name__ = f"{stage}-{what}"
    return changed


def shards_named(numbers: Iterable[int]) -> str:
    """`shard 3`, `shards 0 to 2, 8`, `shards 0, 8, 16, 24, … (64)`."""
    runs: list[list[int]] = []
    listed = sorted(numbers)
    for number in listed:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    said = [f"{a}" if a == b else f"{a} to {b}" for a, b in runs]
    if len(said) > _MOST:
        said = [*said[:_MOST], f"… ({len(listed)})"]
    return f"shard{'s' if len(listed) > 1 else ''} {', '.join(said)}"


def ranges_named(kind: str, jobs: Sequence[Any]) -> str:
    """`samples 0 to 74`: from the lowest to the highest number of jobs with `first` and `count`."""
    first = min(job.first for job in jobs)
    last = max(job.first + job.count for job in jobs) - 1
    return f"{kind} {first} to {last}"


def jobs_named(jobs: Sequence[Any]) -> str:
    """Of a study's jobs: their cells, and the trials of one cell."""
    cells = list(dict.fromkeys(job.spec.name for job in jobs))
    if len(cells) > 1:
        return f"{len(cells)} cells from {cells[0]}"
    return f"{cells[0]}, {ranges_named('trials', jobs)}"
