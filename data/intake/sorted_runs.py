"""Merge sorted runs of a table, so that the rows of a shard are adjacent in long sources.

A spill writes a *run* each time its memory is full, and each run spans all slots. Without merging,
every shard would search every run, and the cost would grow with the square of the source's length.
An external merge sort (Knuth 1998, section 5.4) writes files that each hold a range of slots, given
in their names: `units-00078-00000000-07a3c1ff.parquet`. One or two row groups of each run are in
memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

import numpy as np
import pyarrow as pa

from ..store.parquet_format import table_writer
from ..store.store import Store

SLOT_BITS = 32
_END = 1 << SLOT_BITS
MOST_RUNS = 4  # runs that a shard reads from; more are merged
FAN_IN = 64  # runs merged at once, in 200 MB; a source of 128 million rows is written twice
_ROWS_IN_GROUP, _BYTES_IN_GROUP = 4_096, 1 << 20  # texts may be long
_BYTES_IN_FILE = 1 << 25
_RANGE = re.compile(r"-([0-9a-f]{8})-([0-9a-f]{8})\.parquet$")


def merge_runs(
    store: Store, stem: str, paths: Sequence[str], *, rows_in_file: int, fan_in: int = FAN_IN
) -> list[str]:
    """Merge runs and return the files that now hold their rows; up to `MOST_RUNS` stay unmerged.

    paths: runs in the order in which their rows were read, each sorted by slot and row, its first
    two columns. They are deleted after merging. stem: prefix of the file names.
    """
    runs = [[path] for path in paths]
    n_written = len(paths)
    while len(runs) > MOST_RUNS:
        longer = []
        n_merges = -(-len(runs) // fan_in)
        for bounds in np.array_split(np.arange(len(runs)), n_merges):
            several = runs[bounds[0] : bounds[-1] + 1]
            files = []
            for first, last, rows in _cut_into_files(_merge_runs(store, several), rows_in_file):
                path = f"{stem}-{n_written:05d}-{first:08x}-{last:08x}.parquet"
                files.append(store.write_bytes(path, parquet_of_sorted_rows(rows)))
                n_written += 1
            for path in chain(*several):
                store.delete(path)
            longer.append(files)
        runs = longer
    return list(chain(*runs))


def paths_in_range(paths: Sequence[str], low: int, high: int) -> list[str]:
    """Return the paths whose names state a range that overlaps low ≤ slot < high."""
    found = []
    for path in paths:
        bounds = _RANGE.search(path)
        if bounds is None or (int(bounds[1], 16) < high and low <= int(bounds[2], 16)):
            found.append(path)
    return found


def parquet_of_sorted_rows(rows: pa.Table) -> pa.Buffer:
    """Return sorted rows as Parquet in row groups small enough for a shard to read a few."""
    sink = pa.BufferOutputStream()
    with table_writer(sink, rows.schema) as writer:
        writer.write_table(rows, row_group_size=rows_in_group(rows))
    return sink.getvalue()


def rows_in_group(rows: pa.Table) -> int:
    """Return the number of rows per row group for this table."""
    of_bytes = rows.num_rows * _BYTES_IN_GROUP // max(1, rows.nbytes)
    return max(1, min(_ROWS_IN_GROUP, of_bytes))


class _Run:
    """The unread part of a run; `rows` is the part in memory."""

    def __init__(self, store: Store, paths: Sequence[str]) -> None:
        self._groups = chain.from_iterable(store.row_groups(path) for path in paths)
        self._size = 0  # rows of a row group
        self.is_read = False
        self.rows = pa.table({"slot": pa.array([], pa.uint32())})
        self.read_until_two_slots()

    def read_until_two_slots(self) -> None:
        """Read until the rows in memory cover more than one slot, or the run ends."""
        while not self.is_read and (
            self.rows.num_rows < max(1, self._size)
            or _slot_at(self.rows, 0) == _slot_at(self.rows, -1)
        ):
            group = next(self._groups, None)
            if group is None:
                self.is_read = True
            else:
                self._size = group.num_rows
                self.rows = pa.concat_tables([self.rows, group]) if self.rows.num_rows else group

    def take_below(self, end: int) -> pa.Table:
        """Return and drop the rows in memory with slots below `end`."""
        n = int(self.rows["slot"].to_numpy().searchsorted(end))
        taken, self.rows = self.rows.slice(0, n), self.rows.slice(n)
        return taken


def _merge_runs(store: Store, runs: Sequence[Sequence[str]]) -> Iterator[tuple[int, pa.Table]]:
    """Yield (end, rows with slots below `end` and not below the previous end), by slot and row."""
    left = [_Run(store, paths) for paths in runs]
    end = 0
    while end < _END:
        for run in left:
            run.read_until_two_slots()
        end = min((_slot_at(run.rows, -1) for run in left if not run.is_read), default=_END)
        parts = [part for run in left if (part := run.take_below(end)).num_rows]
        if parts:
            yield end, _sort_by_slot(parts)


def _sort_by_slot(parts: Sequence[pa.Table]) -> pa.Table:
    """Sort stably by slot, so that rows of an earlier run stay first."""
    rows = pa.concat_tables(parts).combine_chunks()
    return rows.take(pa.array(rows["slot"].to_numpy().argsort(kind="stable")))


def _cut_into_files(
    merged: Iterator[tuple[int, pa.Table]], rows_in_file: int
) -> Iterator[tuple[int, int, pa.Table]]:
    """Yield (first slot, last slot, rows) per file; the ranges leave no slot out."""
    waiting: list[pa.Table] = []
    first = 0
    for end, rows in merged:
        waiting.append(rows)
        if _files_needed(waiting, rows_in_file) >= 1:
            yield from _cut_evenly(waiting, first, end, rows_in_file)
            waiting, first = [], end
    if waiting:
        yield from _cut_evenly(waiting, first, _END, rows_in_file)


def _cut_evenly(
    waiting: Sequence[pa.Table], first: int, end: int, rows_in_file: int
) -> Iterator[tuple[int, int, pa.Table]]:
    """Yield files of about equal size; all rows of a slot are in the same file."""
    rows = pa.concat_tables(waiting)
    slots = rows["slot"].to_numpy()
    n = max(1, int(_files_needed(waiting, rows_in_file)))
    wanted = slots[np.arange(1, n) * rows.num_rows // n]
    bounds = [first, *(int(slot) for slot in np.unique(wanted) if slot > first), end]
    for low, high in pairwise(bounds):
        a, b = slots.searchsorted([low, high])
        yield low, high - 1, rows.slice(a, b - a)


def _files_needed(tables: Sequence[pa.Table], rows_in_file: int) -> float:
    n_rows = sum(table.num_rows for table in tables)
    return max(n_rows / rows_in_file, sum(table.nbytes for table in tables) / _BYTES_IN_FILE)


def _slot_at(rows: pa.Table, place: int) -> int:
    return int(rows["slot"][place].as_py())
