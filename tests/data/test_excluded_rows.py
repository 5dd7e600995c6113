"""Rows that a reader leaves out stay counted, by reason, on every way through the program."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from accordeur.data.intake.hiding import Hiding, pseudonymised_rows
from accordeur.data.intake.spill import spill
from accordeur.data.schema import (
    UNDECLARED,
    Assignment,
    Document,
    Excluded,
    ExclusionReason,
    Record,
    Rejected,
    Unit,
)
from accordeur.data.store.store import Store
from accordeur.data.validation.preparation import accepted_rows
from accordeur.data.validation.rule import Declared
from accordeur.data.writers.base import sheets_by_document
from accordeur.flows.campaign.task_settings import sharding
from accordeur.tasks.intake.validate import ValidationSpec, validate
from tests.tasks.stores import raw_files

RECORDS: list[Record] = [
    Document("d1", 100),
    Document("d2", 100),
    Assignment("d1", "anna"),
    Unit("d1", "anna", "T1", 0, 3, "A"),
    Excluded("x.json", "annotation 7", ExclusionReason.CANCELLED, 13, "units", "d1", "ben"),
    Excluded("x.json", "draft 2", ExclusionReason.DRAFT, 2, "labels", "d2", "zoe"),
    Excluded("x.json", "draft 3", ExclusionReason.DRAFT, 1, "units", "d2", "anna"),
    Rejected("x.json", "", "bad_line", "", "…", "units", "d1", "anna"),
]
EXPECTED = {"cancelled": 13, "draft": 3}


def test_a_run_counts_them_beside_its_rows(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    sources = [raw_files(spill(iter(RECORDS), store, "ingested/x"))]
    spec = ValidationSpec(Declared(), withdrawn={"d1": "it died"})
    for given in (ValidationSpec(Declared()), spec):
        shards = validate(store.url, sources, sharding.equal_shards(2, 2), given)
        total: dict[str, int] = {}
        for shard in shards:
            for reason, n in shard.facts.rows_excluded.items():
                total[reason] = total.get(reason, 0) + n
        assert total == EXPECTED
        assert sum(shard.facts.rows_in for shard in shards) == 5
        assert all(s.facts.rows_in == s.facts.rows_accepted + s.facts.rows_rejected for s in shards)


def test_no_name_without_a_pseudonym_is_stored(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    hiding = Hiding({"anna": "A1", "ben": "A2"}, shown=())
    rows = pseudonymised_rows((replace(one) for one in RECORDS), hiding, ["x.json"], 1)
    sources = [raw_files(spill(rows, store, "ingested/x"))]
    spec = ValidationSpec(Declared())
    [shard] = validate(store.url, sources, sharding.equal_shards(1, 1), spec)
    rows = store.read_table(f"{shard.outcome.place}/excluded.parquet").to_pylist()
    told = {(row["annotator"], row["source"], row["location"], row["n_rows"]) for row in rows}
    assert told == {
        ("A2", "source 1, file 1", "annotation 7", 13),
        ("A1", "source 1, file 1", "draft 3", 1),
        (UNDECLARED, "source 1, file 1", "draft 2", 2),
    }


def test_rows_in_memory_count_them_beside_the_others() -> None:
    accepted = accepted_rows(replace(one) for one in RECORDS)
    tally = accepted.tally()
    assert dict(tally.excluded) == EXPECTED
    assert accepted.rows_in == 5
    assert tally.n_read == 2 + sum(EXPECTED.values())  # a unit and a rejected row
    assert accepted.tables["units"].num_rows == 1


def test_writers_do_not_write_them() -> None:
    assert [len(sheet.annotator_passes) for sheet in sheets_by_document(RECORDS)] == [1, 0]
