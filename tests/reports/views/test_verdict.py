"""The verdict: gates, earlier runs, and values that say little."""

from __future__ import annotations

import json
import re

import pytest

from accordeur.metrics.coded_warning import CodedWarning, Finding
from accordeur.metrics.effect import EffectKind
from accordeur.metrics.estimate import Estimate
from accordeur.reports.page.blocks import Table, Verdict
from accordeur.reports.render import render
from accordeur.reports.results import (
    AlignedUnit,
    Alignment,
    Effect,
    ErrorCost,
    GateOutcome,
    ItemAgreement,
    Repair,
    Results,
    RunPoint,
    UnitAgreement,
)
from accordeur.reports.summary import markdown_summary
from accordeur.reports.views.items import items_section
from accordeur.reports.views.next_steps import actions
from accordeur.reports.views.sections import sections_of
from tests.reports import samples
from tests.reports.views.pages import page_of, results_with


def verdict_of(results: Results) -> Verdict:
    block = sections_of(page_of(results))[0].blocks[0]
    assert isinstance(block, Verdict)
    return block


def test_the_verdict_fails_with_one_gate():
    block = verdict_of(samples.typical())
    assert block.outcome == "fail"
    assert [card.mark for card in block.cards] == ["fail", "pass", "pass"]
    first, second, _ = block.cards
    assert first.distance == "0.026 below the threshold (≥ 0.667)."
    assert second.distance == "The lower bound, 0.674, is 0.074 above the threshold (≥ 0.6)."
    assert first.change == (
        "−0.049 since run 2026-02-23 (95% CI [−0.071, −0.027]). Alert: falling over 6 runs."
    )
    assert first.is_falling


def test_the_threshold_is_drawn_on_every_card():
    results = samples.typical()
    far = results.gates[0].model_copy(update={"threshold": 0.95})
    block = verdict_of(results.model_copy(update={"gates": [far, *results.gates[1:]]}))
    assert ['class="gate"' in card.strip for card in block.cards] == [True, True, True]


def test_the_cause_of_a_failed_gate_leads_to_what_to_do():
    block = verdict_of(samples.typical())
    assert block.cause.startswith("Chloé differs from the others: without these annotations α")
    assert "0.701 instead of 0.641 (+0.060 [+0.030, +0.090])" in block.cause
    assert [action.href for action in block.actions] == [
        "#validation",
        "#disagreements",
        "#repairs",
        "#disagreements",
    ]
    assert "Chloé" in block.actions[1].text
    chosen = json.loads(block.actions[1].filter)
    assert chosen == {"layer": "stance", "annotator": "Chloé"}
    html = render(samples.typical())
    assert all(f'id="{action.href[1:]}"' in html for action in (*block.actions, *block.data))
    assert not re.search(
        r"(?i)drop|leave out|remove|exclude", " ".join(a.text for a in block.actions)
    )


def test_without_a_clear_effect_there_is_no_single_driver():
    results = samples.typical()
    gates = [gate.model_copy(update={"cause": None}) for gate in results.gates]
    block = verdict_of(results.model_copy(update={"gates": gates}))
    assert block.cause.startswith("No single driver: of the annotators, batches and pairs")
    assert block.cause_note == ""


def test_a_run_that_passed_has_no_cause_and_still_something_to_do():
    results = samples.typical()
    block = verdict_of(results.model_copy(update={"gates": results.gates[1:]}))
    assert block.cause == ""
    assert [action.href for action in block.actions] == [
        "#validation",
        "#repairs",
        "#repairs",
        "#disagreements",
    ]


def test_gates_beyond_four_are_listed_in_words():
    results = samples.typical()
    block = verdict_of(results.model_copy(update={"gates": [*results.gates] * 2}))
    assert [card.mark for card in block.cards] == ["fail", "fail", "pass", "pass"]
    assert len(block.further) == 2
    assert block.further[0].sentence.endswith("the campaign requires ≥ 0.6.")


@pytest.mark.parametrize(("lower", "told"), [(1.0, True), (0.9, False)])
def test_an_interval_without_width_is_explained(lower: float, told: bool):
    value = Estimate(measure="krippendorff_alpha", value=1.0, interval=(lower, 1.0))
    layer = ItemAgreement(
        layer="l", tagset=["x", "y"], annotators=["A", "B"], n_items=4, values=[value]
    )
    section = items_section(page_of(results_with(items=[layer])))
    assert section is not None
    [table] = [one for one in section.blocks if isinstance(one, Table)]
    assert ("An interval without width" in table.note) is told


def test_an_earlier_run_is_named_in_the_pages_language():
    batch = RunPoint(run="7", kind="batch", measure="gamma", layer="entities", value=0.7)
    run = RunPoint(run="run 7", measure="gamma", layer="entities", value=0.7)
    results = samples.typical().model_copy(update={"history": [run, batch]})
    html = render(results, language="fr")
    assert "depuis l’exécution 7 (" in html
    assert ">exécution 7</th>" in html
    assert ">7</th>" in html


def test_the_verdict_says_of_a_few_units_that_their_value_is_chance():
    results = samples.typical()
    layer = results.units[0]
    finding = Finding("few_units", {"n_units": 4, "fewest": 10})
    few = layer.model_copy(update={"findings": [finding]})
    block = verdict_of(results.model_copy(update={"units": [few]}))
    notes = {card.place: card.note for card in block.cards}
    assert notes[layer.layer].startswith(
        "The layer has 4 units. Below 10, γ is mostly due to chance"
    )


def test_an_undecided_gate_is_neither_passed_nor_failed():
    results = samples.typical()
    gates = [
        gate.model_copy(
            update={"outcome": GateOutcome.undecided, "fails_run": False, "interval": (0.55, 0.73)}
        )
        if gate.outcome is GateOutcome.failed
        else gate
        for gate in results.gates
    ]
    results = results.model_copy(update={"gates": gates})
    block = verdict_of(results)
    assert block.outcome == "undecided"
    assert block.headline == "Quality gates: 1 undecided and 2 passed."
    assert [card.mark for card in block.cards] == ["undecided", "pass", "pass"]
    assert block.cards[0].distance.endswith("The CI contains it.")
    assert "? **Quality gates: 2 passed, 1 undecided.**" in markdown_summary(results)
    assert "L’IC contient le seuil." in render(results, language="fr")
    gates = [gate.model_copy(update={"cause": None}) for gate in gates]
    block = verdict_of(results.model_copy(update={"gates": gates, "validation": None}))
    assert block.cause.startswith("Too few data: the CI of α contains the threshold.")
    assert block.actions[0].text.startswith("Annotate more: there are too few data to decide")


def test_rejected_rows_are_the_first_action_and_no_alert():
    results = samples.typical()
    alert = CodedWarning("rows_rejected", {"n": 3, "rows": 40})
    block = verdict_of(results.model_copy(update={"alerts": [alert]}))
    assert block.actions[0].href == "#validation"
    assert block.actions[0].text == (
        "Correct the rejected rows (3 rows): every number here is computed without them"
    )
    assert block.alerts == []


@pytest.mark.parametrize(("difference", "is_asked"), [(0.02, True), (0.0, False), (-0.08, False)])
def test_categories_are_to_be_separated_only_where_their_confusion_costs_agreement(
    difference: float, is_asked: bool
):
    merged = Effect(
        kind=EffectKind.categories, names=["x", "y"], measure="fleiss_kappa",
        value=0.5 + difference, difference=difference,
    )  # fmt: skip
    layer = ItemAgreement(
        layer="l", tagset=["x", "y", "z"], annotators=["A", "B"], n_items=9, effects=[merged],
        values=[Estimate(measure="fleiss_kappa", value=0.5)],
    )  # fmt: skip
    repair = Repair(layer="l", first="x", second="y", count=5)
    asked = actions(page_of(results_with(items=[layer], repairs=[repair])), None)
    assert [one.href for one in asked] == ["#repairs"] * is_asked


def test_missing_units_are_an_action_that_names_a_document_left_empty():
    costs = [
        ErrorCost(cause="missing", share=0.86, disorder=0.3, cost=0.18),
        ErrorCost(cause="category", share=0.14, disorder=0.1, cost=0.02),
    ]
    unit = AlignedUnit(annotator="anna", start=0, end=4, category="PER")
    telegram = Alignment(
        document="telegram", length=40, annotators=["anna", "ben"], units=[unit],
        alignments=[], disorder=1.0,
    )  # fmt: skip
    layer = UnitAgreement(
        layer="entities", tagset=["PER"], annotators=["anna", "ben"], n_units=9, n_documents=2,
        values=[Estimate(measure="gamma", value=0.8)], error_costs=costs, alignments=[telegram],
    )  # fmt: skip
    [asked] = actions(page_of(results_with(units=[layer])), None)
    assert asked.text == (
        "Check the places where an annotator has no unit: 86% of the disorder on entities. "
        "In telegram, ben marked nothing."
    )


def test_a_clear_effect_of_another_kind_is_named_beside_the_cause():
    results = samples.typical()
    gate, layer = results.gates[0], results.items[0]
    merged = Effect(
        kind=EffectKind.categories, names=["for", "none"], measure=gate.measure,
        value=0.68, difference=0.039, interval=(0.01, 0.07),
    )  # fmt: skip
    unclear = merged.model_copy(update={"kind": EffectKind.batch, "interval": (-0.01, 0.09)})
    layer = layer.model_copy(update={"effects": [*layer.effects[:1], merged, unclear]})
    cause = verdict_of(results.model_copy(update={"items": [layer, *results.items[1:]]})).cause
    assert cause.startswith("Chloé differs from the others")
    assert cause.endswith(
        "“for” and “none” are confused: as one category α would be 0.680 instead of 0.641 "
        "(+0.039 [+0.010, +0.070])."
    )


def test_an_effect_on_a_value_of_other_chance_samples_is_told_as_a_change():
    results = samples.typical()
    gate = results.gates[0]
    assert gate.cause is not None
    other = gate.cause.model_copy(update={"value": gate.cause.value - 0.007})
    gate = gate.model_copy(update={"cause": other})
    cause = verdict_of(results.model_copy(update={"gates": [gate, *results.gates[1:]]})).cause
    assert cause == (
        "Chloé differs from the others: without these annotations α would change by +0.060 "
        "[+0.030, +0.090]."
    )


def test_without_a_clear_cause_the_largest_effect_is_told_with_its_interval():
    results = samples.typical()
    gate = results.gates[0].model_copy(update={"cause": None})
    effects = [one.model_copy(update={"interval": (-0.2, 0.2)}) for one in results.items[0].effects]
    layer = results.items[0].model_copy(update={"effects": effects})
    changed = {"gates": [gate, *results.gates[1:]], "items": [layer, *results.items[1:]]}
    cause = verdict_of(results.model_copy(update=changed)).cause
    assert cause.startswith("No single driver")
    assert cause.endswith("The largest: without Chloé, +0.060 [−0.200, +0.200].")
