"""Systems are not scored where a reference of units decides nothing."""

from __future__ import annotations

import random
from pathlib import Path

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

LAYER = LayerSpec("names", "units", ("P", "Q"), ("anna", "ben"), ("tagger",))
ADJUDICATED = ReferenceSettings(rule="adjudicated")


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Store, float]:
    """A store of 8 documents of 10 true units, and the precision of the system against the truth.

    ben misses a third of the units; the system errs in a tenth of the categories.
    """
    rng = random.Random(3)
    store = Store(str(tmp_path / "store"))
    records: list[Record] = []
    n_right = n = 0
    for d in range(8):
        name = f"d{d}"
        records.append(Document(name, 300, sha256=name, text="abcde fghi" * 30))
        for who in ("anna", "ben", "tagger"):
            role = "system" if who == "tagger" else "human"
            records.append(Assignment(name, who, role, layer="names"))
        for u in range(10):
            start, category = 30 * u, rng.choice("PQ")
            given = {"anna": category}
            if rng.random() > 1 / 3:
                given["ben"] = category
            given["tagger"] = category if rng.random() > 0.1 else "PQ"[category == "P"]
            n_right, n = n_right + (given["tagger"] == category), n + 1
            records += [
                Unit(name, who, f"{who}{u}", start, start + 6, one, layer="names")
                for who, one in given.items()
            ]
    accept(store, records)
    count(store.url, [KEY], [UnitAlignment(LAYER, MEASURE)])
    return store, n_right / n


def test_open_places_are_no_errors(planted: tuple[Store, float]) -> None:
    """Scored as absent from the reference, the open third would lower the precision by .3."""
    store, truth = planted
    summary, built = build(store, LAYER, ADJUDICATED)
    n_open, n_decided = summary["n_unresolved"], summary["n_resolved"]
    assert n_open + n_decided == 80
    assert n_open > 20
    validity = scored(store, LAYER, built, human_range=HumanRange(ADJUDICATED, MEASURE))
    coverage = {"n_covered": 8, "n_all": 8, "n_open": n_open}
    assert validity["coverage"] == coverage
    [tagger] = validity["systems"]
    assert tagger["errors"]["on_open_places"] == n_open
    found = values(tagger)
    assert found["exact_precision"] == pytest.approx(truth, abs=0.06)
    assert tagger["errors"]["spurious"] == 0
    annotators = {one["system"]: values(one)["exact_f"] for one in validity["humans"]}
    assert annotators == {"anna": 1.0, "ben": 1.0}  # they are scored on the same places
    [undecided] = [one for one in summary["warnings"] if one["code"] == "open_places"]
    assert undecided["figures"] == {"n": n_open, "undecided": n_open}


def test_a_decision_closes_a_place(planted: tuple[Store, float]) -> None:
    """With all decisions as anna's units, the scores are those against her work."""
    store, truth = planted
    decisions = [
        (LAYER.name, Decision(case.case, case.said["anna"].category, "erik", "2026-11-28"))
        for case in layer_cases(store, [KEY], LAYER, MEASURE)
    ]
    settings = ReferenceSettings(rule="adjudicated", decisions=tuple(decisions))
    summary, built = build(store, LAYER, settings)
    assert summary["n_unresolved"] == 0
    [tagger] = scored(store, LAYER, built)["systems"]
    assert values(tagger)["exact_precision"] == truth
    assert tagger["errors"].get("on_open_places", 0) == 0


def test_too_few_votes_decide_that_there_is_no_unit(planted: tuple[Store, float]) -> None:
    """By majority a unit of one annotator of two is absent: a system that has it errs."""
    store, _ = planted
    summary, built = build(store, LAYER, ReferenceSettings())
    validity = scored(store, LAYER, built)
    assert validity["coverage"]["n_open"] == 0
    [tagger] = validity["systems"]
    assert tagger["errors"]["spurious"] == summary["n_unresolved"] > 20
    [warning] = [one for one in summary["warnings"] if one["code"] == "open_places"]
    assert warning["figures"]["undecided"] == 0
