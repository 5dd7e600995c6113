"""Only new and changed documents are aligned, however many share a shard."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from accordeur.data.store.manifest import stale_entries, write_run_manifest
from accordeur.data.store.store import Store
from accordeur.tasks.analysis import count_node
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.node import Outcome, complete
from accordeur.tasks.units.alignment import DissimilaritySpec, UnitAlignment
from tests.tasks.stores import table, validated

PEOPLE = tuple(f"annotator{k}" for k in range(8))
LAYER = LayerSpec("units", "units", ("x", "y"), PEOPLE)
FEW = 24
CHANGED = "d007"


def aligned(
    folder: Path,
    *,
    change: str = "",
    backwards: bool = False,
    n_documents: int = FEW,
    n_shards: int = 1,
    fresh: bool = False,
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
    rows = rows[::-1] if backwards else rows
    path = table(folder, "units.csv", "document,annotator,start,end,category", rows)
    store, shards = validated(folder, [{"path": path}], n_shards=n_shards)
    keys = [shard.key for shard in shards]
    alignment = UnitAlignment(LAYER, DissimilaritySpec())
    nodes = [count_node(alignment.counting, key) for key in keys]
    return store, complete(store, nodes, fresh=fresh)


def contents(store: Store, outcome: Outcome) -> dict[str, bytes]:
    names = ("alignments", "counts", "corpus")
    return {name: store.read_bytes(f"{outcome.place}/{name}.parquet") for name in names}


def n_aligned(outcomes: Sequence[Outcome]) -> int:
    return sum(one.n_parts - one.n_reused_parts for one in outcomes)


def test_a_delivery_aligns_its_documents_only(tmp_path: Path) -> None:
    for n_documents in (15, 30, 45, 60):
        store, [last] = aligned(tmp_path, n_documents=n_documents)
        assert (last.n_parts, n_aligned([last])) == (n_documents, 15)
    (tmp_path / "fresh").mkdir()
    other, [fresh] = aligned(tmp_path / "fresh", n_documents=60)
    assert n_aligned([fresh]) == 60
    assert contents(store, last) == contents(other, fresh)
    assert (last.place, last.receipt) == (fresh.place, fresh.receipt)
    _, [unchanged] = aligned(tmp_path, n_documents=60)
    assert (unchanged.reused, n_aligned([unchanged])) == (True, 0)


def test_a_changed_document_is_aligned_again_and_a_fresh_run_aligns_all(tmp_path: Path) -> None:
    aligned(tmp_path)
    _, [changed] = aligned(tmp_path, change=CHANGED)
    assert n_aligned([changed]) == 1
    _, [back] = aligned(tmp_path)
    assert back.reused
    _, [fresh] = aligned(tmp_path, fresh=True)
    assert n_aligned([fresh]) == FEW


def test_the_order_of_rows_aligns_no_document_again(tmp_path: Path) -> None:
    store, [first] = aligned(tmp_path)
    _, [again] = aligned(tmp_path, backwards=True)
    assert (again.reused, n_aligned([again])) == (False, 0)
    assert contents(store, again)["corpus"] == contents(store, first)["corpus"]


def test_a_campaign_that_grows_into_more_shards_aligns_no_document_again(tmp_path: Path) -> None:
    aligned(tmp_path)
    _, outcomes = aligned(tmp_path, n_shards=4)
    assert sum(one.n_parts for one in outcomes) == FEW
    assert n_aligned(outcomes) == 0


def test_a_run_keeps_its_alignments(tmp_path: Path) -> None:
    store, outcomes = aligned(tmp_path)
    places = {one.place: one.receipt for one in outcomes}
    write_run_manifest(store, "reports/run-0001", {}, places=places, series={}, files=[])
    assert not [
        entry for entry in stale_entries(store, keep_runs=1) if entry.startswith("aligned/")
    ]
    store, outcomes = aligned(tmp_path, change=CHANGED)
    places = {one.place: one.receipt for one in outcomes}
    write_run_manifest(store, "reports/run-0002", {}, places=places, series={}, files=[])
    stale = [entry for entry in stale_entries(store, keep_runs=1) if entry.startswith("aligned/")]
    assert len(stale) == 1  # what followed from the alignments of the shard


def test_damaged_alignments_are_computed_again(tmp_path: Path) -> None:
    store, [first] = aligned(tmp_path)
    [path] = [one for one in store.list("aligned") if one.count("-") == 2]
    store.write_bytes(path, b"damaged")
    _, [again] = aligned(tmp_path, change=CHANGED)
    assert path in again.damaged
    assert n_aligned([again]) == FEW
    assert first.receipt != again.receipt
