"""References that a run builds, and systems scored against them, without a flow."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from data.preparation import prepare
from data.readers.base import SourceOptions
from data.readers.registry import read_source
from data.rules import Declared
from data.runs import SLOT_BITS
from data.schema import SCHEMAS, Assignment, Document, Record, Unit
from data.spill import read_slots, spill
from data.store import Store
from metrics.agreement.label_matrix import LabelMatrix, label_matrix
from metrics.errors import MetricsError
from metrics.reference.adjudication import Decision
from metrics.scoring.accuracy import accuracy, score_labels
from tasks.cases import cases_of_labels, human_labels, layer_cases
from tasks.layers import LayerSpec
from tasks.units.alignment import DissimilaritySpec, align_units
from tasks.validity.against import Against
from tasks.validity.human_range import HumanRange
from tasks.validity.reference import build_reference
from tasks.validity.reference_labels import labels_reference
from tasks.validity.reference_parts import ReferenceSettings
from tasks.validity.scores import ScoringSettings
from tasks.validity.scoring import score_layer

KEY = "shard"
QUICK = ScoringSettings(replicates=20)
MEASURE = DissimilaritySpec()


def accept(store: Store, records: Sequence[Record]) -> None:
    """Put records into the store as one accepted shard, through the project's own preparation."""
    spilled = spill(iter(records), store, "source")
    raw = {}
    for name, files in spilled.files.items():
        part = read_slots(store, files, name, 0, 1 << SLOT_BITS)
        raw[name] = part.append_column("origin", pa.array([0] * part.num_rows, pa.int32()))
    for name in SCHEMAS:
        raw.setdefault(
            name,
            SCHEMAS[name].empty_table().append_column("origin", pa.array([], pa.int32())),
        )
    layers = [sorted(name or table for table, names in spilled.layers.items() for name in names)]
    prepared = prepare(raw, Declared(), layers)
    for name, table in prepared.tables.items():
        store.write_table(f"accepted/{KEY}/{name}.parquet", table)


def build(
    store: Store, layer: LayerSpec, settings: ReferenceSettings
) -> tuple[dict[str, Any], Against]:
    summary = store.read_json(
        build_reference(store.url, [KEY], layer, MEASURE, settings, "reports/run-0001/reference")
    )
    return summary["reference"], Against(settings.name, summary["place"])


def scored(store: Store, layer: LayerSpec, built: Against, **more: Any) -> dict[str, Any]:
    path = score_layer(store.url, [KEY], layer, QUICK, built=built, dissimilarity=MEASURE, **more)
    [validity] = store.read_json(path)["validity"]
    return validity


def values(scores: dict[str, Any]) -> dict[str, float | None]:
    return {value["measure"]: value["value"] for value in scores["values"]}


# Labels: four people on six items; a system that is right where they agree.
GIVEN = {"anna": "xxyyxy", "ben": "xxyyyx", "chloe": "xxyxyy", "dora": "xxyyyx", "tagger": "xxyyyy"}
ITEMS = LayerSpec("mood", "items", ("x", "y"), ("anna", "ben", "chloe", "dora"), ("tagger",))


@pytest.fixture
def moods(tmp_path: Path) -> Store:
    table = tmp_path / "moods.csv"
    rows = [
        f"d{i % 2},i{i},{who},{label}"
        for who, text in GIVEN.items()
        for i, label in enumerate(text)
    ]
    table.write_text("document,item,annotator,label\n" + "\n".join(rows) + "\n", encoding="utf-8")
    store = Store(str(tmp_path / "store"))
    records = []
    for record in read_source(table, "table", SourceOptions()):
        if isinstance(record, Assignment) and record.annotator == "tagger":
            record = replace(record, role="system")
        layered = hasattr(record, "layer")
        records.append(replace(record, layer="mood") if layered else record)
    accept(store, records)
    return store


def test_majority_of_labels_its_ties_and_a_system_against_it(moods: Store) -> None:
    summary, built = build(moods, ITEMS, ReferenceSettings())
    assert (summary["rule"], summary["n_items"]) == ("majority", 6)
    assert (summary["n_resolved"], summary["n_ties"], summary["n_unresolved"]) == (5, 1, 1)
    assert summary["unresolved"] == ["d1, i5"]
    validity = scored(moods, ITEMS, built, human_range=HumanRange(ReferenceSettings()))
    assert validity["reference"] == "built: majority"
    [tagger] = validity["systems"]
    assert values(tagger)["accuracy"] == 1.0
    assert values(tagger)["observed_agreement"] == 1.0
    majority, by_itself = validity["baselines"]
    assert values(majority) == {"majority_class": 0.6}
    assert values(by_itself) == {"reference_by_itself": pytest.approx(0.6**2 + 0.4**2)}
    people = {one["system"]: values(one)["accuracy"] for one in validity["human_range"]}
    assert set(people) == {"anna", "ben", "chloe", "dora"}
    assert people["ben"] == 5 / 6  # the other three together say xxyyyy
    assert people["anna"] == 4 / 6  # without her they say xxyyyx


def test_the_reference_is_released_with_how_it_came_about(moods: Store) -> None:
    build(moods, ITEMS, ReferenceSettings())
    place = "reports/run-0001/reference/mood"
    assert set(moods.list(place)) == {
        f"{place}/reference.parquet",
        f"{place}/reference.json",
        f"{place}/tables/assignments.csv",
        f"{place}/tables/documents.csv",
        f"{place}/tables/labels.csv",
    }
    table = moods.read_table(f"{place}/reference.parquet").to_pylist()
    assert [(row["item"], row["label"], row["confidence"]) for row in table][:3] == [
        ("i0", "x", 1.0),
        ("i2", "y", 1.0),
        ("i4", "y", 0.75),
    ]
    labels = moods.local_path(f"{place}/tables/labels.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(labels.splitlines()))
    assert {row["annotator"] for row in rows} == {"reference"}
    assert len(rows) == 5


def test_one_annotator_is_marked_and_not_called_a_reference(moods: Store) -> None:
    settings = ReferenceSettings(rule="annotator", annotator="anna")
    summary, built = build(moods, ITEMS, settings)
    assert summary["is_single_annotator"]
    assert summary["annotators"] == ["anna"]
    assert [warning["code"] for warning in summary["warnings"]] == ["single_annotator"]
    validity = scored(moods, ITEMS, built, human_range=HumanRange(settings))
    assert validity["reference"] == "anna"
    assert values(validity["systems"][0])["accuracy"] == pytest.approx(5 / 6)
    assert validity["human_range"] == []
    with pytest.raises(MetricsError, match="'tagger' is no human annotator of layer 'mood'"):
        build(moods, ITEMS, ReferenceSettings(rule="annotator", annotator="tagger"))


def test_decisions_on_labels(moods: Store) -> None:
    matrix = human_labels(moods, [KEY], ITEMS)
    cases = cases_of_labels(matrix, ITEMS)
    assert [case.where for case in cases] == ["i5", "i4", "i3"]  # 4 of 6 pairs differ, then 3
    tie = next(case for case in cases if case.where == "i5")
    decision = Decision(tie.case, "y", "erik", "2026-11-20", "the second reading is right")
    gone = replace(decision, case="d9\x1fi9")
    given = (("mood", decision), ("mood", gone), ("other", decision))
    by_vote, _ = build(moods, ITEMS, ReferenceSettings(decisions=given))
    assert (by_vote["n_resolved"], by_vote["n_ties"], by_vote["n_unresolved"]) == (6, 0, 0)
    assert by_vote["history"] == [
        {
            "document": "d1", "item": "i5", "decision": "y", "by": "erik", "when": "2026-11-20",
            "why": "the second reading is right",
        }
    ]  # fmt: skip
    stale = next(w for w in by_vote["warnings"] if w["code"] == "stale_decisions")
    assert stale["figures"] == {"n": 1}
    assert stale["text"].endswith("changed: 1. They are kept and not applied.")
    revised, _ = build(moods, ITEMS, ReferenceSettings(rule="adjudicated", decisions=given))
    assert revised["rule"] == "adjudicated"
    assert (revised["n_resolved"], revised["n_unresolved"]) == (4, 2)  # i3 and i4: not discussed
    still = {"code": "still_open", "figures": {"n": 2}}
    assert any(still.items() <= warning.items() for warning in revised["warnings"])


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
    records: list[Record] = [Document(d, 50, sha256=d, text="abcde fghi" * 5) for d in "ab"]
    for who, placed in PLACED.items():
        role = "system" if who == "tagger" else "human"
        records += [Assignment(d, who, role, layer="names") for d in "ab"]
        records += [
            Unit(d, who, f"{who}{n}", start, end, category, layer="names")
            for n, (d, start, end, category) in enumerate(placed)
        ]
    accept(store, records)
    align_units(store.url, [KEY], UNITS, MEASURE)
    return store


def test_units_supported_by_most_people(names: Store) -> None:
    summary, built = build(names, UNITS, ReferenceSettings())
    rows = names.read_table(f"{built.place}/reference.parquet").to_pylist()
    found = [(r["document"], r["start"], r["end"], r["category"], r["support"]) for r in rows]
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
    [label] = {v["detail"]["read_as"] for one in validity["human_range"] for v in one["values"]}
    assert "without them" in label
    place = "reports/run-0001/reference/names"
    assert names.exists(f"{place}/brat/reference/a.ann")
    ann = names.local_path(f"{place}/brat/reference/b.ann").read_text(encoding="utf-8")
    assert ann.startswith("T1\tP 20 25\t")


def test_unanimous_and_supported_units_and_the_best_annotators_bounds(names: Store) -> None:
    unanimous, built = build(names, UNITS, ReferenceSettings(rule="unanimity"))
    rows = names.read_table(f"{built.place}/reference.parquet").to_pylist()
    assert [(r["document"], r["start"]) for r in rows] == [("a", 0)]
    assert unanimous["n_unresolved"] == 3
    _, all_of_them = build(names, UNITS, ReferenceSettings(support=1))
    assert names.read_table(f"{all_of_them.place}/reference.parquet").num_rows == 4
    _, best = build(names, UNITS, ReferenceSettings(bounds="best_annotator"))
    ends = names.read_table(f"{best.place}/reference.parquet")["end"].to_pylist()
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
    align_units(store.url, [KEY], pair, MEASURE)
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
        assert [(r["document"], r["start"], r["end"], r["category"]) for r in rows] == expected
        assert summary["n_unresolved"] == (0 if rule == "majority" else 1)
        assert [one["decision"] for one in summary["history"]] == ["P 11–14", "(nothing)"]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("rule", "expected"),
    [("majority", 0.759), ("dawid_skene", 0.898)],
)
def test_bluebirds_built_against_its_gold(shared_data: Path, rule: str, expected: float) -> None:
    """Welinder et al. 2010: majority .759; Dawid–Skene .898 once converged."""
    rows = read_source(shared_data / "bluebirds" / "bluebirds_long.csv", "table", SourceOptions())
    given = [(r.item, r.annotator, r.labels[0]) for r in rows if hasattr(r, "item")]
    matrix = label_matrix(*(list(column) for column in zip(*given, strict=True)))
    named = LabelMatrix(
        matrix.codes,
        matrix.tagset,
        matrix.annotators,
        items=tuple(f"birds\x1f{item}" for item in matrix.items),
        documents=np.zeros(matrix.n_items, dtype=np.int64),
    )
    layer = LayerSpec("birds", "items", matrix.tagset, matrix.annotators)
    built = labels_reference(named, layer, ReferenceSettings(rule=rule))
    gold_file = shared_data / "bluebirds" / "bluebirds_gold.csv"
    with gold_file.open(encoding="utf-8", newline="") as stream:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(stream)}
    made = {row["item"]: row["label"] for row in built.rows}
    codes = [
        [matrix.tagset.index(side[item]) if item in side else -1 for item in gold]
        for side in (gold, made)
    ]
    assert built.summary.n_items == 108
    value = accuracy(score_labels(*codes, tagset=matrix.tagset)).value
    assert value == pytest.approx(expected, abs=5e-4)
