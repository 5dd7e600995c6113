"""The document that kills its process is found, in processes that truly die."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.rules import Declared
from data.schema import Assignment, Record, Unit
from data.spill import spill
from data.store import Store
from flows import plan
from tasks.alignment import DissimilaritySpec
from tasks.isolation import Probe, find_deadly
from tasks.layers import LayerSpec
from tasks.validate import ValidationSpec, validate

POISON = Path(__file__).resolve().parents[1] / "faults" / "poison"
LAYER = LayerSpec("units", "units", ("A",), ("anna", "ben"))


@pytest.fixture
def probe(tmp_path: Path) -> Probe:
    store = Store(str(tmp_path / "store"))
    records: list[Record] = [Assignment(f"d{d}", who) for d in range(5) for who in ("anna", "ben")]
    records += [
        Unit(f"d{d}", who, f"T{k}", 4 * k, 4 * k + 3, "A")
        for d in range(5)
        for who in ("anna", "ben")
        for k in range(3)
    ]
    sources = [spill(iter(records), store, "ingested/x").as_json()]
    shards = validate(store.url, sources, plan.shards_of(5, 200), ValidationSpec(Declared()))
    keys = tuple(shard["key"] for shard in shards["shards"])
    return Probe("align", keys, {"layer": LAYER, "dissimilarity": DissimilaritySpec()})


def test_harmless_documents_are_not_accused(tmp_path: Path, probe: Probe) -> None:
    assert find_deadly(str(tmp_path / "store"), probe) == {}


def test_the_document_that_kills_is_named(
    tmp_path: Path, probe: Probe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(POISON))
    monkeypatch.setenv("ACCORDEUR_TEST_POISON", "d2")
    monkeypatch.setenv("ACCORDEUR_TEST_DEATHS", str(tmp_path / "deaths"))
    assert find_deadly(str(tmp_path / "store"), probe) == {"d2": "died of signal 9"}
    assert (tmp_path / "deaths").read_text().split() == ["died"]


def test_a_process_that_outgrows_a_worker_is_told_with_its_limit(
    tmp_path: Path, probe: Probe
) -> None:
    found = find_deadly(str(tmp_path / "store"), probe, memory_limit=2**20)
    assert found == {}  # it is too large before any document: the batch as such is at fault
