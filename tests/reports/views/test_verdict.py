"""The verdict: gates, earlier runs, and values that say little."""

from __future__ import annotations

import json
import re

import pytest

from accordeur.metrics.causes.disagreement import PartKind
from accordeur.metrics.coded_warning import CodedWarning, Finding
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.measures import FOUND, MEASURES
from accordeur.reports.causes import action_words, cause_sentence
from accordeur.reports.language import Code, Language
from accordeur.reports.page.blocks import GateCard, Prose, Table, Verdict
from accordeur.reports.page.page import Page
from accordeur.reports.render import render
from accordeur.reports.results import (
    Action,
    ActionKind,
    AlignedUnit,
    Alignment,
    Cause,
    ErrorCost,
    Example,
    Gate,
    GateOutcome,
    ItemAgreement,
    Mechanism,
    Results,
    RunPoint,
    UnitAgreement,
)
from accordeur.reports.summary import markdown_summary
from accordeur.reports.views.items import items_section
from accordeur.reports.views.sections import sections_of
from tests.reports import samples
from tests.reports.samples.replacing import replacement
from tests.reports.views.pages import page_of, results_with

ONE_OF_EACH_KIND = {
    (one.family, one.agreement, one.scores): name for name, one in MEASURES.items()
}.values()


def verdict_of(results: Results) -> Verdict:
    blocks = sections_of(page_of(results))[0].blocks
    return next(block for block in blocks if isinstance(block, Verdict))


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


def test_the_first_screen_says_what_the_campaign_is_and_how_large():
    [section, *_] = sections_of(page_of(samples.typical()))
    purpose, size = section.blocks[:2]
    assert isinstance(purpose, Prose)
    assert isinstance(size, Prose)
    assert purpose.text == "Stance of each paragraph and named entities in local news."
    assert size.text == "12 documents, 3 human annotators, 696 labels and 132 units."


def test_the_cards_share_an_axis():
    cards = verdict_of(samples.typical()).cards
    assert len({card.axis for card in cards}) == 1


def test_the_threshold_is_drawn_on_every_card():
    results = samples.typical()
    far = results.gates[0].model_copy(update={"threshold": 0.95})
    block = verdict_of(results.model_copy(update={"gates": [far, *results.gates[1:]]}))
    assert ['class="gate"' in card.strip for card in block.cards] == [True, True, True]


def test_the_cause_of_a_failed_gate_leads_to_what_to_do():
    block = verdict_of(samples.typical())
    assert block.cause == (
        "Chloé disagrees with the others more than they do among themselves: 120 of 464 pairs of "
        "labels (26%, the others among themselves 12%). If Chloé agreed as well as the others, α "
        "would be 0.706 (+0.065 [+0.032, +0.097]), which reaches the threshold."
    )
    assert [action.href for action in block.actions] == ["#disagreements", "#repairs"]
    assert block.first_step == block.actions[0]
    first, second = block.actions
    assert first.text == "Go through the disagreements of Chloé with the others"
    assert first.effect == "α 0.706 (+0.065), reaches the threshold"
    assert json.loads(first.filter) == {"layer": "stance", "annotator": "Chloé"}
    assert second.text == "Separate “neutral” and “for” in the guideline (batch main)"
    assert second.effect == "α 0.663 (+0.022), still 0.004 below"
    html = render(samples.typical())
    assert all(f'id="{action.href[1:]}"' in html for action in (*block.actions, *block.data))
    assert not re.search(
        r"(?i)drop|leave out|remove|exclude", " ".join(a.text for a in block.actions)
    )


def test_without_a_clear_cause_a_failed_gate_has_no_single_cause():
    results = samples.typical()
    items = [one.model_copy(update={"effects": []}) for one in results.items]
    block = verdict_of(results.model_copy(update={"actions": [], "items": items}))
    assert block.cause.startswith("No single cause found: nothing that was examined stands out")
    assert "the task or the guideline as a whole" in block.cause
    assert block.first_step is not None
    assert (block.first_step.text, block.first_step.href) == (
        "No single cause found", "#disagreements",
    )  # fmt: skip
    assert block.cause_note == (
        "Examined: categories and kinds of disagreement; annotators, by how much they disagree; "
        "batches, weeks and types of documents. Not examined: pairs of annotators who are too "
        "alike (of four to 20 annotators); hours of work (the data have no times of day); "
        "positions in documents (the data have none)."
    )
    assert [action.text for action in block.actions] == [
        "Discuss the disagreements, the largest first"
    ]


def test_two_annotators_too_alike_are_no_cause_of_a_failed_gate():
    results = samples.typical()
    [first, *_] = results.actions
    assert first.cause is not None
    found = Mechanism(kind="alike", other="Bruno", share=0.973, share_of_others=0.6)
    update = {"annotator": "Ana", "share": -0.08, "n_compared": 0, "mechanism": found}
    cause = first.cause.model_copy(update=update)
    gate = results.gates[0]
    value = gate.value - 0.03
    alike = first.model_copy(
        update={
            "cause": cause, "gain": -0.03, "interval": (-0.04, -0.02), "value": value,
            "distance": gate.missing_after(-0.03),
        }
    )  # fmt: skip
    block = verdict_of(results.model_copy(update={"actions": [alike]}))
    assert block.cause_heading == "The agreement may be overstated"
    assert block.cause.endswith(
        "Without the comparison of these two, α is 0.611 (correction −0.030 [−0.040, −0.020]), "
        "0.056 below the threshold. No cause of the low agreement was found."
    )
    assert block.actions[0].effect == "α without this pair: 0.611, 0.056 below the threshold"
    passed = gate.model_copy(
        update={"threshold": 0.62, "outcome": GateOutcome.passed, "fails_run": False}
    )
    alike = alike.model_copy(update={"distance": passed.missing_after(-0.03)})
    update = {"actions": [alike], "gates": [passed, *results.gates[1:]]}
    block = verdict_of(results.model_copy(update=update))
    assert block.cause_heading == "The agreement may be overstated"
    assert block.cause.endswith("0.009 below the threshold.")
    assert "The agreement may be overstated: Ana and Bruno" in markdown_summary(
        results.model_copy(update={"actions": [alike]})
    )


def test_beside_several_failed_gates_the_first_step_names_its_value():
    results = samples.typical()
    failed = [
        gate.model_copy(update={"outcome": GateOutcome.failed, "fails_run": True})
        for gate in results.gates
    ]
    block = verdict_of(results.model_copy(update={"gates": failed}))
    assert block.first_step is not None
    assert block.first_step.text == f"α, stance: {block.actions[0].text}"
    assert block.first_step.text in render(results.model_copy(update={"gates": failed}))


def test_the_share_of_a_cause_stands_beside_that_of_the_rest():
    counts = {"n": 30, "n_compared": 100, "n_rest": 20, "n_compared_rest": 200}
    say = Language("en")
    since = Cause(share=0.1, part="since", part_name="W05", **counts)
    assert cause_sentence(say, since).endswith(
        "more than before: 30 of 100 pairs of labels (30%, before 10%)."
    )
    batch = Cause(share=0.1, part="batch", part_name="B", counted="unmatched", **counts)
    assert cause_sentence(say, batch).endswith(
        "30 of 100 units have no partner (30%, elsewhere 10%)."
    )
    pair = Cause(
        share=0.1, annotator="jonas", kind="category", categories=["LOC", "ORG"], **counts,
        mechanism=Mechanism(kind="more", category="ORG", share=0.4, share_of_others=0.2),
    )  # fmt: skip
    assert "30 of 100 pairs of labels of all categories. jonas" in cause_sentence(say, pair)


def test_three_batches_are_a_trend_on_the_card():
    results = samples.typical()
    [before, *_] = verdict_of(results).cards
    batches = [
        RunPoint(
            kind="batch", run=f"week-{k}", measure="krippendorff_alpha", layer="stance", value=value
        )
        for k, value in enumerate((0.83, 0.7, 0.39), start=1)
    ]
    history = [one for one in results.history if one.kind == "run"]
    update = {"history": [*history, *batches]}
    [card, *_] = verdict_of(results.model_copy(update=update)).cards
    assert card.deliveries == "Fell from 0.830 (week-1) to 0.390 (week-3)."
    assert "<svg" in card.deliveries_spark
    assert before.deliveries == ""


def test_a_trend_says_when_its_two_intervals_overlap():
    results = samples.typical()
    batches = [
        RunPoint(
            kind="batch", run=f"week-{k}", measure="krippendorff_alpha", layer="stance",
            value=value, interval=(value - 0.1, value + 0.1),
        )
        for k, value in enumerate((0.83, 0.7, 0.79), start=1)
    ]  # fmt: skip
    [card, *_] = verdict_of(results.model_copy(update={"history": batches})).cards
    assert card.deliveries == (
        "No clear change: 0.830 (week-1), 0.790 (week-3); the intervals overlap."
    )


def test_a_last_batch_is_not_below_if_chance_explains_why_it_is_worse_than_the_whole():
    results = samples.typical()
    [gate, *_] = results.gates
    low = gate.model_copy(update={"threshold": gate.value + 0.1})
    value = gate.value - 0.01

    def card_of(high: float) -> GateCard:
        last = RunPoint(
            kind="batch", run="week-3", measure=gate.measure, layer=gate.layer, value=value,
            interval=(value - 0.1, high),
        )  # fmt: skip
        gates = [low.model_copy(update={"last": last})]
        [card, *_] = verdict_of(results.model_copy(update={"gates": gates})).cards
        return card

    by_chance, worse = card_of(gate.value + 0.01), card_of(gate.value - 0.001)
    assert not by_chance.is_delivery_worse
    assert "below" not in by_chance.delivery
    assert worse.is_delivery_worse
    assert "0.110 below the threshold" in worse.delivery


def test_a_last_batch_above_a_threshold_at_most_is_worse():
    results = samples.typical()
    [gate, *_] = results.gates
    value = gate.value + 0.11
    last = RunPoint(
        kind="batch", run="week-3", measure=gate.measure, layer=gate.layer, value=value,
        interval=(value - 0.01, value + 0.01),
    )  # fmt: skip
    most = gate.model_copy(update={"operator": "<=", "threshold": gate.value, "last": last})
    [card, *_] = verdict_of(results.model_copy(update={"gates": [most]})).cards
    assert card.is_delivery_worse
    assert "0.110 above the threshold" in card.delivery


def test_the_card_of_a_last_batch_has_no_number_of_earlier_runs_and_names_the_batch():
    results = samples.typical()
    [gate, *_] = results.gates
    last = RunPoint(
        kind="batch", run="week-3", measure=gate.measure, layer=gate.layer, value=0.5,
        interval=(0.4, 0.6), n_items=60, n_annotators=3,
    )  # fmt: skip
    update = {"over": "last batch", "on": "lower bound", "value": 0.4, "last": last}
    own = gate.model_copy(update=update)
    whole, part = verdict_of(results.model_copy(update={"gates": [gate, own]})).cards[:2]
    assert whole.change
    assert whole.spark
    assert (part.change, part.spark, part.is_falling) == ("", "", False)
    assert part.view.number == "0.500"
    assert ", last batch (week-3), " in part.view.sentence
    assert "60 items, 3 annotators" in part.view.sentence
    assert "week-3" not in whole.view.sentence
    summary = markdown_summary(results.model_copy(update={"gates": [own]}))
    assert " since run" not in summary
    assert "(all documents)" in summary


def test_a_cause_that_begins_in_a_week_is_compared_with_the_weeks_before():
    results = samples.typical()
    [first, *_] = results.actions
    assert first.cause is not None
    update = {"annotator": "", "part": "since", "part_name": "week-4"}
    action = first.model_copy(update={"cause": first.cause.model_copy(update=update)})
    block = verdict_of(results.model_copy(update={"actions": [action]}))
    assert block.cause.startswith("Since week-4, annotators disagree more than before: ")
    assert "If agreement were still as before week-4, α would be 0.706" in block.cause
    assert block.actions[0].text == "Find out what has changed since week-4"


def test_a_gradual_fall_is_not_said_to_begin_at_once():
    results = samples.typical()
    [first, *_] = results.actions
    assert first.cause is not None
    update = {"annotator": "", "part": "since", "part_name": "week-4"}
    update |= {"first": "week-1", "last": "week-5"}
    action = first.model_copy(update={"cause": first.cause.model_copy(update=update)})
    block = verdict_of(results.model_copy(update={"actions": [action]}))
    assert block.cause.startswith("Agreement falls gradually from week-1 to week-5; since week-4, ")
    assert block.actions[0].text == "Find out why agreement falls from week-1 to week-5"


def test_a_gate_on_a_measure_that_is_not_searched_says_so():
    results = samples.typical()
    gate = results.gates[0].model_copy(
        update={
            "measure": "relation_presence",
            "layer": "none",
            "outcome": GateOutcome.failed,
            "value": 0.1,
        }
    )
    block = verdict_of(results.model_copy(update={"actions": [], "gates": [gate]}))
    assert block.cause.startswith("No cause is given: the disagreement in ")


OFFSET = {"kind": "offset", "start": 1, "end": 1, "share": 77 / 94, "n": 77, "n_of": 94}
MECHANISMS = [
    (
        {"annotator": "A3"},
        {"kind": "more", "category": "politics", "share": 0.68, "share_of_others": 0.3,
         "n": 68, "n_of": 100},
        ("A3 disagrees with the others more than they do among themselves: 120 of 464 pairs of "
        "labels. A3 chooses “politics” in 68% of the comparisons (68 of 100), the others in 30%."),
        "Agree with A3 on when “politics” is chosen",
    ),
    (
        {"annotator": "A2", "kind": "boundary", "part": "batch", "part_name": "lot 4",
         "counted": "unmatched"},
        OFFSET,
        ("In batch lot 4, A2 sets boundaries differently from the others: 120 of 464 units have no "
        "partner. 77 of 94 units of A2 begin and end 1 position after the unit of another "
        "annotator that they overlap."),
        "Move the units of A2 1 position to the front, or correct their export (batch lot 4)",
    ),
    (
        {"annotator": "A1", "share": -0.1, "n_compared": 0, "n_compared_rest": 0},
        {"kind": "alike", "other": "A5", "share": 0.973, "share_of_others": 0.6},
        ("A1 and A5 agree more than annotators who work independently. The value of this pair is "
        "0.973, that of all other pairs 0.600. Without the comparison of these two, "),
        "Find out whether A1 and A5 worked independently",
    ),
    (
        {"annotator": "A4", "part": "from_position", "part_name": "600", "n_compared": 0},
        {"kind": "rate", "share": 0.74, "share_of_others": 0.04, "n": 157, "n_of": 212},
        ("From position 600 of the documents on, A4 disagrees with the others more than elsewhere. "
        "There, 74% of the comparisons differ (157 of 212), elsewhere 4%."),
        "Go through the disagreements of A4 with the others (from position 600 on)",
    ),
    (
        {"part": "from_hour", "part_name": "23:00", "n_compared": 0},
        {"kind": "rate", "share": 0.38, "share_of_others": 0.08, "n": 38, "n_of": 100},
        ("In work from 23:00 on, annotators disagree more than elsewhere. There, 38% of the "
        "comparisons differ (38 of 100), elsewhere 8%."),
        "Go through what was annotated from 23:00 on",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("cause", "mechanism", "sentence", "action"), MECHANISMS)
def test_the_mechanism_of_a_cause_is_a_sentence_with_counts(
    cause: dict[str, object], mechanism: dict[str, object], sentence: str, action: str
):
    results = samples.typical()
    first = results.actions[0]
    update = {"annotator": "", "mechanism": Mechanism(**mechanism), **cause}
    changed = first.model_copy(update={"cause": first.cause.model_copy(update=update)})
    block = verdict_of(results.model_copy(update={"actions": [changed]}))
    assert block.cause.startswith(sentence)
    assert block.actions[0].text == action
    french = Language("fr")
    assert cause_sentence(french, changed.cause)
    assert action_words(french, changed)


@pytest.mark.parametrize("kind", [one for one in PartKind if one.value.startswith(("fr", "be"))])
@pytest.mark.parametrize("code", ["en", "fr"])
def test_each_part_of_strata_has_words(kind: PartKind, code: Code):
    found = Mechanism(kind="rate", share=0.5, share_of_others=0.1, n=5, n_of=10)
    for annotator in ("", "A4"):
        cause = Cause(
            annotator=annotator, part=kind.value, part_name="20", share=0.1, mechanism=found
        )
        action = Action(kind=ActionKind.cause, cause=cause)
        assert "20" in cause_sentence(Language(code), cause)
        assert "20" in action_words(Language(code), action)


@pytest.mark.parametrize(("start", "end"), [(1, 1), (-2, -2), (1, 0), (-1, 0), (0, 1), (0, -3)])
@pytest.mark.parametrize("code", ["en", "fr"])
def test_each_offset_has_words(start: int, end: int, code: Code):
    found = Mechanism(**OFFSET | {"start": start, "end": end})
    cause = Cause(annotator="A2", kind="boundary", share=0.1, mechanism=found)
    assert "77" in cause_sentence(Language(code), cause)
    action = Action(kind=ActionKind.cause, cause=cause)
    assert str(abs(start or end)) in action_words(Language(code), action)


def test_a_fall_over_batches_says_why_it_raises_no_alert():
    results = samples.typical()
    batches = [
        RunPoint(
            kind="batch", run=f"week-{k}", measure="krippendorff_alpha", layer="stance",
            value=value, interval=(value - 0.1, value + 0.1),
        )
        for k, value in enumerate((0.83, 0.7, 0.39), start=1)
    ]  # fmt: skip
    assert "alerts compare runs" in render(results.model_copy(update={"history": batches}))
    assert "alerts compare runs" not in render(
        results.model_copy(update={"history": batches[::-1]})
    )


def test_a_value_that_passed_is_not_said_to_reach_its_threshold():
    results = samples.typical()
    gate = results.gates[0].model_copy(update={"threshold": 0.5, "outcome": GateOutcome.passed})
    block = verdict_of(results.model_copy(update={"gates": [gate]}))
    assert "α would be 0.706" in block.cause
    assert "threshold" not in block.cause
    assert block.actions[0].effect == "α 0.706 (+0.065)"
    assert block.cause_of == "α, stance"


def test_where_nothing_stands_out_it_is_said_what_was_examined():
    results = samples.typical()
    gates = [gate.model_copy(update={"outcome": GateOutcome.passed}) for gate in results.gates]
    block = verdict_of(results.model_copy(update={"gates": gates, "actions": []}))
    assert block.cause == "No cause of disagreement that was examined stands out from chance."
    assert block.cause_note.startswith("Examined: ")


def test_a_cause_that_begins_with_a_guideline_names_it():
    results = samples.typical()
    [first, *_] = results.actions
    assert first.cause is not None
    since = first.cause.model_copy(update={"annotator": "", "part": "since", "part_name": "main"})
    update = {"actions": [first.model_copy(update={"cause": since})]}
    block = verdict_of(results.model_copy(update=update))
    assert block.cause.startswith("Since main (")
    assert "v1.3" in block.cause
    assert "v1.3" in block.actions[0].text


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
        "The layer has 4 units. With fewer than 10, γ is mostly due to chance"
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
    assert block.cards[0].distance.endswith("The CI contains the threshold.")
    assert "? **Quality gates: 2 passed, 1 undecided.**" in markdown_summary(results)
    assert "L’IC contient le seuil." in render(results, language="fr")
    more = Action(kind=ActionKind.annotate, layer="stance", measure="krippendorff_alpha")
    block = verdict_of(results.model_copy(update={"actions": [more]}))
    assert block.cause.startswith(
        "Too few data: the CI of α contains the threshold, and nothing that was examined"
    )
    assert block.actions[0].text.startswith("Annotate more: the value is above the threshold")


def test_rejected_rows_are_no_alert_and_state_their_share():
    results = samples.typical()
    alert = CodedWarning("rows_rejected", {"n": 3, "rows": 40})
    rejected = Action(kind=ActionKind.rejected, n=3, n_of=40)
    block = verdict_of(results.model_copy(update={"alerts": [alert], "actions": [rejected]}))
    [asked] = block.actions
    assert asked.href == "#validation"
    assert (asked.text, asked.effect) == (
        "Correct the rejected rows (3)", "7.5% of all rows",
    )  # fmt: skip
    assert block.alerts == []


def test_missing_units_are_a_share_that_names_a_document_left_empty():
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
        values=[Estimate(measure="gamma", value=0.5)], error_costs=costs, alignments=[telegram],
        n_candidates=20, causes_of=["gamma"],
    )  # fmt: skip
    gate = Gate(
        measure="gamma", layer="entities", threshold=0.8, value=0.5,
        outcome=GateOutcome.failed, fails_run=True,
    )  # fmt: skip
    block = verdict_of(results_with(units=[layer], gates=[gate]))
    assert block.actions == []
    assert block.cause_note.endswith(
        ". Of the disorder on entities: missing units 86%; categories 14%. "
        "In telegram, ben marked nothing."
    )


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "0.900 [0.800, 1.000] of the units are aligned with a unit"),
        ("fr", "0,900 [0,800 ; 1,000] des unités sont alignées avec une unité"),
    ],
)
def test_what_was_found_where_and_as_what_is_beside_gamma(language: Code, sentence: str) -> None:
    explained = [
        Estimate(name, value, interval=(value - 0.1, value + 0.1))
        for name, value in zip(FOUND, (0.9, 0.8, 0.7), strict=True)
    ]
    layer = UnitAgreement(
        layer="entities", tagset=["PER"], annotators=["anna", "ben"], n_units=40, n_documents=2,
        values=[Estimate("gamma", 0.5), Estimate("gamma_cat", 0.6)], explained=explained,
    )  # fmt: skip
    gates = [
        Gate(
            measure=name,
            layer="entities",
            threshold=0.4,
            value=0.5,
            outcome=GateOutcome.passed,
            fails_run=False,
        )
        for name in ("gamma_cat", "gamma")
    ]
    results = results_with(units=[layer], gates=gates)
    sections = sections_of(Page(results, Language(language)))
    block = next(one for one in sections[0].blocks if isinstance(one, Verdict))
    notes = [card.note.replace("\u202f", " ").replace("\xa0", " ") for card in block.cards]
    assert notes[0] == ""
    assert sentence in notes[1]
    html = render(results, language=language).replace("\u202f", " ").replace("\xa0", " ")
    assert html.count(sentence) == 2  # on the card and in its section


def results_with_examples(*, privacy: bool = False) -> Results:
    results = samples.typical()
    said = {"Chloé": "for", "Ana": "", **{f"a{k}": "against" for k in range(9)}}
    example = Example(
        document="news-04", where="item 7", said=said, context="… the harbour <b>…", marked=(6, 13)
    )
    [item, *others] = results.items
    [action, *_] = results.actions
    assert action.cause is not None
    item = item.model_copy(update={"causes": [action.cause], "examples": [example]})
    campaign = results.campaign.model_copy(update={"privacy": privacy})
    return results.model_copy(update={"items": [item, *others], "campaign": campaign})


def test_a_cause_opens_to_examples_with_the_annotators_side_by_side() -> None:
    found = verdict_of(results_with_examples()).examples
    assert found is not None
    heads = [one.text for one in found.columns]
    assert heads[:2] == ["Place", "Text"]
    assert "Chloé" in heads
    assert len(heads) == 2 + 8  # of eleven annotators
    place, text, *_ = found.rows[0]
    assert place.text == "news-04, item 7"
    assert text.picture == "… the <mark>harbour</mark> &lt;b&gt;…"
    assert found.rows[0][heads.index("Chloé")].text == "for"
    assert "Examples (1), with the annotators side by side" in render(results_with_examples())


def test_in_privacy_mode_examples_are_places_only() -> None:
    found = verdict_of(results_with_examples(privacy=True)).examples
    assert found is not None
    assert [one.text for one in found.columns] == ["Place"]


def test_a_cause_that_is_confounded_names_both() -> None:
    cause = Cause(
        share=0.2, part="batch", part_name="B", n=77, n_compared=94, confounded=["A3"]
    )  # fmt: skip
    assert cause_sentence(Language("en"), cause) == (
        "Batch B cannot be told apart from A3: almost every comparison there is with A3, and they "
        "differ more than elsewhere: 77 of 94 pairs of labels."
    )
    action = Action(kind=ActionKind.cause, cause=cause)
    assert action_words(Language("en"), action) == (
        "Give part of this to other annotators as well, to see whether the cause is batch B or A3"
    )


def test_a_gate_on_a_value_that_batches_do_not_have_says_so() -> None:
    results = samples.typical()
    batch = RunPoint(kind="batch", run="B", measure="gamma", layer="entities", value=0.5)
    gate = results.gates[0].model_copy(update={"measure": "icc_2_1", "last": None})
    of_batches = results.model_copy(update={"gates": [gate], "history": [batch]})
    [card, *_] = verdict_of(of_batches).cards
    assert card.delivery == "ICC(2,1) is not computed by batch or period."
    [card, *_] = verdict_of(of_batches.model_copy(update={"history": []})).cards
    assert card.delivery == ""


@pytest.mark.parametrize("measure", ONE_OF_EACH_KIND)
def test_every_failed_gate_has_a_cause_or_says_why_not(measure: str) -> None:
    results = samples.typical()
    gate = results.gates[0].model_copy(
        update={"measure": measure, "outcome": GateOutcome.failed, "value": 0.1, "threshold": 0.9}
    )
    assert verdict_of(results.model_copy(update={"gates": [gate], "actions": []})).cause


def test_a_gate_on_a_bound_names_the_bound_that_is_missing() -> None:
    results = samples.typical()
    first, *others = results.actions
    bounded = first.model_copy(update={"on": "lower bound", "tested": 0.627, "distance": 0.033})
    block = verdict_of(results.model_copy(update={"actions": [bounded, *others]}))
    assert "α would be 0.706, lower bound 0.627 (+0.065" in block.cause
    assert "still 0.033 below the threshold" in block.cause
    assert block.actions[0].effect == "α 0.706, lower bound 0.627 (+0.065), still 0.033 below"


def test_a_failed_bar_of_a_judge_leads_to_the_judge() -> None:
    results = samples.typical()
    bar = results.gates[0].model_copy(
        update={"measure": "candidate_cohen_kappa", "of": "gpt", "outcome": GateOutcome.failed}
    )
    block = verdict_of(results.model_copy(update={"gates": [bar], "actions": []}))
    assert [(one.text, one.href) for one in block.actions] == [
        ("Compare gpt with the humans", "#judges")
    ]


@pytest.mark.parametrize("of", ["gpt", ""])
def test_a_failed_gate_on_the_replacement_of_an_annotator_leads_to_the_systems(of: str) -> None:
    results = samples.typical()
    gate = results.gates[0].model_copy(
        update={"measure": "advantage", "of": of, "outcome": GateOutcome.failed}
    )
    found = {"gates": [gate], "actions": [], "replacement": [replacement()]}
    [action] = verdict_of(results.model_copy(update=found)).actions
    assert action.href == "#replacement"
    assert action.text == f"Compare {of or 'tagger, baseline and draft'} with the humans"


def test_a_cause_in_units_says_that_units_without_a_partner_are_counted() -> None:
    cause = Cause(
        kind="category", categories=("a", "b"), n=16, n_compared=316, counted="units", share=0.1
    )
    assert "16 of 316 aligned pairs of units and units without a partner" in cause_sentence(
        Language("en"), cause
    )
