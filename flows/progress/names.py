"""Names of tasks in Prefect's interface, Dask's dashboard and logs: stage and part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_MOST = 4


def name_task(task: Any, what: str, *, stage: str = "", **options: Any) -> Any:
    """Return the task named `STAGE, WHAT`, with Prefect's `options`; Dask groups by stage.

    stage  default: the task's own name
    """
    stage = stage or task.name
    name = f"{stage}, {what}"
    changed = task.with_options(name=stage, task_run_name=lambda: name, **options)
    # Dask keys start with the function name; the part before the first "-" is the stage.
    changed.__name__ = f"{stage}-{what}"
    return changed


def shards_named(numbers: Iterable[int]) -> str:
    """Return `shard 3`, `shards 0 to 2, 8`, `shards 0, 8, 16, 24, … (64)`."""
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


def name_of_range(kind: str, jobs: Sequence[Any]) -> str:
    """Return `samples 0 to 74`: the range of numbers of jobs with `first` and `count`."""
    first = min(job.first for job in jobs)
    last = max(job.first + job.count for job in jobs) - 1
    return f"{kind} {first} to {last}"


def name_of_jobs(jobs: Sequence[Any]) -> str:
    """Name a study's jobs: their cells, or the trials of a single cell."""
    cells = list(dict.fromkeys(job.spec.name for job in jobs))
    if len(cells) > 1:
        return f"{len(cells)} cells from {cells[0]}"
    return f"{cells[0]}, {name_of_range('trials', jobs)}"
