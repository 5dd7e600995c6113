"""What notebooks pass by mistake: an error or a warning, and never another number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pytest

import accordeur as acc

CODES = [[1, 2, 3, 3, 2, 1], [1, 2, 3, 3, 2, 2]]
LABELS = pd.DataFrame(
    [(d, i, a, label) for d, label in (("d1", "x"), ("d2", "y")) for i in (1, 2) for a in "abc"],
    columns=["document", "item", "annotator", "label"],
)
UNITS = pd.DataFrame(
    [
        *(("d1", "anna", 0, 5, "x"), ("d1", "ben", 0, 5, "x"), ("d1", "carla", 1, 4, "x")),
        *(("d2", "anna", 3, 9, "x"), ("d2", "ben", 3, 9, "y")),
    ],
    columns=["document", "annotator", "start", "end", "category"],
)
SCALE = ["low", "middle", "high"]
TRUTH = pd.DataFrame({"item": range(6), "label": list("abbaba")})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: acc.agreement(LABELS, interval="annotatros"), "interval is 'annotatros'"),
        (
            lambda: acc.plan(LABELS, width=0.1, budge=9),
            "plan: there is no 'budge': did you",
        ),
        (lambda: acc.gamma(UNITS, measure="gama"), "did you mean gamma"),
        (lambda: acc.gamma(UNITS, axis="whole"), "axis is 'whole'"),
        (lambda: acc.next_labels(LABELS, goal="nothing"), "goal is 'nothing'"),
        (lambda: acc.cohen_kappa(CODES, scale="interval"), "cohen_kappa has no distances"),
        (lambda: acc.krippendorff_alpha(pd.DataFrame(CODES)), 'rows="items"'),
        (lambda: acc.krippendorff_alpha([1, 2, 3]), "a row for each annotator"),
        (lambda: acc.agreement(LABELS.assign(label=None)), "no row has a label"),
        (lambda: acc.agreement(LABELS[LABELS.annotator == "a"]), "^data: one annotator only"),
        (lambda: acc.score(TRUTH, {}, item="item", label="label"), "no system to score"),
        (
            lambda: acc.score(TRUTH, {"reference": TRUTH}, item="item", label="label"),
            "cannot be called 'reference'",
        ),
        (lambda: acc.coefficient(CODES, "gwet_ac1"), "the name of the measure comes first"),
        (
            lambda: acc.agreement(pd.DataFrame(CODES, index=["a", "b"]).T.assign(text=[*"uvwxyz"])),
            r'Use `annotator=\["NAME", "NAME"\]` if every column except the item is one',
        ),
        (lambda: acc.agreement(LABELS, annotator=["item", "labl"]), "no column 'labl'.*annotator="),
        (lambda: acc.score(LABELS, TRUTH), "the reference has several annotators: a, b, c"),
        (lambda: acc.score(TRUTH, LABELS), "'system' has several annotators: a, b, c"),
        (lambda: acc.gamma(UNITS.assign(end=[5, 5, None, 9, 9])), "row 3: the end is missing"),
        (
            lambda: acc.compare_groups(LABELS, attributes={"a": {"age": "young"}}),
            "none of the annotators",
        ),
        (
            lambda: acc.coefficient("weighted_kappa", [*"abc"], [*"acc"], scale="ordinal"),
            "in the scale's order with categories",
        ),
    ],
)
def test_a_mistake_is_one_sentence(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "--" not in str(error.value)
    assert "/" not in str(error.value)


def test_the_labels_of_a_system_may_be_a_dictionary_of_columns() -> None:
    columns = {"item": [*range(6)], "label": [*"abbabb"]}
    assert acc.score(TRUTH, columns)["accuracy"].value == pytest.approx(5 / 6)
    assert acc.score(columns, {"mine": columns})["mine", "accuracy"].value == 1


def test_items_of_several_documents_are_several_items() -> None:
    found = acc.consensus(LABELS, label="label").data
    assert dict(zip(zip(found.document, found.item, strict=True), found.label, strict=True)) == {
        ("d1", 1): "x", ("d1", 2): "x", ("d2", 1): "y", ("d2", 2): "y",
    }  # fmt: skip


def test_rejected_rows_are_shown_with_the_values() -> None:
    found = acc.agreement(LABELS.drop(columns="document"))
    assert "6 rejected (label_occurs_once: the same annotator already labelled" in repr(found)
    assert "6 rejected" in found._repr_html_()
    assert "rejected" not in repr(acc.agreement(LABELS))


def test_an_annotator_without_units_is_reported_and_can_be_declared_to_have_found_nothing() -> None:
    absent = acc.gamma(UNITS, replicates=0)
    assert any("carla (1)" in one for one in absent.values.warnings)
    nothing = pd.DataFrame([("d2", "carla", None, None, None)], columns=UNITS.columns)
    declared = acc.gamma(pd.concat([UNITS, nothing]), replicates=0)
    assert not any("carla" in one for one in declared.values.warnings)
    assert declared.observed > absent.observed


def test_lengths_of_documents_count_the_outer_gaps() -> None:
    spans = acc.gamma(UNITS, measure="u_alpha", replicates=0)
    whole = acc.gamma(UNITS.assign(n=60), measure="u_alpha", length="n", replicates=0)
    assert whole.value > spans.value
    assert any("unknown length" in one for one in spans.values.warnings)
    assert not any("unknown length" in one for one in whole.values.warnings)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_ordered_categorical_carries_its_order(library: str) -> None:
    labels = pd.Categorical(["low", "low", "high", "middle", "low", "middle"], SCALE, ordered=True)
    frame: Any = pd.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "annotator": [*"ababab"], "label": labels}
    )
    if library == "polars":
        frame = pl.from_pandas(frame).with_columns(pl.col("label").cast(pl.Enum(SCALE)))
    [found] = acc.agreement(frame, scale="ordinal", measures="krippendorff_alpha")
    plain = acc.agreement(
        frame if library == "polars" else frame.astype({"label": str}),
        scale="ordinal",
        categories=SCALE,
        measures="krippendorff_alpha",
    )
    assert found.value == plain[0].value


def test_the_order_of_rows_does_not_change_scores_of_segmentations() -> None:
    reference = pd.DataFrame(
        {"item": range(20), "label": [int(i in (4, 9, 15)) for i in range(20)]}
    )
    system = reference.assign(label=[int(i in (4, 10, 12)) for i in range(20)])
    shuffled = reference.sample(frac=1, random_state=0)
    first, second = (
        acc.score(one, {"s": system}, item="item", label="label", document=None, measures="pk")
        for one in (reference, shuffled)
    )
    assert first["s", "pk"].value == second["s", "pk"].value


def test_values_are_numbers_in_expressions_and_name_their_part() -> None:
    value = acc.krippendorff_alpha(*CODES, scale="interval")
    assert f"{value:.2f}" == f"{value.value:.2f}"
    assert round(value, 2) == round(value.value, 2)
    assert value > 0.5
    assert repr(value).startswith("krippendorff_alpha [interval]")
    curve = acc.modification_rate(LABELS, document="document")
    assert [int(k) for k in curve.to_frame()["k"]] == [1, 2]
    assert "k = 2" in curve[1].sentence
    assert "modification_rate" in curve


def test_soft_labels_account_for_every_row() -> None:
    twice = pd.concat([LABELS, LABELS.iloc[[0]].assign(label="y")])
    found = acc.soft_labels(twice, document="document")
    assert (found.rows.n_read, found.rows.measured) == (13, 12)
    assert [one.rule for one in found.rejected] == ["label_occurs_once"]
    assert "13 rows read: 12 measured, 1 rejected" in repr(found)


def test_a_consensus_says_that_a_few_gold_rows_do_not_train_it() -> None:
    gold = pd.concat([LABELS, LABELS[LABELS.annotator == "a"].assign(annotator="gold")])
    found = acc.consensus(gold, label="label", gold="gold")
    assert any(one.startswith("Known items or documents (gold): 4.") for one in found.warnings)
    assert "warning: Known items" in repr(found)
    units = pd.concat([UNITS, UNITS[UNITS.annotator == "ben"].assign(annotator="gold")])
    assert any("(gold): 2." in one for one in acc.consensus(units, gold="gold").warnings)
    assert acc.consensus(UNITS).warnings == ()
