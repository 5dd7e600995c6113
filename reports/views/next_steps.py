"""The likely cause of a gate that did not pass, what to do, and the data behind the numbers."""

from __future__ import annotations

import json
import math

from ...metrics.effect import EffectKind
from ..page.blocks import Link
from ..page.page import Page
from ..page.values import interval_text, symbol_of
from ..results import Effect, Gate, GateOutcome, ItemAgreement, Results, UnitAgreement
from .mistakes import n_probable
from .repairs import repairs_of

N_ACTIONS = 3
_ANCHORS = {
    EffectKind.annotator: "#disagreements",
    EffectKind.batch: "#disagreements",
    EffectKind.categories: "#repairs",
}
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
    if not effects:
        return say("cause.none_examined"), ""
    if gate.cause is None:
        return say("cause.none", n=say.integer(len(effects)), symbol=symbol), ""
    return effect_text(page, gate.cause), say("cause.note", n=say.integer(len(effects)))


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


def effect_text(page: Page, effect: Effect) -> str:
    say = page.say
    return say(
        f"cause.{effect.kind.value}",
        name=effect.names[0],
        second=effect.names[-1],
        symbol=symbol_of(say, effect.measure),
        value=say.number(effect.value),
        before=say.number(effect.value - effect.difference),
        difference=say.signed(effect.difference),
        interval=interval_text(say, effect.interval, say.signed),
    )


def actions(page: Page, gate: Gate | None) -> list[Link]:
    """Return at most three things to do, each with the list that it needs."""
    say, results = page.say, page.results
    found: list[Link] = []
    cause = None if gate is None else gate.cause
    layer = {"layer": gate.layer} if gate is not None and gate.layer else {}
    if cause is not None and (results.disagreements or cause.kind is EffectKind.categories):
        words = say(f"action.{cause.kind.value}", name=cause.names[0], second=cause.names[-1])
        chosen = {**layer, cause.kind.value: cause.names[0]}
        is_listed = cause.kind is not EffectKind.categories
        found.append(Link(words, _ANCHORS[cause.kind], json.dumps(chosen) if is_listed else ""))
    repairs = [one for one in repairs_of(results) if gate is None or one.layer == gate.layer]
    if repairs and (cause is None or cause.kind is not EffectKind.categories):
        first, second = repairs[0].first, repairs[0].second
        words = say("action.categories", name=first, second=second)
        found.append(Link(words, "#repairs"))
    if n_suspected := n_probable(page):
        found.append(Link(say("mistakes.action", n=say.integer(n_suspected)), "#mistakes"))
    if results.disagreements:
        n = say.integer(len(results.disagreements))
        found.append(Link(say("action.discuss", n=n), "#disagreements", json.dumps({})))
    if results.validation is not None and results.validation.rows_rejected:
        n = say.counted("row", results.validation.rows_rejected)
        found.append(Link(say("action.rejected", n=n), "#validation"))
    return found[:N_ACTIONS]


def data_line(page: Page) -> list[Link]:
    """Return rows accepted and rejected, documents, and coverage."""
    say, results = page.say, page.results
    found = []
    if results.validation is not None:
        words = say(
            "data.rows",
            accepted=say.integer(results.validation.rows_accepted),
            rows=say.counted("row", results.validation.rows_in),
            rejected=say.integer(results.validation.rows_rejected),
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
