"""Labels of an audit estimate the error of the reference, and are never one."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accordeur.data.schema import Assignment, Document, Label, Record, Role
from accordeur.data.store.store import Store
from accordeur.metrics.references.adjudication import Decision
from accordeur.tasks.layers import LayerSpec
from accordeur.tasks.references.disagreement_cases import cases_of_labels, human_labels
from accordeur.tasks.references.reference_settings import ReferenceSettings
from accordeur.tasks.scores.sides_of_shard import Against, references_of
from tests.tasks.scores.references import KEY, accept, build, scored

HUMANS = ("anna", "ben", "chloe")
LAYER = LayerSpec("topic", "items", ("x", "y"), HUMANS, ("tagger",), audits=("expert",))
N = 60


@pytest.fixture
def planted(tmp_path: Path) -> tuple[Store, dict[str, str]]:
    """60 items in 20 documents with a known truth, 10 of them audited."""
    rng = random.Random(7)
    truth = {f"i{i:02d}": rng.choice("xy") for i in range(N)}
    audited = rng.sample(sorted(truth), 10)
    records: list[Record] = []
    for i, (item, label) in enumerate(truth.items()):
        document = f"d{i // 3:02d}"
        if i % 3 == 0:
            records.append(Document(document, -1))
            roles = dict.fromkeys(HUMANS, Role.HUMAN) | {"tagger": Role.SYSTEM}
            roles["expert"] = Role.AUDIT
            records += [
                Assignment(document, who, role, layer="topic") for who, role in roles.items()
            ]
        given = {who: label if rng.random() < 0.8 else "xy"[label == "x"] for who in HUMANS}
        given["tagger"] = label if rng.random() < 0.85 else "xy"[label == "x"]
        if item in audited:
            given["expert"] = label
        records += [Label(document, item, who, (one,), "topic") for who, one in given.items()]
    store = Store(str(tmp_path / "store"))
    accept(store, records)
    return store, {item: truth[item] for item in audited}


def reference(store: Store, built: Against) -> dict[str, str]:
    rows = store.read_table(f"{built.place}/reference.parquet").to_pylist()
    return {row["item"]: row["label"] for row in rows}


def test_the_audit_states_the_error_of_the_reference(
    planted: tuple[Store, dict[str, str]],
) -> None:
    store, audited = planted
    _, built = build(store, replace(LAYER, systems=()), ReferenceSettings())
    validity = scored(store, LAYER, built)
    labels = reference(store, built)
    wrong = [item for item, truth in audited.items() if labels[item] != truth]
    error = validity["error"]
    assert (error["measure"], error["value"], error["n_items"]) == (
        "reference_error", len(wrong) / 10, 10,
    )  # fmt: skip
    assert error["interval"][0] <= error["value"] <= error["interval"][1]
    assert validity["reference"] == "built: majority"


def test_the_audit_changes_no_score(planted: tuple[Store, dict[str, str]]) -> None:
    store, _ = planted
    _, built = build(store, replace(LAYER, systems=()), ReferenceSettings())
    found, without = (scored(store, layer, built) for layer in (LAYER, replace(LAYER, audits=())))
    assert found["systems"] == without["systems"]
    assert found["coverage"] == without["coverage"] == covered(N)
    assert without["error"] is None


def covered(n: int) -> dict[str, Any]:
    return {"n_covered": n, "n_all": N, "n_open": N - n}


def test_an_adjudicated_reference_is_scored_where_it_decides(
    planted: tuple[Store, dict[str, str]],
) -> None:
    """Open items are in no score, and audited ones among them in no error."""
    store, audited = planted
    cases = cases_of_labels(human_labels(store, [KEY], LAYER), LAYER)
    decided = [Decision(case.case, "x", "erik", "2026-11-28") for case in cases[::2]]
    settings = ReferenceSettings(
        rule="adjudicated", decisions=tuple(("topic", one) for one in decided)
    )
    _, built = build(store, replace(LAYER, systems=()), settings)
    labels = reference(store, built)
    validity = scored(store, LAYER, built)
    n = N - len(cases) + len(decided)
    assert validity["coverage"] == covered(n)
    [tagger] = validity["systems"]
    assert {value["n_items"] for value in tagger["values"]} == {n}
    known = [item for item in audited if item in labels]
    assert validity["error"]["n_items"] == len(known) < 10
    assert validity["error"]["detail"]["n_unlabelled"] == 10 - len(known)


def test_which_reference_is_scored_against_is_decided_in_one_place() -> None:
    built = Against("built: adjudicated", "references/some")
    given = replace(LAYER, references=("gold",))
    assert references_of(given, built) == [Against("gold")]
    assert references_of(LAYER, built) == [built]
    assert references_of(LAYER, None) == []


def test_a_smaller_reference_that_replaces_a_built_one_is_named(
    planted: tuple[Store, dict[str, str]],
) -> None:
    """An audit with the role reference, as version 0.2.0 asked for it."""
    store, _ = planted
    old = replace(LAYER, references=("expert",), audits=())
    _, built = build(store, replace(LAYER, systems=()), ReferenceSettings())
    validity = scored(store, old, built)
    assert (validity["reference"], validity["instead_of"]) == ("expert", "built: majority")
    assert validity["coverage"] == covered(10)
    [warning] = [one for one in validity["notices"] if one["code"] == "smaller_reference"]
    figures = {"reference": "expert", "n": 10, "built": "built: majority", "total": N}
    assert warning["figures"] == figures
