"""Batches of a study: run on a worker, stored as a series of trials, and reused by later runs.

The rows of a cell are the series `studies/<cell>`, numbered by trial; the cell's folder is named
after its content. A run that resumes an interrupted one, or that requests more trials, therefore
computes only what is missing, whatever the batch sizes were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...data.errors import DataError
from ...data.store.manifest import TRIAL
from ...data.store.series import Series
from ...data.store.store import Store
from ...metrics.plugins import plugin_files, require_same_plugins, require_unchanged_plugins
from ...metrics.resampling.study import Rows, run_trials
from ..logged_task import logged_task
from ..wording import counted
from .study_cells import CellSpec, build_cell, read_inputs


@dataclass(frozen=True, slots=True)
class TrialJob:
    """Some trials of a cell, stored as one file of its series. `place` is the cell's folder.

    plugins  the plugins of the process that planned it (`plugin_files`)
    """

    spec: CellSpec
    place: str
    first: int
    count: int
    plugins: dict[str, str] = field(default_factory=plugin_files, compare=False)


def trial_series(store: Store, place: str) -> Series:
    """Return the stored series of trials of a cell."""
    return Series(store, place, TRIAL)


def run_jobs(store_url: str, inputs: str, root: str, jobs: Sequence[TrialJob]) -> list[str]:
    """Run the jobs and write their rows; return one file for each job.

    Raises MetricsError if plugins are others than those of the study, or changed since their
    import.
    """
    store = Store(store_url)
    require_unchanged_plugins()
    for job in jobs:
        require_same_plugins(job.plugins)
    known = read_inputs(store_url, inputs)
    written = []
    for job in jobs:
        rows = run_trials(build_cell(job.spec, known), job.first, job.count, study=root)
        series = trial_series(store, job.place)
        written.append(series.write(job.first, job.count, table_from_rows(rows)))
    return written


run_jobs_task = logged_task(
    "run trials", run_jobs, lambda files: f"trials written to {counted(len(files), 'file')}"
)


def stored_trial_numbers(store: Store, place: str) -> NDArray[np.int64]:
    """Return the numbers of the trials whose rows are stored and intact."""
    return trial_series(store, place).numbers()


def read_rows(store: Store, place: str, trials: int) -> Rows:
    """Return the rows of a cell's first `trials` trials, in order.

    Raises DataError if any trial is missing.
    """
    table = trial_series(store, place).read(0, trials)
    if table is None:
        raise DataError(
            f"{place} in the store {store.url} lacks some of the {trials} trials; run again"
        )
    return rows_from_table(table)


def table_from_rows(rows: Rows) -> pa.Table:
    """Convert rows to a table; a two-dimensional column becomes a fixed-size list column."""
    columns = {}
    for name, column in rows.items():
        values: Any = pa.array(np.ascontiguousarray(column).reshape(-1))
        if column.ndim == 2:
            values = pa.FixedSizeListArray.from_arrays(values, column.shape[1])
        columns[name] = values
    return pa.table(columns)


def rows_from_table(table: pa.Table) -> Rows:
    rows: Rows = {}
    for name in table.column_names:
        column = table[name].combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = column.chunk(0)
        if pa.types.is_fixed_size_list(column.type):
            flat = column.flatten().to_numpy(zero_copy_only=False)
            rows[name] = flat.reshape(len(column), column.type.list_size)
        else:
            rows[name] = column.to_numpy(zero_copy_only=False)
    return rows
