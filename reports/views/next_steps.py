"""The likely cause of a gate that did not pass, what to do, and the data behind the numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from ...metrics.effect import EffectKind
from ..page.blocks import Link
from ..page.page import Page
from ..page.values import symbol_of
from ..results import Effect, ErrorCost, Gate, GateOutcome, ItemAgreement, Results, UnitAgreement
from ..warnings import reason_text
from .mistakes import n_probable
from .repairs import repairs_of

N_ACTIONS = 4
_DONE = ("finished", "finished_empty")


def worst_gate(results: Results) -> Gate | None:
    """Return the failed gate, or else the undecided gate, furthest from its threshold."""
    for outcome in (GateOutcome.failed, GateOutcome.undecided):
        those = [gate for gate in results.gates if gate.outcome is outcome]
        known = [gate for gate in those if math.isfinite(gate.value)]
        if those:
            return max(known or those, key=lambda gate: abs(gate.value - gate.threshold))
    return None


def cause_text(page: Page, gate: Gate | None) -> tuple[str, str]:
    """Return the most likely cause of a failed gate and how it was found; "" if all passed."""
    say = page.say
    if gate is None:
        return "", ""
    effects = effects_on(page.results, gate)
    symbol = symbol_of(say, gate.measure)
    if gate.outcome is GateOutcome.undecided and gate.reason:
        return reason_text(say, gate.reason), ""
    if not effects:
        key = "undecided_none" if gate.outcome is GateOutcome.undecided else "none_examined"
        return say(f"cause.{key}"), ""
    if gate.cause is None:
        key = "undecided" if gate.outcome is GateOutcome.undecided else "none"
        text = say(f"cause.{key}", n=say.integer(len(effects)), symbol=symbol)
        return " ".join(part for part in (text, _largest_effect(page, gate, effects)) if part), ""
    return effects_text(page, gate), say("cause.note", n=say.integer(len(effects)))


def effects_text(page: Page, gate: Gate) -> str:
    """Describe the cause of a gate and, if it is clear too, an effect of another kind."""
    if gate.cause is None:
        return ""
    causes = [gate.cause, *_other_cause(gate.cause, effects_on(page.results, gate))]
    return " ".join(_effect_text(page, one, gate.value) for one in causes)


def _largest_effect(page: Page, gate: Gate, effects: Sequence[Effect]) -> str:
    """The effect that moves the value most towards the threshold; "" if none does."""
    say, sign = page.say, 1 if gate.operator.startswith(">") else -1
    largest = max(effects, key=lambda one: sign * one.difference)
    if sign * largest.difference <= 0:
        return ""
    return say(
        "cause.largest",
        change=say(
            f"effects.{largest.kind.value}", name=largest.names[0], second=largest.names[-1]
        ),
        difference=say.signed(largest.difference),
        interval=say.interval(largest.interval, say.signed),
    )


def _other_cause(cause: Effect, effects: Sequence[Effect]) -> list[Effect]:
    """The clear effect of another kind that raises the value most: an annotator may be the cause
    of a confusion of categories."""
    raising = [one for one in effects if one.kind != cause.kind and one.interval[0] > 0]
    return sorted(raising, key=lambda one: -one.difference)[:1] if cause.difference > 0 else []


def effects_on(results: Results, gate: Gate) -> list[Effect]:
    """Return the effects on the measure of a gate, in its layer."""
    layers: list[ItemAgreement | UnitAgreement] = [*results.items, *results.units]
    return [
        effect
        for layer in layers
        if layer.layer == gate.layer
        for effect in layer.effects
        if effect.measure == gate.measure
    ]


def _effect_text(page: Page, effect: Effect, value: float) -> str:
    """Describe an effect on a value: as a change only where it was computed with other samples."""
    say = page.say
    before = effect.value - effect.difference
    is_same = say.number(before) == say.number(value)
    return say(
        f"cause.{effect.kind.value}" if is_same else f"cause.{effect.kind.value}_change",
        name=effect.names[0],
        second=effect.names[-1],
        symbol=symbol_of(say, effect.measure),
        value=say.number(effect.value),
        before=say.number(before),
        difference=say.signed(effect.difference),
        interval=say.interval(effect.interval, say.signed),
    )


def actions(page: Page, gate: Gate | None) -> list[Link]:
    """At most four things to do, the certain repairs first, each with the list that it needs."""
    say, results = page.say, page.results
    found: list[Link] = []
    if results.validation is not None and results.validation.n_rejected:
        n = say.counted("row", results.validation.n_rejected)
        found.append(Link(say("action.rejected", n=n), "#validation"))
    if gate is not None and gate.outcome is GateOutcome.undecided:
        found.append(Link(say("action.more"), "#campaign" if results.coverage else "#verdict"))
    layers: list[ItemAgreement | UnitAgreement] = [*results.items, *results.units]
    if gate is not None:
        layers.sort(key=lambda layer: layer.layer != gate.layer)
    of_layers = [_layer_action(page, gate, layer) for layer in layers]
    found += [one for one in of_layers if one is not None]
    if n_suspected := n_probable(page):
        found.append(Link(say("mistakes.action", n=say.integer(n_suspected)), "#mistakes"))
    if results.disagreements:
        n = say.integer(len(results.disagreements))
        found.append(Link(say("action.discuss", n=n), "#disagreements", json.dumps({})))
    return found[:N_ACTIONS]


def _layer_action(
    page: Page, gate: Gate | None, layer: ItemAgreement | UnitAgreement
) -> Link | None:
    """What would raise a layer's value most: of its gate's cause, else of its costs or effects."""
    cause = gate.cause if gate is not None and gate.layer == layer.layer else None
    if cause is not None and cause.kind is EffectKind.categories:
        return _categories_action(page, *cause.names)
    if cause is not None and page.results.disagreements:
        words = page.say(f"action.{cause.kind.value}", name=cause.names[0])
        chosen = {"layer": layer.layer} if layer.layer else {}
        chosen[cause.kind.value] = cause.names[0]
        return Link(words, "#disagreements", json.dumps(chosen))
    if isinstance(layer, UnitAgreement):
        worst = max(layer.error_costs, key=lambda one: one.cost, default=None)
        if worst is not None and worst.cost > 0 and worst.cause != "category":
            return _cost_action(page, layer, worst)
    elif layer.effects:
        return _merging_action(page, layer)
    of_layer = [one for one in repairs_of(page.results) if one.layer == layer.layer]
    return _categories_action(page, of_layer[0].first, of_layer[0].second) if of_layer else None


def _categories_action(page: Page, first: str, second: str) -> Link:
    return Link(page.say("action.categories", name=first, second=second), "#repairs")


def _merging_action(page: Page, layer: ItemAgreement) -> Link | None:
    """The two categories whose confusions cost most: the value rises most with both as one."""
    gated = {one.measure for one in page.results.gates if one.layer == layer.layer}
    measures = [one.measure for one in layer.values if one.measure in gated]
    measure = (measures or [layer.values[0].measure])[0]
    merged = [
        one for one in layer.effects if one.kind is EffectKind.categories and one.measure == measure
    ]
    best = max(merged, key=lambda one: one.difference, default=None)
    if best is None or not round(best.difference, 3) > 0:
        return None
    return _categories_action(page, *best.names)


def _cost_action(page: Page, layer: UnitAgreement, worst: ErrorCost) -> Link:
    """The places of missing units or of other bounds, and a document that someone left empty."""
    say = page.say
    words = say(f"action.{worst.cause}", share=say.percent(worst.share, 0), layer=layer.layer)
    if worst.cause == "missing":
        for one in sorted(layer.alignments, key=lambda one: -len(one.units)):
            idle = [a for a in one.annotators if a not in {unit.annotator for unit in one.units}]
            if idle and one.units:
                words += " " + say("action.empty", names=say.listed(idle), document=one.document)
                break
    if not page.results.disagreements:
        return Link(words, "#units")
    chosen = {"layer": layer.layer, "cause": worst.cause}
    return Link(words, "#disagreements", json.dumps(chosen))


def data_line(page: Page) -> list[Link]:
    """Rows read and rejected, documents, coverage."""
    say, results = page.say, page.results
    found = []
    if (validation := results.validation) is not None:
        account = validation.account  # of labels, units and relations, as the section begins
        words = say(
            "data.rows",
            rows=say.counted("row", account.n_read if account else validation.rows_in),
            rejected=say.integer(validation.n_rejected),
        )
        found.append(Link(words, "#validation"))
    if results.coverage is not None:
        counts = results.coverage.counts
        assigned = sum(n for state, n in counts.items() if state != "not_assigned")
        share = sum(counts.get(state, 0) for state in _DONE) / assigned if assigned else math.nan
        documents = say.counted("document", results.coverage.n_documents)
        coverage = say.percent(share, 0) if assigned else "–"
        found.append(Link(say("data.coverage", documents=documents, share=coverage), "#campaign"))
    return found
