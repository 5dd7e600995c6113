"""References of units that a run builds, and a system scored against them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest

from accordeur.data.schema import Assignment, Document, Record, Unit
from accordeur.data.store.store import Store
from accordeur.metrics.references.adjudication import Decision
from accordeur.tasks.analysis import count
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.references.disagreement_cases import layer_cases
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.scores.human_range import HumanRange
from accordeur.tasks.units.alignment import UnitAlignment
from tests.tasks.scores.references import KEY, MEASURE, accept, build, scored, values

# Units: three people in two documents of fifty characters, and a system.
UNITS = LayerSpec("names", "units", ("P", "Q"), ("anna", "ben", "chloe"), ("tagger",))

PLACED = {
    "anna": [("a", 0, 5, "P"), ("a", 10, 15, "Q"), ("b", 20, 25, "P")],
    "ben": [("a", 0, 5, "P"), ("a", 10, 16, "P"), ("b", 20, 25, "P")],
    "chloe": [("a", 0, 5, "P"), ("a", 10, 17, "Q"), ("b", 30, 35, "Q")],
    "tagger": [("a", 0, 5, "P"), ("a", 10, 16, "Q"), ("b", 20, 25, "Q")],
}


@pytest.fixture
def names(tmp_path: Path) -> Store:
    store = Store(str(tmp_path / "store"))
    accept(store, records_of(PLACED))
    count(store.url, [KEY], [UnitAlignment(UNITS, MEASURE)])
    return store


def records_of(placed_by: dict[str, list[tuple[str, int, int, str]]]) -> list[Record]:
    records: list[Record] = [Document(d, 50, sha256=d, text="abcde fghi" * 5) for d in "ab"]
    for who, placed in placed_by.items():
        role = "system" if who == "tagger" else "human"
        records += [Assignment(d, who, role, layer="names") for d in "ab"]
        records += [
            Unit(d, who, f"{who}{n}", start, end, category, layer="names")
            for n, (d, start, end, category) in enumerate(placed)
        ]
    return records


@pytest.mark.parametrize(
    ("others", "errors", "n_audited", "rule"),
    [
        ({}, (1, 0, 1), 1, "majority"),
        ({}, (1, 0, 0), 1, "unanimity"),  # leaves the place of the second audited unit open
        ({"b": [(20, 25, "P"), (1, 4, "P")]}, (2, 0, 1), 2, "majority"),
        ({"a": []}, None, 0, "majority"),
    ],
    ids=["one document", "an open place", "two documents", "two audits that differ"],
)
def test_an_audit_states_the_errors_of_the_reference(
    tmp_path: Path,
    others: dict[str, list[tuple[int, int, str]]],
    errors: tuple[int, int, int] | None,
    n_audited: int,
    rule: Literal["majority", "unanimity"],
) -> None:
    """Missed, too many, of a wrong category; by hand. An empty reference would miss all."""
    audits = {"gold": {"a": [(0, 5, "P"), (10, 16, "P"), (40, 45, "Q")]}, "second": others}
    layer = replace(UNITS, systems=(), audits=("gold", "second"))
    store = Store(str(tmp_path / "store"))
    records = records_of({who: PLACED[who] for who in UNITS.humans})
    for who, documents in audits.items():
        for name, placed in documents.items():
            records.append(Assignment(name, who, "audit", layer="names"))
            records += [
                Unit(name, who, f"{who}{start}", start, end, category, layer="names")
                for start, end, category in placed
            ]
    accept(store, records)
    count(store.url, [KEY], [UnitAlignment(UNITS, MEASURE)])
    _, built = build(store, layer, ReferenceSettings(rule=rule))
    validity = scored(store, layer, built)
    error, detail = validity["error"], validity["error"].get("detail", {})
    assert (validity["systems"], error["measure"]) == ([], "slot_error_rate")
    assert detail.get("n_documents", 0) == n_audited
    if errors is None:
        assert error["value"] is None
        return
    kinds = ("missed", "spurious", "wrong_category", "wrong_bounds", "wrong_both")
    assert [detail.get(kind, 0) for kind in kinds] == [*errors, 0, 0]
    n_units, n_open = 3 if n_audited == 1 else 5, int(rule == "unanimity")
    assert error["value"] == pytest.approx(sum(errors) / (n_units - n_open))
    assert (error["n_items"], detail.get("n_unlabelled", 0)) == (n_units - n_open, n_open)


def test_units_supported_by_most_people(names: Store) -> None:
    summary, built = build(names, UNITS, ReferenceSettings())
    rows = names.read_table(f"{built.place}/reference.parquet").to_pylist()
    found = [
        (r["document"], r["start_offset"], r["end_offset"], r["category"], r["support"])
        for r in rows
    ]
    assert found == [("a", 0, 5, "P", 3), ("a", 10, 16, "Q", 3), ("b", 20, 25, "P", 2)]
    assert summary["n_unresolved"] == 1
    assert summary["unresolved"] == ["b, 30–35 (1/3)"]
    validity = scored(names, UNITS, built, human_range=HumanRange(ReferenceSettings(), MEASURE))
    [tagger] = validity["systems"]
    assert values(tagger)["exact_f"] == pytest.approx(2 / 3)
    assert values(tagger)["slot_error_rate"] == pytest.approx(1 / 3)
    assert values(tagger)["weighted_slot_error_rate"] == pytest.approx(0.5 / 3)
    # Only the category of one of three pairs differs: 1 / mean number of units.
    assert values(tagger)["observed_disorder"] == pytest.approx(1 / 3)
    assert [one["system"] for one in validity["human_range"]] == ["anna", "ben", "chloe"]
    beside = [(one["system"], one["without"]) for one in validity["leave_one_out"]]
    assert beside == [("tagger", "anna"), ("tagger", "ben"), ("tagger", "chloe")]
    assert validity["humans"] == []  # the reference holds their own units
    [label] = {v["detail"]["read_as"] for one in validity["human_range"] for v in one["values"]}
    assert "without them" in label
    place = "reports/run-0001/reference/names"
    assert names.exists(f"{place}/brat/reference/a.ann")
    ann = names.local_path(f"{place}/brat/reference/b.ann").read_text(encoding="utf-8")
    assert ann.startswith("T1\tP 20 25\t")


def test_unanimous_and_supported_units_and_the_best_annotators_bounds(names: Store) -> None:
    unanimous, built = build(names, UNITS, ReferenceSettings(rule="unanimity"))
    rows = names.read_table(f"{built.place}/reference.parquet").to_pylist()
    assert [(r["document"], r["start_offset"]) for r in rows] == [("a", 0)]
    assert unanimous["n_unresolved"] == 3
    _, all_of_them = build(names, UNITS, ReferenceSettings(support=1))
    assert names.read_table(f"{all_of_them.place}/reference.parquet").num_rows == 4
    _, best = build(names, UNITS, ReferenceSettings(bounds="best_annotator"))
    ends = names.read_table(f"{best.place}/reference.parquet")["end_offset"].to_pylist()
    assert ends[1] in (15, 16)  # anna's or ben's, who agree better than chloe
    few, _ = build(names, UNITS, ReferenceSettings(support=4))
    assert few["warnings"][0]["code"] == "too_few_for_support"
    assert few["warnings"][0]["figures"] == {"n": 2, "support": "4"}


def test_bounds_that_nobody_gave_are_told(tmp_path: Path) -> None:
    """anna ends at 15 and ben at 17: the reference ends at 16, unless somebody decided so."""
    pair = replace(UNITS, humans=("anna", "ben"))
    store = Store(str(tmp_path / "store"))
    records: list[Record] = [Document("a", 50, sha256="a", text="abcde fghi" * 5)]
    for who, end, category in (("anna", 15, "P"), ("ben", 17, "Q")):
        records.append(Assignment("a", who, "human", layer="names"))
        records.append(Unit("a", who, f"{who}1", 0, 5, "P", layer="names"))
        records.append(Unit("a", who, f"{who}2", 10, end, category, layer="names"))
    accept(store, records)
    count(store.url, [KEY], [UnitAlignment(pair, MEASURE)])
    [case] = layer_cases(store, [KEY], pair, MEASURE)
    told = {}
    for moved, end in (("median", float("nan")), ("own", 16)):
        decision = Decision(case.case, "P", "erik", "2026-11-20", end=end)
        summary, _ = build(store, pair, ReferenceSettings(decisions=(("names", decision),)))
        told[moved] = [(w["code"], w["figures"]) for w in summary["warnings"]]
    assert told == {"median": [("bounds_between", {"n": 1, "total": 2})], "own": []}


def test_decisions_on_units(names: Store) -> None:
    cases = layer_cases(names, [KEY], UNITS, MEASURE)
    assert [case.cost for case in cases] == sorted((c.cost for c in cases), reverse=True)
    alone = next(case for case in cases if case.where == "30–35")
    assert alone.said["anna"].category == ""
    assert "fghi" in alone.context
    other = next(case for case in cases if case.where == "10–17")
    decisions = (
        ("names", Decision(alone.case, "", "erik", "2026-11-20", keep=False)),
        ("names", Decision(other.case, "P", "erik", "2026-11-20", start=11, end=14)),
    )
    for rule, expected in (
        ("majority", [("a", 0, 5, "P"), ("a", 11, 14, "P"), ("b", 20, 25, "P")]),
        ("adjudicated", [("a", 0, 5, "P"), ("a", 11, 14, "P")]),
    ):
        summary, built = build(names, UNITS, ReferenceSettings(rule=rule, decisions=decisions))
        rows = names.read_table(f"{built.place}/reference.parquet").to_pylist()
        assert [
            (r["document"], r["start_offset"], r["end_offset"], r["category"]) for r in rows
        ] == expected
        assert summary["n_unresolved"] == (0 if rule == "majority" else 1)
        assert [one["decision"] for one in summary["history"]] == ["(nothing)", "P 11–14"]
