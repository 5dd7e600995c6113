"""Each rule names the row and the value, and Great Expectations counts as the masks do."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import great_expectations.expectations as gxe
import numpy as np
import pandas as pd

from accordeur.data.schema import (
    UNDECLARED,
    Assignment,
    Document,
    Label,
    Relation,
)
from accordeur.data.validation import checks
from accordeur.data.validation.checks import check_rules, rule_suite
from accordeur.data.validation.column_rules import rules_on_columns
from accordeur.data.validation.rules import RULES
from accordeur.metrics.objects.distances.trees import TREE_EDIT
from tests.data.validation.prepared_rows import DECLARED, prepared, rules_broken, unit


def test_frames_are_freed_without_waiting_for_the_garbage_collector() -> None:
    """A worker checks dozens of groups before Python looks for circles of references."""
    values = np.zeros((1, 2))
    freed = weakref.ref(values)
    frame = pd.DataFrame(values.T, columns=["rule"], copy=False)
    del values
    gc.disable()
    try:
        broken = gxe.ExpectColumnValuesToBeInSet(column="rule", value_set=[1.0])
        [result] = checks.Engine().judge(frame, [broken], "BASIC")
        assert not result.success
        assert freed() is None
    finally:
        gc.enable()


def test_each_rule_of_units_names_the_row_and_the_value() -> None:
    result = prepared(
        [
            Document("d", 10, sha256="1", text="0123456789"),
            unit(source="a.ann", location="line 1"),
            unit("T2", 5, 5, source="a.ann"),
            unit("T3", 7, 4, source="a.ann"),
            unit("T4", -1, 4, source="a.ann"),
            unit("T5", 8, 11, source="a.ann"),
            unit("T6", 1, 2, "C", source="a.ann"),
            unit("T7", annotator="guest", source="a.ann"),
            unit("T8", source="a.ann", location="line 8"),
        ]
    )
    assert rules_broken(result) == [
        ("units", "annotator_known", "guest"),
        ("units", "category_in_tagset", "C"),
        ("units", "inside_document", "11"),
        ("units", "start_before_end", "5–5"),
        ("units", "start_before_end", "7–4"),
        ("units", "start_not_negative", "-1"),
        ("units", "unit_occurs_once", "0–3"),
    ]
    duplicate = next(r for r in result.rejected.to_pylist() if r["rule"] == "unit_occurs_once")
    assert (duplicate["source"], duplicate["location"]) == ("a.ann", "line 8")
    assert duplicate["message"].startswith("the same annotator already marked this unit (0–3)")
    assert result.tables["units"]["unit"].to_pylist() == ["T1"]
    assert result.rows_in == 9 == result.rows_accepted + result.rows_rejected


def test_labels_and_relations() -> None:
    result = prepared(
        [
            Label("d", "i1", "anna", ("x",)),
            Label("d", "i1", "anna", ("y",)),
            Label("d", "i2", "anna", ("x", "z")),
            Label("d", "i3", "anna", ("",)),
            Label("d", "i4", "anna", ()),  # none of several labels
            unit("T1"),
            unit("T2", 4, 4),
            Relation("d", "anna", "R1", "T1", "T2"),
        ]
    )
    assert rules_broken(result) == [
        ("labels", "label_given", "i3"),
        ("labels", "label_in_tagset", "x + z"),
        ("labels", "label_occurs_once", "i1"),
        ("relations", "ends_accepted", "T1 → T2"),
        ("units", "start_before_end", "4–4"),
    ]


def test_expectations_and_masks_count_alike_and_every_rule_is_stated() -> None:
    declared = replace(DECLARED, objects={"tree": TREE_EDIT})
    result = prepared(
        [
            Document("d", 10),
            unit(),
            unit("T2", 7, 4),
            unit("T3", 8, 11, "C"),
            Label("d", "i2", "guest", ("x", "z")),
            Label("d", "i2", "anna", ("not a tree",), layer="tree"),
            Label("d", "i2", "anna", ("0:root",), layer="tree"),
            Assignment("d", "anna", role="wizard", state="asleep"),
        ],
        declared=declared,
    )
    found = check_rules(rules_on_columns([result], declared))
    assert [(one.n_rows, one.n_broken) for one, _ in found] == [judged for _, judged in found]
    assert sum(judged.n_unexpected for _, judged in found) == sum(
        one.n_unexpected for one in result.checks
    )
    for one in result.checks:
        assert one.passed == (one.n_unexpected == 0)
        assert len(one.examples) == min(one.n_unexpected, 5)
    assert {one.key[:2] for one in result.checks} == {(rule.table, rule.name) for rule in RULES}
    assert sum(not one.passed for one in result.checks) == 9


def test_an_audit_needs_no_declaration() -> None:
    gold = [Assignment("d", "gold", role="audit"), Label("d", "i1", "gold", ("x",))]
    strangers = [
        Label("d", "i1", "guest", ("x",)),
        Assignment("d", UNDECLARED, role="audit"),
        Label("d", "i1", UNDECLARED, ("x",)),
    ]
    result = prepared([*gold, *strangers], declared=DECLARED)
    assert rules_broken(result) == [
        ("assignments", "annotator_known", UNDECLARED),
        ("labels", "annotator_known", UNDECLARED),
        ("labels", "annotator_known", "guest"),
    ]
    assert result.tables["labels"]["annotator"].to_pylist() == ["gold"]
    for one, judged in check_rules(rules_on_columns([result], DECLARED)):
        assert (one.n_rows, one.n_broken) == judged


def test_rules_are_stated_on_the_columns_of_their_tables() -> None:
    several = [Label("d", "i1", "anna", ("x", "q")), Label("d", "i2", "anna", ("",))]
    single = [Label("d", "i1", "anna", ("q",)), Label("d", "i2", "anna", ())]
    on = {
        n: {
            one.rule.name: one.stock.columns
            for one, _ in check_rules(rules_on_columns([rows], DECLARED))
        }
        for n, rows in enumerate((prepared([unit(), *single]), prepared([unit(), *several])))
    }
    assert on[0]["start_before_end"] == ["end_offset", "start_offset"]
    assert on[0]["category_in_tagset"] == ["category", "layer"]
    assert on[0]["label_in_tagset"] == ["category", "layer"]
    assert on[1]["label_in_tagset"] == ["label_in_tagset of labels"]


def test_the_suite_of_a_table_judges_ones_own_data() -> None:
    suite = rule_suite("units", DECLARED)
    own = pd.DataFrame(
        {
            "annotator": ["anna", "guest"],
            "start_offset": [0, 7],
            "end_offset": [3, 4],
            "layer": ["units", "units"],
            "category": ["A", "C"],
        }
    )
    results = checks.Engine().judge(own, suite.expectations, "SUMMARY")
    assert {one.expectation_config.description for one in results if not one.success} == {
        "start < end",
        "annotators are declared",
        "categories are among those of the layer (layer units)",
    }
