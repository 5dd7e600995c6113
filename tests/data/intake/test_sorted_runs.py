"""Runs merged: every row once, in order; what a shard reads of short and of long sources."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.data.intake import sorted_runs as runs
from accordeur.data.intake.sorted_runs import SLOT_BITS, merge_runs, paths_in_range
from accordeur.data.intake.spill import read_slots, spill
from accordeur.data.schema import Document, Record, Unit
from accordeur.data.store.store import Store

END = 1 << SLOT_BITS
PER_SHARD = 40  # documents


def written_runs(
    store: Store, of_runs: list[list[int]], *, rows_in_group: int = 1_000
) -> list[str]:
    """A file a run of these slots, their rows numbered through."""
    paths, n = [], 0
    for number, slots in enumerate(of_runs):
        rows = np.arange(n, n + len(slots))
        n += len(slots)
        order = np.argsort(slots, kind="stable")
        columns = {
            "slot": pa.array(np.array(slots, dtype=np.uint32)[order]),
            "row": pa.array(rows[order]),
            "text": pa.array([f"row {r}" for r in rows[order]]),
        }
        path = f"x/units-{number:05d}.parquet"
        paths.append(store.write_table(path, pa.table(columns), row_group_size=rows_in_group))
    return paths


SLOTS = st.one_of(st.integers(0, END - 1), st.sampled_from([0, 7, 1 << 30, END - 1]))


@settings(max_examples=30)
@given(
    st.lists(st.lists(SLOTS, min_size=1, max_size=40), min_size=1, max_size=12),
    st.integers(1, 50),
    st.sampled_from([2, 3, 64]),
)
def test_a_merge_holds_the_same_rows_by_slot_and_row(
    tmp_path_factory: pytest.TempPathFactory, slots: list[list[int]], rows: int, fan_in: int
) -> None:
    store = Store(str(tmp_path_factory.mktemp("store")))
    paths = written_runs(store, slots, rows_in_group=8)
    before = pa.concat_tables([store.read_table(path) for path in paths])
    files = merge_runs(store, "x/units", paths, rows_in_file=rows, fan_in=fan_in)
    assert store.list("x") == sorted(files) == sorted(store.written)
    after = pa.concat_tables([store.read_table(path) for path in files])
    order = [("slot", "ascending"), ("row", "ascending")]
    assert after.sort_by(order).equals(before.sort_by(order))
    for path in files:
        assert store.read_table(path).sort_by(order).equals(store.read_table(path))
    if len(slots) <= runs.MOST_RUNS:
        assert files == paths
    elif fan_in >= len(slots):
        assert after.equals(before.sort_by(order))


def test_files_leave_no_slot_out_and_a_document_whole(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    slots = [[s, s, 1 << 31, 1 << 31] for s in range(0, END, END // 40)]
    files = merge_runs(store, "x/units", written_runs(store, slots), rows_in_file=10)
    assert len(files) > 5
    bounds = [tuple(int(part, 16) for part in path[:-8].split("-")[-2:]) for path in files]
    assert bounds[0][0] == 0
    assert bounds[-1][1] == END - 1
    assert all(b[0] == a[1] + 1 for a, b in pairwise(bounds))
    holding = [path for path in files if (1 << 31) in store.read_table(path)["slot"].to_pylist()]
    assert paths_in_range(files, 1 << 31, (1 << 31) + 1) == holding
    assert len(holding) == 1


def test_long_texts_make_small_row_groups() -> None:
    assert runs.rows_in_group(pa.table({"text": ["x"] * 10_000})) == 4_096
    assert 40 < runs.rows_in_group(pa.table({"text": ["x" * 20_000] * 200})) <= 52
    assert runs.rows_in_group(pa.table({"text": ["x" * (1 << 21)]})) == 1


def records(n_documents: int) -> Iterator[Record]:
    for d in range(n_documents):
        yield Document(f"d{d}", 100)
        for u in range(9):
            yield Unit(f"d{d}", "anna", f"T{u}", u, u + 2, "A")


def work_of_a_shard(
    folder: Path, n_shards: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[float, float]:
    """(files opened, rows read) for a shard of units, by the mean over all shards."""
    store = Store(str(folder / str(n_shards)))
    files = spill(records(n_shards * PER_SHARD), store, "x", rows_in_memory=400).files["units"]
    counted = {"files": 0, "rows": 0}

    class Counting(pq.ParquetFile):  # type: ignore[misc]
        def __init__(self, *given: Any, **named: Any) -> None:
            counted["files"] += 1
            super().__init__(*given, **named)

        def read_row_groups(self, groups: list[int], **named: Any) -> pa.Table:
            counted["rows"] += sum(self.metadata.row_group(g).num_rows for g in groups)
            return super().read_row_groups(groups, **named)

    width = END // n_shards
    with monkeypatch.context() as patch:
        patch.setattr("accordeur.data.store.store.pq.ParquetFile", Counting)
        n_rows = sum(
            read_slots(store, files, "units", k * width, (k + 1) * width).num_rows
            for k in range(n_shards)
        )
    assert n_rows == n_shards * PER_SHARD * 9
    return counted["files"] / n_shards, counted["rows"] / n_shards


def test_a_shard_of_a_long_source_costs_what_one_of_a_short_source_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed. Unmerged, a shard opens as many files as the source has runs."""
    monkeypatch.setattr(runs, "_ROWS_IN_GROUP", 64)
    files, rows = work_of_a_shard(tmp_path, 8, monkeypatch)
    longer_files, longer_rows = work_of_a_shard(tmp_path, 32, monkeypatch)
    assert 1 <= files < 3
    assert longer_files <= 1.2 * files
    assert PER_SHARD * 9 <= rows < 2 * PER_SHARD * 9
    assert longer_rows <= 1.2 * rows
