"""Manifests: every artefact of a run can be checked later, and what no run uses can go."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from accordeur.data.errors import DataError
from accordeur.data.store.manifest import (
    UNFINISHED,
    delete_stale,
    manifest_damage,
    manifest_paths,
    stale_entries,
    write_run_manifest,
)
from accordeur.data.store.ownership import Folder
from accordeur.data.store.receipts import write_receipt
from accordeur.data.store.sealed_json import read_sealed, write_sealed
from accordeur.data.store.series import Series
from accordeur.data.store.store import Store

FIRST, SECOND = f"{1:016x}", f"{2:016x}"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with two runs: the second one used another shard than the first."""
    found = Store(str(tmp_path / "store"))
    for number in (1, 2):
        place = f"accepted/{number:016x}"
        found.write_table(f"{place}/units.parquet", pa.table({"a": [number]}))
        receipt = write_receipt(found, place)
        folder = f"chance/{number:016x}"
        Series(found, folder, "sample").write(0, 3, pa.table({"sample": [0, 1, 2]}))
        summary = found.write_json(f"soft/{number:016x}.json", {"n": number})
        found.write_json(f"reports/run-000{number}/results.json", {"n": number})
        write_run_manifest(
            found,
            f"reports/run-000{number}",
            {"run": number},
            places={place: receipt.digest.sha256},
            series={folder: 3},
            files=[summary],
        )
    found.write_json("adjudication/decisions-0001.json", [])
    return found


def test_a_store_that_nobody_touched_is_as_its_manifests_say(store: Store) -> None:
    assert manifest_paths(store) == [
        "reports/run-0001/manifest.json",
        "reports/run-0002/manifest.json",
    ]
    assert [manifest_damage(store, path) for path in manifest_paths(store)] == [[], []]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (f"accepted/{SECOND}/units.parquet", "units.parquet is missing or damaged"),
        (f"accepted/{SECOND}/receipt.json", "receipt.json is missing or damaged"),
        ("soft/*.json", "is damaged"),
        ("reports/run-0002/results.json", "reports/run-0002/results.json is damaged"),
        (f"chance/{SECOND}/*.parquet", "lacks some of the first 3 samples"),
    ],
)
def test_every_changed_file_is_named(store: Store, pattern: str, told: str) -> None:
    root = store.local_path("")
    for path in root.glob(pattern):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    found = manifest_damage(store, "reports/run-0002/manifest.json")
    assert any(told in one for one in found), found


def test_joined_samples_are_still_the_run_s(store: Store) -> None:
    series = Series(store, f"chance/{SECOND}", "sample")
    series.write(3, 2, pa.table({"sample": [3, 4]}))
    assert series.compact(most=1) == 2
    assert manifest_damage(store, "reports/run-0002/manifest.json") == []


def test_what_no_kept_run_uses_is_stale_and_nothing_else(store: Store) -> None:
    assert stale_entries(store, keep_runs=2) == []
    found = stale_entries(store, keep_runs=1)
    assert found[:2] == [f"accepted/{FIRST}", f"chance/{FIRST}"]
    assert len(found) == 3
    n_files, n_bytes = delete_stale(store, keep_runs=1)
    assert n_files == 4
    assert n_bytes > 0
    assert stale_entries(store, keep_runs=1) == []
    assert manifest_damage(store, "reports/run-0002/manifest.json") == []
    assert store.exists("reports/run-0001/results.json")
    assert store.exists("adjudication/decisions-0001.json")


def test_files_of_an_older_layout_are_stale_if_a_manifest_lists_them(store: Store) -> None:
    names = [f"summaries/grid-{FIRST}.json", f"summaries/{SECOND}.json", "summaries/mine.json"]
    for path in names:
        store.write_json(path, {"of": path})
    write_run_manifest(store, "reports/run-0003", {}, places={}, series={}, files=names[:2])
    assert not [one for one in stale_entries(store, keep_runs=1) if one.startswith("summaries")]
    write_run_manifest(store, "reports/run-0004", {}, places={}, series={}, files=[])
    store.write_json(names[1], {"of": "somebody else"})
    delete_stale(store, keep_runs=1)
    assert store.list("summaries") == sorted(names[1:])


def test_an_audit_keeps_what_it_used(store: Store) -> None:
    sealed = read_sealed(store, "reports/run-0001/manifest.json")
    assert sealed is not None
    write_sealed(store, "audits/audit-0001/manifest.json", sealed.content)
    assert stale_entries(store, keep_runs=1) == []


def test_nothing_is_cleaned_while_a_run_has_not_ended(store: Store) -> None:
    store.write_json(UNFINISHED, {})
    with pytest.raises(DataError, match="did not finish,"):
        delete_stale(store, keep_runs=1)


@pytest.mark.parametrize("folder", Folder)
def test_every_folder_that_a_node_may_write_is_cleaned(store: Store, folder: Folder) -> None:
    entry = f"{folder}/{9:016x}"
    store.write_json(f"{entry}/fields.json", {})
    assert entry in stale_entries(store, keep_runs=2)
    delete_stale(store, keep_runs=2)
    assert store.list(entry) == []
