"""References of labels that a run builds, and a system scored against them."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from accordeur.data.readers.base import SourceOptions
from accordeur.data.readers.sources import read_source
from accordeur.data.schema import Assignment
from accordeur.data.store.store import Store
from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.item_name import ItemName
from accordeur.metrics.references.adjudication import Decision
from accordeur.metrics.scores.accuracy import accuracy, count_labels
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.references.disagreement_cases import cases_of_labels, human_labels
from accordeur.tasks.references.reference_labels import labels_reference
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.scores.human_range import HumanRange
from tests.tasks.scores.references import KEY, accept, build, scored, values

# Labels: four people on six items; a system that is right where they agree.
GIVEN = {"anna": "xxyyxy", "ben": "xxyyyx", "chloe": "xxyxyy", "dora": "xxyyyx", "tagger": "xxyyyy"}

ITEMS = LayerSpec("mood", "items", ("x", "y"), ("anna", "ben", "chloe", "dora"), ("tagger",))


@pytest.fixture
def moods(tmp_path: Path) -> Store:
    return store_of(tmp_path, GIVEN)


def store_of(tmp_path: Path, given: dict[str, str]) -> Store:
    table = tmp_path / "moods.csv"
    rows = [
        f"d{i % 2},i{i},{who},{label}"
        for who, text in given.items()
        for i, label in enumerate(text)
        if label != "-"
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


def test_a_human_is_scored_on_the_items_they_labelled(tmp_path: Path) -> None:
    """Without ben the others say xxyyyy: on the four items that he labelled, he has one wrong."""
    store = store_of(tmp_path, GIVEN | {"ben": "x-y-yx"})
    _, built = build(store, ITEMS, ReferenceSettings())
    validity = scored(store, ITEMS, built, human_range=HumanRange(ReferenceSettings()))
    ben = next(one for one in validity["human_range"] if one["system"] == "ben")
    [accuracy] = ben["values"]
    assert (accuracy["value"], accuracy["n_items"]) == (3 / 4, 4)
    assert accuracy["detail"]["n_others"] == 3


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
    assert [(row["item"], row["label"]) for row in table][:3] == [
        ("i0", "x"),
        ("i2", "y"),
        ("i4", "y"),
    ]
    unanimous, other, divided = (row["predicted_agreement"] for row in table[:3])
    assert 0.5 < divided < 0.75 < min(unanimous, other) < 1  # votes 4, 4 and 3 of 4, shrunk
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
    with pytest.raises(MetricsError, match="'tagger' is not a human annotator of layer 'mood'"):
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
    lost = next(w for w in by_vote["warnings"] if w["code"] == "decisions_without_document")
    assert lost["figures"] == {"n": 1, "names": "d9, i9"}
    by_decisions = ReferenceSettings(rule="adjudicated", decisions=given)
    revised, built = build(moods, ITEMS, by_decisions)
    validity = scored(moods, ITEMS, built, human_range=HumanRange(by_decisions))
    beside = {one["system"]: values(one)["accuracy"] for one in validity["humans"]}
    assert beside == {"anna": 1.0, "ben": 3 / 4, "chloe": 1.0, "dora": 3 / 4}  # of i0 to i2 and i5
    assert revised["rule"] == "adjudicated"
    assert (revised["n_resolved"], revised["n_unresolved"]) == (4, 2)  # i3 and i4: not discussed
    still = {"code": "still_open", "figures": {"n": 2}}
    assert any(still.items() <= warning.items() for warning in revised["warnings"])


@pytest.mark.shared
@pytest.mark.parametrize(
    ("rule", "expected"),
    [("majority", 0.759), ("dawid_skene", 0.898)],
)
def test_bluebirds_built_against_its_gold(shared_data: Path, rule: str, expected: float) -> None:
    """Welinder et al. 2010: majority .759; Dawid–Skene .898 once converged."""
    rows = read_source(shared_data / "bluebirds" / "bluebirds_long.csv", "table", SourceOptions())
    given = [(r.item, r.annotator, r.labels[0]) for r in rows if hasattr(r, "item")]
    items, annotators, labels = zip(*given, strict=True)
    matrix = label_matrix(items=items, annotators=annotators, labels=labels)
    named = LabelMatrix(
        codes=matrix.codes,
        tagset=matrix.tagset,
        annotators=matrix.annotators,
        items=tuple(ItemName("birds", item) for item in matrix.items),
        documents=np.zeros(matrix.n_items, dtype=np.int64),
    )
    layer = LayerSpec("birds", "items", matrix.tagset, matrix.annotators)
    built = labels_reference(named, layer, ReferenceSettings(rule=rule))
    gold_file = shared_data / "bluebirds" / "bluebirds_gold.csv"
    with gold_file.open(encoding="utf-8", newline="") as stream:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(stream)}
    made = {row.item: row.label for row in built.rows}
    codes = [
        [matrix.tagset.index(side[item]) if item in side else -1 for item in gold]
        for side in (gold, made)
    ]
    assert built.summary.n_items == 108
    value = accuracy(count_labels(*codes, tagset=matrix.tagset)).value
    assert value == pytest.approx(expected, abs=5e-4)
