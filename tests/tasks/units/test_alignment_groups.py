"""Only the alignments of changed documents are computed again, even of one large shard."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from accordeur.data.store.manifest import stale_entries, write_manifest
from accordeur.data.store.store import Store
from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.node import Outcome
from accordeur.tasks.units import alignment_groups
from accordeur.tasks.units.alignment import DissimilaritySpec, UnitAlignment
from tests.tasks.stores import table, validated

PEOPLE = tuple(f"annotator{k}" for k in range(8))
LAYER = LayerSpec("units", "units", ("x", "y"), PEOPLE)
FEW = 64  # in four groups
CHANGED = "d007"


def aligned(
    folder: Path, *, change: str = "", n_documents: int = FEW
) -> tuple[Store, list[Outcome]]:
    """Align documents of eight annotators with six units each; `change` moves units of one."""
    rng = random.Random(3)
    rows = [
        f"d{d:03d},{who},{50 * u + rng.randint(0, 3)},{50 * u + 9},{rng.choice('xy')}"
        for d in range(n_documents)
        for who in PEOPLE
        for u in range(6)
    ]
    rows = [f"{row[:-1]}y" if change and row.startswith(change) else row for row in rows]
    path = table(folder, "units.csv", "document,annotator,start,end,category", rows)
    store, shards = validated(folder, [{"path": path}], n_shards=1)
    keys = [shard.key for shard in shards]
    done = count(store.url, keys, [UnitAlignment(LAYER, DissimilaritySpec())])
    return store, [one.outcome for one in done]


def contents(store: Store, outcome: Outcome) -> dict[str, bytes]:
    names = ("alignments", "counts", "corpus")
    return {name: store.read_bytes(f"{outcome.place}/{name}.parquet") for name in names}


def test_one_changed_document_of_200_recomputes_one_group(tmp_path: Path) -> None:
    _, [first] = aligned(tmp_path, n_documents=200)
    assert len(first.parts) >= 8
    assert not any(part.reused for part in first.parts)
    store, [again] = aligned(tmp_path, change=CHANGED, n_documents=200)
    assert [part.reused for part in again.parts].count(False) == 1
    (tmp_path / "fresh").mkdir()
    fresh = aligned(tmp_path / "fresh", change=CHANGED, n_documents=200)
    assert contents(store, again) == contents(fresh[0], fresh[1][0])
    assert (again.place, again.receipt) == (fresh[1][0].place, fresh[1][0].receipt)
    _, [unchanged] = aligned(tmp_path, change=CHANGED, n_documents=200)
    assert unchanged.reused
    assert all(part.reused for part in unchanged.parts)


def test_a_run_keeps_the_groups_of_its_alignments(tmp_path: Path) -> None:
    store, outcomes = aligned(tmp_path)
    places = {one.place: one.receipt for one in outcomes}
    write_manifest(store, "reports/run-0001", {}, places=places, series={}, files=[])
    assert not [
        entry for entry in stale_entries(store, keep_runs=1) if entry.startswith("aligned/")
    ]
    store, outcomes = aligned(tmp_path, change=CHANGED)
    places = {one.place: one.receipt for one in outcomes}
    write_manifest(store, "reports/run-0002", {}, places=places, series={}, files=[])
    stale = [entry for entry in stale_entries(store, keep_runs=1) if entry.startswith("aligned/")]
    assert len(stale) == 2  # the shard's alignments and one group


def test_groups_change_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, [grouped] = aligned(tmp_path)
    (tmp_path / "whole").mkdir()
    monkeypatch.setattr(alignment_groups, "MOST_GROUPS", 1)
    other, [whole] = aligned(tmp_path / "whole")
    assert whole.parts == ()
    assert contents(store, grouped) == contents(other, whole)


def test_a_damaged_group_is_computed_again(tmp_path: Path) -> None:
    store, [first] = aligned(tmp_path)
    path = next(one for one in store.list(first.parts[0].place) if one.endswith(".parquet"))
    store.write_bytes(path, b"damaged")
    _, [again] = aligned(tmp_path, change=CHANGED)
    assert path in again.damaged
    assert [part.reused for part in again.parts].count(False) == 2


def test_little_work_is_not_divided(tmp_path: Path) -> None:
    _, [outcome] = aligned(tmp_path, n_documents=5)
    assert outcome.parts == ()
