"""The likely cause of a gate that did not pass, what to do, and the data behind the numbers."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

from ...metrics.causes.cause_search import Unexamined
from ...metrics.measure import CANDIDATE
from ...metrics.measures import REPLACEMENT
from ..causes import action_words, cause_sentence, effect_note, effect_words
from ..language import Language
from ..page.blocks import ActionLink, Link
from ..page.page import Page
from ..page.values import symbol_of
from ..results import (
    Action,
    ActionKind,
    Coverage,
    Gate,
    GateOutcome,
    ItemAgreement,
    Results,
    SearchedLayer,
    UnitAgreement,
)
from ..results.run import REJECTED_SHARE
from ..warnings import reason_text
from .disagreements import open_disagreements
from .series import Event, events_of
from .trend import days_since

N_ACTIONS = 4
_DONE = ("finished", "finished_empty")
_WEEK = 7


def worst_gate(results: Results) -> Gate | None:
    """Return the failed gate, or else the undecided gate, furthest from its threshold."""
    for outcome in (GateOutcome.failed, GateOutcome.undecided):
        those = [gate for gate in results.gates if gate.outcome is outcome]
        known = [gate for gate in those if math.isfinite(gate.value)]
        if those:
            return max(known or those, key=lambda gate: abs(gate.value - gate.threshold))
    return None


def cause_text(page: Page, gate: Gate | None) -> tuple[str, str]:
    """Return the most important cause and how it was found, or why there is none.

    Without a gate that did not pass, the cause is of the first value; "" if there is none.
    """
    say = page.say
    if gate is not None and gate.measure == REJECTED_SHARE:
        return _rejection(page), ""
    found = cause_action(page.results, gate)
    if gate is not None and gate.outcome is GateOutcome.undecided and gate.reason:
        return reason_text(say, gate.reason), ""
    of = gate or found
    layer = None if of is None else page.results.searched_for(of.layer, of.of)
    search = None if of is None or layer is None else layer.search_of(of.measure)
    shares = _shares(page, layer)
    if found is not None:
        n_candidates = 0 if search is None else search.n_candidates
        note = say("cause.note", n=say.integer(n_candidates)) if n_candidates else ""
        return cause_of_action(page, found), " ".join(part for part in (note, shares) if part)
    if gate is None:
        searched = [one for one in _layers(page.results) if one.n_candidates]
        if not searched:
            return "", shares
        nowhere = [x for x in Unexamined if all(x in one.unexamined for one in searched)]
        shares = " ".join(one for one in (_examined(say, nowhere), shares) if one)
        return say("cause.passed"), shares
    if search is None and isinstance(layer, ItemAgreement) and layer.objects:
        return say("cause.objects", section=say("objects.title")), shares
    if search is None and (layer is None or layer.causes_of):
        return say("cause.not_searched", symbol=symbol_of(say, gate.measure)), shares
    is_undecided = gate.outcome is GateOutcome.undecided
    if search is None or not search.n_candidates:
        return say(f"cause.{'undecided_none' if is_undecided else 'none_examined'}"), shares
    symbol = symbol_of(say, gate.measure)
    shares = " ".join(one for one in (_examined(say, search.unexamined), shares) if one)
    return say(f"cause.{'undecided' if is_undecided else 'none'}", symbol=symbol), shares


def _examined(say: Language, unexamined: Sequence[str]) -> str:
    """Return what was examined for causes, and what could not be, with the reasons."""
    done = [say(f"examined.{one.value}") for one in Unexamined if one not in unexamined]
    parts = [say("examined.done", parts=say.semicolon_list(done))]
    if unexamined:
        why = say.semicolon_list([say(f"examined.no_{one}") for one in unexamined])
        parts.append(say("examined.not_done", parts=why))
    return " ".join(parts)


def _rejection(page: Page) -> str:
    """Return why most rows were rejected, as far as the results say it."""
    validation, say = page.results.validation, page.say
    key = f"problem.{validation.commonest_rule}" if validation else ""
    if validation is None or not say.knows(key):
        return say("cause.rejected_elsewhere")
    n = validation.account.rejected[validation.commonest_rule] if validation.account else 0
    return say("cause.rejected", n=say.integer(n), reason=say(key))


def cause_of_action(page: Page, action: Action) -> str:
    """Describe the cause of an action, and what the value would be without it."""
    if action.cause is None:
        return ""
    sentence = cause_sentence(page.say, action.cause, event_of(page, action), action.of)
    is_passed = _is_passed(page.results, action)
    text = f"{sentence} {effect_words(page.say, action, 'cause', is_passed=is_passed)}"
    failed = [gate for gate in page.results.gates if gate.outcome is GateOutcome.failed]
    if action.cause.overstates and any(map(action.is_on, failed)):
        text += " " + page.say("cause.none_of_low")
    return text


def cause_heading(say: Language, action: Action | None, *, is_passed: bool = False) -> str:
    """Return the heading of the cause of an action, or of why there is none."""
    if action is not None and action.cause is not None and action.cause.overstates:
        return say("verdict.cause_overstates")
    return say("verdict.cause_passed" if is_passed else "verdict.cause")


def _is_passed(results: Results, action: Action) -> bool:
    """Return whether the value of an action reaches the threshold of its gate already."""
    return any(
        action.is_on(gate) and gate.over == "campaign" and gate.margin >= 0
        for gate in results.gates
    )


def cause_action(results: Results, gate: Gate | None) -> Action | None:
    """Return the first action on a cause of the gate's value, or of any without a gate."""
    return next(
        (
            one
            for one in results.actions
            if one.kind is ActionKind.cause and (gate is None or one.is_on(gate))
        ),
        None,
    )


def _layers(results: Results) -> list[ItemAgreement | UnitAgreement]:
    return [*results.items, *results.units]


def _layer_with_name(results: Results, name: str) -> ItemAgreement | UnitAgreement | None:
    return next((one for one in _layers(results) if one.layer == name), None)


def event_of(page: Page, action: Action) -> str:
    """Return the guideline or note that begins with a cause's period or batch; "" if none."""
    cause, results = action.cause, page.results
    if cause is None or cause.part != "since":
        return ""
    names = [batch.name for batch in results.batches]
    k = names.index(cause.part_name) if cause.part_name in names else -1
    found = []
    if k > 0 and results.batches[k].guideline != results.batches[k - 1].guideline:
        found.append(page.say("drift.guideline", version=results.batches[k].guideline))
    start = results.batches[k].first if k >= 0 else cause.part_name
    runs = [(p.started, p.guideline) for p in results.history if p.kind == "run"]
    runs.append((results.run.started, results.campaign.guideline))
    events = events_of(page.say, results.campaign.notes, results.batches, runs)
    found += [one.text for one in events if start and _is_in_week(start, one)]
    return ", ".join(dict.fromkeys(found))


def _is_in_week(start: str, event: Event) -> bool:
    days = days_since(start, event.date)
    return -1 < days < _WEEK


def _shares(page: Page, layer: SearchedLayer | None) -> str:
    """Return the shares of missing units, boundaries and categories, and an empty document."""
    if not isinstance(layer, UnitAgreement) or not layer.error_costs:
        return ""
    say = page.say
    costs = sorted(layer.error_costs, key=lambda one: -one.share)
    shares = say.percents([one.share for one in costs])
    parts = [
        say(f"cause.share_{one.cause}", share=share)
        for one, share in zip(costs, shares, strict=True)
    ]
    text = say(
        "cause.shares",
        layer=layer.layer or page.results.campaign.name,
        parts=say.semicolon_list(parts),
    )
    for one in sorted(layer.alignments, key=lambda one: -len(one.units)):
        idle = [a for a in one.annotators if a not in {unit.annotator for unit in one.units}]
        if idle and one.units:
            empty = say("cause.empty", names=say.listed(idle), document=one.document)
            return f"{text} {empty}"
    return text


def action_links(page: Page) -> list[ActionLink]:
    """Return at most four things to do, in order, each with the list that it needs.

    Where a gate did not pass and nothing stands out, the disagreements are to be discussed.
    """
    results = page.results
    gate = None if results.actions else worst_gate(results)
    if gate is not None:
        return _discussions(page, gate)
    return [_action_link(page, one) for one in results.actions[:N_ACTIONS]]


def _action_link(page: Page, action: Action) -> ActionLink:
    return ActionLink(
        action_words(page.say, action, event_of(page, action)),
        _link(page, action),
        effect_note(page.say, action, is_passed=_is_passed(page.results, action)),
        _filter(page, action),
    )


def first_step(page: Page, worst: Gate | None) -> ActionLink | None:
    """Return the first action about the worst gate, or that no cause was found.

    Of another gate with this outcome if there is nothing to say of the worst; else None.
    """
    gates = [one for one in page.results.gates if worst and one.outcome is worst.outcome]
    for gate in sorted(gates, key=lambda one: one is not worst):
        step = _step_of(page, gate)
        if step is not None and len(gates) > 1:
            of = gate_subject(page.say, gate)
            return replace(step, text=page.say("verdict.first_step", of=of, text=step.text))
        if step is not None:
            return step
    return None


def _step_of(page: Page, gate: Gate) -> ActionLink | None:
    is_rejection = gate.measure == REJECTED_SHARE
    for action in page.results.actions:
        if action.kind is ActionKind.rejected if is_rejection else action.is_on(gate):
            return _action_link(page, action)
    layer = page.results.searched_for(gate.layer, gate.of)
    search = None if layer is None else layer.search_of(gate.measure)
    if search is None or not search.n_candidates or gate.outcome is not GateOutcome.failed:
        return None
    [link] = _discussions(page, gate) or [ActionLink("", "#verdict")]
    return replace(link, text=page.say("verdict.no_single_cause"))


def gate_subject(say: Language, gate: Gate) -> str:
    """Return the value that a gate is on: symbol, layer and system."""
    parts = (symbol_of(say, gate.measure), gate.layer, gate.of)
    return ", ".join(part for part in parts if part)


def _discussions(page: Page, gate: Gate) -> list[ActionLink]:
    """Return the discussion of a gate's disagreements; [] if the page lists none.

    Of a gate on systems, return the section that compares them with the humans.
    """
    say, layer = page.say, _layer_with_name(page.results, gate.layer)
    if gate.measure.startswith(f"{CANDIDATE}_"):
        return [ActionLink(say("action.judge", name=gate.of), "#judges")] if gate.of else []
    if gate.measure in REPLACEMENT and page.results.replacement:
        systems = (system.system for one in page.results.replacement for system in one.systems)
        names = say.listed([gate.of] if gate.of else [*dict.fromkeys(systems)])
        return [ActionLink(say("action.judge", name=names), "#replacement")]
    if gate.of and any(
        gate.of == one.system for validity in page.results.validity for one in validity.systems
    ):
        return [ActionLink(say("action.system", name=gate.of), "#systems")]
    if isinstance(layer, ItemAgreement) and layer.objects is not None:
        return [ActionLink(say("action.discuss_all"), "#objects")]
    if not open_disagreements(page):
        return []
    return [ActionLink(say("action.discuss_all"), "#disagreements", filter=json.dumps({}))]


def _link(page: Page, action: Action) -> str:
    """Return the section of the page that an action needs."""
    cause = action.cause
    if action.kind is ActionKind.rejected:
        return "#validation"
    if action.of:
        return "#systems"
    if action.kind is ActionKind.annotate:
        return "#campaign" if page.results.coverage else "#verdict"
    layer = _layer_with_name(page.results, action.layer)
    if isinstance(layer, ItemAgreement) and layer.objects is not None:
        return "#objects"
    if cause is not None and cause.kind == "category" and cause.categories and page.results.repairs:
        return "#repairs"
    return "#disagreements" if page.results.disagreements else "#findings"


def _filter(page: Page, action: Action) -> str:
    """Return the disagreements that an action is about, as JSON; "" for another section."""
    cause = action.cause
    if cause is None or _link(page, action) != "#disagreements":
        return ""
    chosen = {"layer": action.layer, "annotator": cause.annotator, "cause": cause.kind}
    if cause.part == "batch":
        chosen["batch"] = cause.part_name
    return json.dumps({name: value for name, value in chosen.items() if value})


def data_links(page: Page) -> list[Link]:
    """Return rows read and rejected, documents, coverage, probable errors, disagreements."""
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
        found.append(Link(_finished_work(page, results.coverage), "#campaign"))
    if n_probable := sum(one.n_probable - one.n_decided for one in results.mistakes):
        found.append(Link(say("action.errors", n=say.integer(n_probable)), "#mistakes"))
    if results.disagreements:
        n_open = len(open_disagreements(page))
        key, n = "discuss" if n_open else "discussed", n_open or len(results.disagreements)
        words = say(f"action.{key}", n=say.integer(n))
        found.append(Link(words, "#disagreements", json.dumps({})))
    return found


def _finished_work(page: Page, coverage: Coverage) -> str:
    """Say which share of the work in the exports is finished, and how much they no longer hold."""
    say, changes = page.say, page.results.run.changes
    n_listed = sum(n for state, n in coverage.counts.items() if state != "not_assigned")
    n_finished = sum(coverage.counts.get(state, 0) for state in _DONE)
    vanished = ""
    if changes is not None and changes.n_vanished:
        run, n = changes.since.removeprefix("run "), say.integer(changes.n_vanished)
        vanished = say("data.vanished", run=run, n=n)
    return say(
        f"data.coverage{'_all' if n_finished == n_listed else ''}",
        documents=say.counted("document", coverage.n_documents),
        share=say.percent(n_finished / n_listed, 0) if n_listed else "–",
        vanished=vanished,
    )
