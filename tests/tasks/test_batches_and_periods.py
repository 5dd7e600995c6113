"""Documents by period and by batch."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa

from accordeur.tasks.batches_and_periods import document_groups, documents_by_group
from accordeur.tasks.layers import LayerSpec
from tests.tasks.stores import validated


def test_periods_are_those_of_the_last_change(tmp_path: Path) -> None:
    tasks = [
        {
            "id": number,
            "data": {"text": "one two"},
            "annotations": [
                {"id": number, "completed_by": {"email": "anna"}, "created_at": time,
                 "updated_at": time, "result": [
                    {"id": "r", "type": "labels", "from_name": "entities", "to_name": "text",
                     "value": {"start": 0, "end": 3, "labels": ["A"]}}]}
            ],
        }
        for number, time in ((1, "2026-01-31T10:00:00Z"), (2, "2026-02-01T10:00:00Z"))
    ]  # fmt: skip
    path = tmp_path / "export.json"
    path.write_text(json.dumps(tasks), encoding="utf-8")
    store, shards = validated(tmp_path, [{"path": str(path), "format": "label_studio"}])
    layer = LayerSpec("entities", "units", ("A",), ("anna",))
    keys = [shard.key for shard in shards]
    for period, expected in (
        ("month", ["2026-01", "2026-02"]),
        ("week", ["2026-W05"]),
        ("day", ["2026-01-31", "2026-02-01"]),
    ):
        groups = document_groups(store, keys, layer, period)
        assert sorted(set(groups["period"].to_pylist())) == expected
    months = document_groups(store, keys, layer, "month")
    names = sorted(months["document"].to_pylist())
    assert {k: v.tolist() for k, v in documents_by_group(months, "period", names).items()} == {
        "2026-01": [0],
        "2026-02": [1],
    }


def test_members_of_batches_are_positions_among_the_names() -> None:
    batch = ["b", "a", "", "b", "c", "a"]
    groups = pa.table({"document": [f"d{k}" for k in range(6)], "batch": batch})
    names = ["d5", "d3", "d2", "d0", "d1", "unknown"]
    found = {
        name: those.tolist() for name, those in documents_by_group(groups, "batch", names).items()
    }
    assert found == {"a": [0, 4], "b": [1, 3]}
    assert documents_by_group(groups, "batch", pa.array(["d0", "d3"])) == {}
    assert documents_by_group(groups, "batch", []) == {}


def test_batches_follow_their_first_times_or_else_the_numbers_in_their_names() -> None:
    names = ["d0", "d1", "d2", "d3"]
    groups = pa.table({"document": names, "batch": ["winter", "autumn", "winter", "autumn"]})
    times = pa.array(["2026-01-09", "2026-02-01", "2026-03-01", "2026-02-02"])
    dated = groups.append_column("time", times)
    assert list(documents_by_group(dated, "batch", names)) == ["winter", "autumn"]
    assert list(documents_by_group(groups, "batch", names)) == ["autumn", "winter"]
    partly = groups.append_column("time", pa.array(["2026-01-09", "", "2026-03-01", ""]))
    assert list(documents_by_group(partly, "batch", names)) == ["autumn", "winter"]
    weeks = pa.table({"document": names, "batch": ["week 2", "week 10", "week 1", "week 1"]})
    assert list(documents_by_group(weeks, "batch", names)) == ["week 1", "week 2", "week 10"]
