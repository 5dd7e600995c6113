"""The first screen: gates and main values, their changes, the likely cause, what to do."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from ...metrics.estimate import Estimate
from ...metrics.measures import COEFFICIENTS, UNITS
from ..figures import forest_row
from ..figures.sparkline import sparkline
from ..figures.svg import Scale
from ..language import Language
from ..page.blocks import Block, GateCard, GateView, Prose, Section, Verdict
from ..page.page import Page
from ..page.values import measure_name, symbol_of, value_view
from ..results import Action, Gate, GateOutcome, ItemAgreement, Results, UnitAgreement
from ..results.run import GateSeverity
from ..warnings import reason_text, warning_sentence
from .cause_examples import examples_of_cause
from .next_steps import (
    action_links,
    cause_action,
    cause_heading,
    cause_text,
    data_links,
    first_step,
    gate_subject,
    worst_gate,
)
from .trend import change_text, course_text, deliveries_of, is_falling, sparkline_of
from .values_as_errors import found_text

N_CARDS = 4
_MARKS = {
    GateOutcome.passed: "pass",
    GateOutcome.undecided: "undecided",
    GateOutcome.failed: "fail",
}
WORST_FIRST = (GateOutcome.failed, GateOutcome.undecided, GateOutcome.passed)
_OPERATORS = {">=": "≥", "<=": "≤", ">": ">", "<": "<", "==": "="}


def verdict_section(page: Page) -> Section:
    results, say = page.results, page.say
    ordered = sorted(results.gates, key=lambda gate: WORST_FIRST.index(gate.outcome))
    worst = worst_gate(results)
    cause, note = cause_text(page, worst)
    outcome, action = overall_outcome(results.gates), cause_action(results, worst)
    cards, lowest = _cards(page, ordered)
    block: Block = Verdict(
        outcome=outcome,
        headline=headline(page),
        first_step=first_step(page, worst),
        cards=cards,
        axis_note=say("verdict.axis", low=say.number(lowest, 1)) if lowest > 0 else "",
        further=[gate_in_words(page, gate) for gate in ordered[N_CARDS:]],
        cause_heading=cause_heading(say, action, is_passed=outcome == "pass"),
        cause=cause,
        cause_note=note,
        cause_of=_subject(page, worst or action),
        examples=examples_of_cause(page, action),
        actions=action_links(page),
        data=data_links(page),
        # The data line has the rejected rows.
        alerts=[
            warning_sentence(say, one) for one in results.alerts if one.code != "rows_rejected"
        ],
    )
    purpose = results.campaign.description
    blocks: list[Block] = [Prose(purpose, "purpose", page.language_of_texts)] if purpose else []
    blocks.append(Prose(size_text(page), "size"))
    return Section("verdict", say("verdict.title"), [*blocks, block], is_brief=True)


def size_text(page: Page) -> str:
    """Return the numbers of documents, annotators, labels and units."""
    results, say = page.results, page.say
    humans = [one for one in results.annotators if one.role == "human"]
    parts = [say.counted("human", len(humans))] if humans else []
    if results.coverage is not None:
        parts.insert(0, say.counted("document", results.coverage.n_documents))
    n_labels, n_units = sum(one.n_labels for one in humans), sum(one.n_units for one in humans)
    parts += [say.counted("label", n_labels)] if n_labels else []
    parts += [say.counted("unit", n_units)] if n_units else []
    return say.listed(parts) + "." if parts else ""


def headline(page: Page) -> str:
    """Return how many gates have each outcome."""
    gates, say = page.results.gates, page.say
    numbers = Counter(gate.outcome for gate in gates)
    counts = [say.counted(f"gate_{one.value}", numbers[one]) for one in WORST_FIRST if numbers[one]]
    return say(
        f"verdict.{overall_outcome(gates)}",
        gates=say.counted("gate", len(gates)),
        counts=say.listed(counts),
    )


def overall_outcome(gates: Sequence[Gate]) -> str:
    """Return `pass`, `undecided`, `fail`, or `open` without a gate."""
    if not gates:
        return "open"
    if any(gate.fails_run for gate in gates):
        return "fail"
    return "pass" if all(gate.outcome is GateOutcome.passed for gate in gates) else "undecided"


def _cards(page: Page, gates: Sequence[Gate]) -> tuple[list[GateCard], float]:
    """Return cards of the gates, then of main values without a gate, at most `N_CARDS`.

    All cards have the same axis; its lower end is returned, too.
    """
    values = [
        (value, layer.layer, "item") for layer in page.results.items for value in layer.values
    ]
    values += [
        (value, layer.layer, "unit") for layer in page.results.units for value in layer.values
    ]
    shown: list[tuple[Gate | None, Estimate, str, str]] = []
    for gate in gates:
        found = next(
            (
                (value, counted)
                for value, layer, counted in values
                if not gate.of
                and gate.over == "campaign"
                and (value.measure, layer) == (gate.measure, gate.layer)
            ),
            (_gated_estimate(gate), "unit" if gate.measure in UNITS else "item"),
        )
        shown.append((gate, found[0], gate.layer, found[1]))
    gated = {(gate.measure, gate.layer) for gate in gates}
    for layers in (page.results.items, page.results.units):
        counted = "item" if layers is page.results.items else "unit"
        for of_layer in layers:
            main = of_layer.values[:1]
            shown += [
                (None, value, of_layer.layer, counted)
                for value in main
                if (value.measure, of_layer.layer) not in gated
            ]
    shown = shown[:N_CARDS]
    thresholds = [gate.threshold for gate, *_ in shown if gate is not None]
    scale = forest_row.shared_scale([value for _, value, *_ in shown], thresholds)
    return [_card(page, scale, *one) for one in shown], scale.low


def _gated_estimate(gate: Gate) -> Estimate:
    """Return the value of a gate that is not a layer's value: a score, a category, a delivery."""
    last = None if gate.over == "campaign" else gate.last
    value = gate.value if math.isnan(gate.estimate) else gate.estimate
    has_items = gate.measure in (*COEFFICIENTS, *UNITS)  # others count pairs or mentions
    return Estimate(
        gate.measure,
        value if last is None else last.value,
        gate.reason,
        interval=gate.interval,
        confidence_level=gate.level,
        n_items=last.n_items if last is not None and has_items else 0,
        n_annotators=0 if last is None else last.n_annotators,
    )


def _card(
    page: Page, scale: Scale, gate: Gate | None, value: Estimate, layer: str, counted: str
) -> GateCard:
    say = page.say
    threshold = math.nan if gate is None else gate.threshold
    name = page.results.campaign.name
    part = [] if gate is None else [gate.of, _over_text(page, gate)]
    is_whole = gate is None or not gate.is_of_part
    deliveries = [] if gate is not None and gate.of else deliveries_of(page, value.measure, layer)
    about = [f"{layer} ({name})" if layer else name, *part]
    return GateCard(
        view=value_view(page, value, about=", ".join(filter(None, about)), counted=counted),
        place=", ".join(filter(None, [layer, *part])),
        mark="" if gate is None else _mark(gate),
        word="" if gate is None else _word(say, gate),
        distance="" if gate is None else _distance(page, gate),
        strip=forest_row.value_and_interval(value, scale, threshold),
        axis=forest_row.axis(scale, say),
        change=change_text(page, value, layer) if is_whole else "",
        spark=sparkline_of(page, value, layer, threshold) if is_whole else Markup(),
        is_falling=is_whole and is_falling(page, value.measure, layer),
        note=_few_units(page, layer) or (_found_text(page, value, layer) if is_whole else ""),
        delivery="" if gate is None else delivery_text(page, gate),
        deliveries=course_text(page, deliveries),
        deliveries_spark=sparkline([(k, p.value) for k, p in enumerate(deliveries)], threshold),
        is_delivery_worse=gate is not None and gate.is_last_worse,
    )


def _over_text(page: Page, gate: Gate) -> str:
    """Return the batch or period that a gate is on; "" for all documents."""
    if gate.over == "campaign" or gate.last is None:
        return ""
    return page.say(f"verdict.over_{gate.last.kind}", name=gate.last.run)


def delivery_text(page: Page, gate: Gate) -> str:
    """Return the value of the last batch or period, and its distance beyond the threshold.

    Of a gate over the last delivery, return the value of all documents. A value that batches and
    periods do not have is said to have none.
    """
    say, last = page.say, gate.last
    if last is None:
        has_deliveries = any(point.kind != "run" for point in page.results.history)
        symbol = symbol_of(say, gate.measure)
        return say("verdict.no_deliveries", symbol=symbol) if has_deliveries else ""
    if gate.over != "campaign":
        whole = value_of_gate(page.results, gate)
        return "" if whole is None else say("verdict.whole", value=say.number(whole))
    beyond = ""
    if gate.is_last_worse:
        beyond = "_below" if gate.operator.startswith(">") else "_above"
    return say(
        f"verdict.last_{last.kind}{beyond}",
        name=last.run,
        value=say.number(last.value),
        interval=say.interval(last.interval),
        distance=say.number(abs(last.value - gate.threshold)),
    )


def value_of_gate(results: Results, gate: Gate) -> float | None:
    """Return the value of all documents that a gate is on; None if it is not of a layer."""
    layers: list[ItemAgreement | UnitAgreement] = [*results.items, *results.units]
    return next(
        (
            value.value
            for layer in layers
            for value in layer.values
            if (layer.layer, value.measure) == (gate.layer, gate.measure)
        ),
        None,
    )


def threshold_text(say: Language, gate: Gate) -> str:
    threshold = f"{gate.threshold:g}".replace(".", say("language.decimal_mark"))
    if gate.against:
        run = gate.against.removeprefix("run ")
        return say("gate.not_below", threshold=say.number(gate.threshold), run=run)
    return f"{_OPERATORS.get(gate.operator, gate.operator)} {threshold}"


def name_of_tested(say: Language, gate: Gate, name: str) -> str:
    """Return `name`, with the bound or the width that the gate tests in place of the value."""
    on = gate.on.partition(" ")[0]
    return name if on == "value" else say(f"gate.tested_{on}", name=name)


def _distance(page: Page, gate: Gate) -> str:
    """Describe the distance to the threshold, and whether the interval contains the threshold."""
    say = page.say
    on = gate.on.partition(" ")[0]
    if math.isnan(gate.value):
        return say("gate.asked", bar=threshold_text(page.say, gate))
    below = gate.value < gate.threshold
    said = say(
        f"gate.{'below' if below else 'above'}{'' if on == 'value' else f'_{on}'}",
        distance=say.number(abs(gate.value - gate.threshold)),
        bar=threshold_text(page.say, gate),
        value=say.number(gate.value),
    )
    if gate.outcome is GateOutcome.undecided:
        said += " " + (reason_text(say, gate.reason) or say("gate.contains"))
    return said


def gate_in_words(page: Page, gate: Gate) -> GateView:
    say = page.say
    parts = [measure_name(say, gate.measure), gate.layer, gate.of, _over_text(page, gate)]
    on = gate.on.partition(" ")[0]
    key = f"gate.on_{on}"
    reason = reason_text(say, gate.reason)
    unclear = gate.outcome is GateOutcome.undecided
    if math.isnan(gate.value) and not unclear:
        key = "gate.undefined"
    elif unclear and not reason:
        key = "gate.on_value_undecided"
    sentence = say(
        key,
        what=", ".join(part for part in parts if part),
        value=say.number(gate.value),
        bar=threshold_text(page.say, gate),
        reason=reason,
        level=say.percent(gate.level, 0),
        interval=say.interval(gate.interval),
    )
    if unclear and reason:
        sentence = f"{sentence} {reason}"
    return GateView(_mark(gate), _word(say, gate), sentence)


def _mark(gate: Gate) -> str:
    """Return the mark of the outcome; a mere warning has that of an open question."""
    is_warning = gate.severity is GateSeverity.warn and gate.outcome is GateOutcome.failed
    return _MARKS[GateOutcome.undecided if is_warning else gate.outcome]


def _word(say: Language, gate: Gate) -> str:
    """Return the outcome, with the severity and the owner of a gate that has not passed."""
    word = say(f"gate.{gate.outcome.value}")
    if gate.outcome is GateOutcome.passed:
        return word
    severity = gate.severity is not GateSeverity.error and say(f"gate.severity_{gate.severity}")
    details = [one for one in (severity, gate.owner) if one]
    return f"{word} ({', '.join(details)})" if details else word


def _subject(page: Page, of: Gate | Action | None) -> str:
    """Return the value that a cause is about; "" if nothing was found."""
    if isinstance(of, Gate):
        of_all = f", {page.say('verdict.of_all')}" if of.over != "campaign" else ""
        return gate_subject(page.say, of) + of_all
    parts = (symbol_of(page.say, of.measure), of.layer) if of else ()
    return ", ".join(part for part in parts if part)


def _found_text(page: Page, value: Estimate, layer: str) -> str:
    """Return found, where and what of a layer of units, beside its γ; "" otherwise."""
    for one in page.results.units:
        if one.layer == layer and value.measure == "gamma":
            return found_text(page.say, one)
    return ""


def _few_units(page: Page, layer: str) -> str:
    """Return the finding that a layer has too few units for a meaningful value; "" otherwise."""
    for agreement in page.results.units:
        for finding in agreement.findings:
            if agreement.layer == layer and finding.code == "few_units":
                return page.say.filled("finding.few_units.text", finding.figures)
    return ""
