"""Spilled records: any range of slots can be read back, whatever the memory allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordeur.data.intake.sorted_runs import SLOT_BITS
from accordeur.data.intake.spill import read_slots, slot_of, spill
from accordeur.data.schema import Document, Label, Rejected, Unit
from accordeur.data.store.store import Store

RECORDS = [
    *(Document(f"d{k}", 100, text="é" * 100, sha256=f"{k}") for k in range(50)),
    *(
        Unit(f"d{k % 50}", "anna", f"T{k}", k, k + 2, "A", attributes=(("note", "n"),))
        for k in range(300)
    ),
    Unit("d1", "ben", "T1", 3, 9, "B", fragments=((3, 5), (7, 9)), layer="x"),
    Label("d2", "i", "anna", ("A", "B")),
    Rejected("f.ann", "line 3", "rule", "value", "message", document="d3"),
]


@pytest.mark.parametrize("rows_in_memory", [7, 100, 1_000_000])
def test_shards_are_a_partition_of_the_records(tmp_path: Path, rows_in_memory: int) -> None:
    store = Store(str(tmp_path))
    spilled = spill(iter(RECORDS), store, "source", rows_in_memory=rows_in_memory)
    assert spilled.rows["units"] == 301
    assert spilled.layers == {"labels": {""}, "units": {"", "x"}}
    quarter = 1 << (SLOT_BITS - 2)
    parts = [
        read_slots(store, spilled.files["units"], "units", k * quarter, (k + 1) * quarter)
        for k in range(4)
    ]
    assert sum(part.num_rows for part in parts) == 301
    for part in parts:
        homes = {part["document"][i].as_py() for i in range(part.num_rows)}
        assert all(slot_of(name) // quarter == parts.index(part) for name in homes)
    rows = sorted(row for part in parts for row in part["row"].to_pylist())
    assert rows == list(range(301))


def test_long_texts_fill_a_file_before_many_rows_do(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    spilled = spill(iter(RECORDS), store, "source", characters_in_memory=1_300)
    assert len(spilled.files["documents"]) == 4  # fifty texts of a hundred characters
    documents = read_slots(store, spilled.files["documents"], "documents", 0, 1 << SLOT_BITS)
    assert documents.num_rows == 50


def test_values_come_back(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    spilled = spill(iter(RECORDS), store, "source")
    units = read_slots(store, spilled.files["units"], "units", 0, 1 << SLOT_BITS).to_pylist()
    by_name = {(u["annotator"], u["unit"]): u for u in units}
    assert by_name["ben", "T1"]["fragments"] == [[3, 5], [7, 9]]
    assert by_name["anna", "T7"]["attributes"] == [{"name": "note", "value": "n"}]
    labels = read_slots(store, spilled.files["labels"], "labels", 0, 1 << SLOT_BITS).to_pylist()
    assert labels[0]["labels"] == ["A", "B"]


def test_slots_are_a_published_function_of_the_name() -> None:
    """They decide which shard a document is in: a change would recompute every campaign."""
    assert slot_of("doc1") == slot_of("doc1")
    assert len({slot_of(f"d{k}") for k in range(1000)}) == 1000
    assert 0 <= slot_of("é") < 1 << SLOT_BITS
