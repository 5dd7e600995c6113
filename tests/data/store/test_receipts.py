"""Receipts: what is reused is, byte for byte, what was written."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from accordeur.data.store.receipts import read_kept, write_receipt
from accordeur.data.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = Store(str(tmp_path / "store"))
    found.write_table("place/one.parquet", pa.table({"a": list(range(1000))}))
    found.write_json("place/two.json", {"b": 1})
    found.write_json("elsewhere/three.json", {})
    write_receipt(found, "place", {"n": 3})
    return found


def test_a_finished_place_is_kept_with_its_facts(store: Store) -> None:
    found = read_kept(Store(store.url), "place")
    assert found.receipt is not None
    assert found.receipt.facts == {"n": 3}
    assert sorted(found.receipt.files) == ["place/one.parquet", "place/two.json"]
    assert found.receipt.digest == store.digest("place/receipt.json")


def test_an_unfinished_place_is_not_damaged(store: Store) -> None:
    store.write_json("unfinished/one.json", {})
    found = read_kept(store, "unfinished")
    assert (found.receipt, found.damaged) == (None, ())


def test_any_changed_byte_is_found(store: Store) -> None:
    for name in ("one.parquet", "two.json", "receipt.json"):
        path = store.local_path(f"place/{name}")
        before = path.read_bytes()
        for position in range(0, len(before), 97):
            changed = bytearray(before)
            changed[position] ^= 1
            path.write_bytes(changed)
            assert read_kept(store, "place").damaged == (f"place/{name}",), position
        path.write_bytes(before)
    assert read_kept(store, "place").receipt is not None


def test_cut_missing_and_empty_files_are_found(store: Store) -> None:
    path = store.local_path("place/one.parquet")
    before = path.read_bytes()
    for content in (before[: len(before) // 2], b""):
        path.write_bytes(content)
        assert read_kept(store, "place").damaged == ("place/one.parquet",)
    path.unlink()
    assert read_kept(store, "place").damaged == ("place/one.parquet",)
