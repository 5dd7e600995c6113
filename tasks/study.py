"""Batches of a study: run on a worker, kept as Parquet files, found again by a later run.

The rows of trials first .. first + count - 1 of a cell are one file, `studies/<cell>/<first>-
<count>.parquet`; the cell's folder is named by its content. So a run that was killed, or that asks
for more trials, computes what is missing, whatever the size of the batches was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from prefect import task

from data.store import Store
from metrics.resampling.study import Rows, join_rows, run_trials
from tasks.study_cells import CellSpec, build_cell, read_inputs

_FILE = re.compile(r"(\d+)-(\d+)\.parquet$")


@dataclass(frozen=True, slots=True)
class Job:
    """Some trials of a cell: one file. `key` is the cell's folder."""

    spec: CellSpec
    key: str
    first: int
    count: int

    @property
    def path(self) -> str:
        return f"studies/{self.key}/{self.first:09d}-{self.count}.parquet"


def run_jobs(store_url: str, inputs: str, root: str, jobs: Sequence[Job]) -> list[str]:
    """Run the jobs and write their rows; returns the files, one each."""
    store = Store(store_url)
    known = read_inputs(store_url, inputs)
    written = []
    for job in jobs:
        rows = run_trials(build_cell(job.spec, known), job.first, job.count, study=root)
        written.append(store.write_table(job.path, rows_table(rows)))
    return written


@task(name="run trials")
def run_jobs_task(store_url: str, inputs: str, root: str, jobs: Sequence[Job]) -> list[str]:
    return run_jobs(store_url, inputs, root, jobs)


def kept_trials(store: Store, key: str) -> NDArray[np.int64]:
    """Numbers of the trials whose rows are whole in the store."""
    ranges = [np.arange(first, first + count) for first, count, _ in _files(store, key)]
    return np.concatenate([np.empty(0, np.int64), *ranges]).astype(np.int64)


def read_rows(store: Store, key: str, trials: int) -> Rows:
    """The rows of a cell's first `trials` trials, in their order."""
    parts = [
        table_rows(store.read_table(path))
        for first, _, path in _files(store, key)
        if first < trials
    ]
    rows = join_rows(parts)
    wanted = (
        np.asarray(rows["trial"], dtype=np.int64) < trials
    )  # an earlier run may have asked for more
    return {name: column[wanted] for name, column in rows.items()}


def _files(store: Store, key: str) -> Iterable[tuple[int, int, str]]:
    for path in store.list(f"studies/{key}"):
        found = _FILE.search(path)
        if found and store.is_whole(path):
            yield int(found[1]), int(found[2]), path


def rows_table(rows: Rows) -> pa.Table:
    """Rows as a table; a column with two dimensions becomes one of lists of that length."""
    columns = {}
    for name, column in rows.items():
        values: Any = pa.array(np.ascontiguousarray(column).reshape(-1))
        if column.ndim == 2:
            values = pa.FixedSizeListArray.from_arrays(values, column.shape[1])
        columns[name] = values
    return pa.table(columns)


def table_rows(table: pa.Table) -> Rows:
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
