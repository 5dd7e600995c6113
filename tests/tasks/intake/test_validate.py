"""Validation of groups of shards: judged together, counted and kept apart; documents withdrawn."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

import accordeur.data.validation.checks
from accordeur.data.intake.hiding import Hiding
from accordeur.data.intake.spill import spill
from accordeur.data.schema import Assignment, Document, Label, Record, Unit
from accordeur.data.store.ownership import Folder
from accordeur.data.store.store import Store
from accordeur.data.validation.rule import Declared
from accordeur.flows.campaign.task_settings import sharding
from accordeur.tasks.intake.ingest import RawFiles, SourceSpec, ingest
from accordeur.tasks.intake.shards import ValidatedShard
from accordeur.tasks.intake.validate import ValidationSpec, validate
from tests.tasks.stores import raw_files, table

SPEC = ValidationSpec(Declared(tagsets={"units": ("A",)}))
SHARDS = sharding.equal_shards(8, 2)


def records() -> list[Record]:
    found: list[Record] = []
    for d in range(8):
        name = f"d{d}"
        found += [Document(name, 100), Assignment(name, "anna"), Assignment(name, "ben")]
        found += [
            Unit(name, who, f"T{k}", k, k + 3, "A" if d % 3 else "B")
            for who in ("anna", "ben")
            for k in range(4)
        ]
        found.append(Label(name, "i", "anna", ("x",)))
    return found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(str(tmp_path))


@pytest.fixture
def sources(store: Store) -> list[RawFiles]:
    return [raw_files(spill(iter(records()), store, "ingested/x"))]


def counted(shards: list[ValidatedShard]) -> dict[tuple[str, str, str], tuple[int, int]]:
    total: dict[tuple[str, str, str], tuple[int, int]] = {}
    for shard in shards:
        for one in shard.facts.checks:
            key = (one.table, one.rule, one.description)
            n_rows, n_bad = total.get(key, (0, 0))
            total[key] = (n_rows + one.n_rows, n_bad + one.n_unexpected)
    return total


def test_a_group_is_judged_once_and_counts_as_its_shards_do(
    store: Store, sources: list[RawFiles], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = []
    check = accordeur.data.validation.checks.check_rules
    monkeypatch.setattr(
        accordeur.data.validation.checks, "check_rules", lambda *a: judged.append(1) or check(*a)
    )
    together = validate(store.url, sources, SHARDS, SPEC)
    assert len(judged) == 1
    assert len(together) > 1
    apart = [
        shard for one in SHARDS for shard in validate(store.url, sources, [one], SPEC, fresh=True)
    ]
    assert len(judged) == 1 + len(apart)
    assert counted(together) == counted(apart)
    in_tagset = (
        "units",
        "category_in_tagset",
        "categories are among those of the layer (layer units)",
    )
    assert counted(together)[in_tagset] == (64, 24)
    assert sum(shard.facts.rows_in for shard in together) == len(records())


def test_only_new_shards_of_a_group_are_judged(
    store: Store, sources: list[RawFiles], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = validate(store.url, sources, SHARDS[:2], SPEC)
    seen: list[int] = []
    check = accordeur.data.validation.checks.check_rules

    def noted(tables: Any) -> Any:
        found = check(tables)
        seen.extend(judged.n_rows for one, judged in found if one.description == "start < end")
        return found

    monkeypatch.setattr(accordeur.data.validation.checks, "check_rules", noted)
    rmtree(tmp_path / Folder.CONFIRMED)
    every = validate(store.url, sources, SHARDS, SPEC)
    assert sum(shard.outcome.reused for shard in every) == len(first)
    assert seen[0] == 64 - sum(s.facts.n_units + s.facts.rows_rejected for s in first)
    validate(store.url, sources, SHARDS, SPEC)
    assert len(seen) == 1


def test_rules_are_judged_again_if_they_are_new_or_rows_are_the_first_to_break_them(
    store: Store, sources: list[RawFiles], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged = []
    check = accordeur.data.validation.checks.check_rules
    monkeypatch.setattr(
        accordeur.data.validation.checks, "check_rules", lambda *a: judged.append(1) or check(*a)
    )
    both = ValidationSpec(Declared(tagsets={"units": ("A", "B")}))
    validate(store.url, sources, SHARDS[:2], both)
    validate(store.url, sources, SHARDS, both)
    assert len(judged) == 1  # no row of the other shards breaks a rule
    validate(store.url, sources, SHARDS, SPEC)
    assert len(judged) == 2  # the rule has another statement
    backwards = [Unit("d0", "anna", "T9", 9, 3, "A"), *records()]
    broken = [raw_files(spill(iter(backwards), store, "ingested/y"))]
    found = validate(store.url, broken, SHARDS, both)
    assert len(judged) == 3
    assert counted(found)["units", "start_before_end", "start < end"] == (65, 1)
    validate(store.url, broken, SHARDS, both, fresh=True)
    assert len(judged) == 4


def test_masks_that_count_otherwise_than_the_expectations_stop_the_run(
    store: Store, sources: list[RawFiles], monkeypatch: pytest.MonkeyPatch
) -> None:
    check = accordeur.data.validation.checks.check_rules

    def wrong(tables: Any) -> Any:
        (rule, judged), *others = check(tables)
        return [(rule, judged._replace(n_unexpected=1)), *others]

    monkeypatch.setattr(accordeur.data.validation.checks, "check_rules", wrong)
    with pytest.raises(RuntimeError, match="the expectation counts 1 of 8 rows, the mask"):
        validate(store.url, sources, SHARDS, SPEC)


def test_the_rows_of_a_withdrawn_document_are_rejected_and_other_shards_reused(
    store: Store, sources: list[RawFiles]
) -> None:
    before = validate(store.url, sources, SHARDS, SPEC)
    spec = replace(SPEC, withdrawn={"d1": "it died of signal 9"})
    after = validate(store.url, sources, SHARDS, spec)
    assert sum(not shard.outcome.reused for shard in after) == 1
    assert sum(s.facts.rows_in for s in after) == sum(s.facts.rows_in for s in before)
    assert all(s.facts.rows_in == s.facts.rows_accepted + s.facts.rows_rejected for s in after)
    [new] = [shard for shard in after if not shard.outcome.reused]
    rejected = store.read_table(f"{new.outcome.place}/rejected.parquet").to_pylist()
    out = [row for row in rejected if row["document"] == "d1"]
    assert {(row["rule"], row["message"]) for row in out} == {
        ("kills_worker", "it died of signal 9")
    }
    assert sorted({row["table_name"] for row in out}) == [
        "assignments",
        "documents",
        "labels",
        "units",
    ]
    assert len(out) == 12
    documents = store.read_table(f"{new.outcome.place}/documents.parquet")["document"].to_pylist()
    assert "d1" not in documents


def test_where_names_are_hidden_an_undeclared_annotator_has_none(tmp_path: Path) -> None:
    path = table(tmp_path, "labels.csv", "item,annotator,label", ["i,anna,x", "i,dora,x"])
    store = Store(str(tmp_path / "store"))
    hiding = Hiding({"anna": "P1"}, shown=())
    done = ingest(store.url, SourceSpec(path, "auto", None, None, "", (), {}, {}, hiding=hiding))
    spec = ValidationSpec(Declared(roles={"P1": "human"}))
    kept = [done.raw]
    [shard] = validate(store.url, kept, sharding.equal_shards(1, 1), spec)
    rows = store.read_table(f"accepted/{shard.key}/rejected.parquet").to_pylist()
    assert [row["rule"] for row in rows] == ["annotator_known"] * 2
    assert "dora" not in json.dumps(rows)
    assert {row["source"] for row in rows} == {"source 1, file 1"}
