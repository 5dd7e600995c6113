"""The verdict: main values, gates, what changed since the last run, alerts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from ...metrics.estimate import Estimate
from ..figures import strip
from ..page.blocks import Block, GateView, MainValue, Section, Verdict
from ..page.page import Page
from ..page.values import interval_text, measure_name, symbol_of, value_view
from ..results import Gate, GateOutcome
from ..warnings import reason_text, sentence
from .drift import run_number

_MARKS = {
    GateOutcome.passed: "pass",
    GateOutcome.undecided: "undecided",
    GateOutcome.failed: "fail",
}
OPERATORS = {">=": "≥", "<=": "≤", ">": ">", "<": "<", "==": "="}


def verdict_section(page: Page) -> Section:
    results, say = page.results, page.say
    gates = [_gate(page, gate) for gate in results.gates]
    outcome = overall_outcome(results.gates)
    numbers = Counter(gate.outcome for gate in results.gates)
    figures = {one.value: say.integer(numbers[one]) for one in GateOutcome}
    block: Block = Verdict(
        outcome=outcome,
        headline=say(f"verdict.{outcome}", gates=say.counted("gate", len(gates)), **figures),
        gates=gates,
        values=_main_values(page),
        alerts=[sentence(say, alert) for alert in results.alerts],
    )
    return Section("verdict", say("verdict.title"), [block])


def overall_outcome(gates: Sequence[Gate]) -> str:
    """`pass`, `undecided`, `fail`, or `open` without a gate."""
    if not gates:
        return "open"
    if any(gate.fails_run for gate in gates):
        return "fail"
    return "pass" if all(gate.outcome is GateOutcome.passed for gate in gates) else "undecided"


def _gate(page: Page, gate: Gate) -> GateView:
    say = page.say
    parts = [measure_name(say, gate.measure), gate.layer, gate.of]
    on = gate.on.split()[0] if gate.on in ("lower bound", "upper bound") else "value"
    threshold = f"{gate.threshold:g}".replace(".", say("value.decimal_mark"))
    bar = f"{OPERATORS.get(gate.operator, gate.operator)} {threshold}"
    key = f"gate.on_{on}"
    if math.isnan(gate.value):
        key = "gate.undefined"
    elif gate.outcome is GateOutcome.undecided:
        key = "gate.on_value_undecided"
    sentence = say(
        key,
        what=", ".join(part for part in parts if part),
        value=say.number(gate.value),
        bar=bar,
        reason=reason_text(say, gate.reason),
        level=say.percent(gate.level, 0),
        interval=interval_text(say, gate.interval),
    )
    return GateView(_MARKS[gate.outcome], say(f"gate.{gate.outcome.value}"), sentence)


def _main_values(page: Page) -> list[MainValue]:
    """The first value of each layer, items then units."""
    say = page.say
    found: list[tuple[Estimate, str, str]] = [
        (layer.values[0], layer.layer, "items") for layer in page.results.items if layer.values
    ]
    found += [
        (layer.values[0], layer.layer, "units") for layer in page.results.units if layer.values
    ]
    scale = strip.shared_scale([value for value, _, _ in found])
    views = []
    for value, layer, kind in found:
        threshold = next(
            (g.threshold for g in page.results.gates if _same(g, value.measure, layer)), math.nan
        )
        views.append(
            MainValue(
                view=value_view(page, value, about=_about(page, layer), counted=kind[:-1]),
                layer=layer,
                meaning=_few_units(page, layer) or _meaning(page, value, kind),
                change=_change(page, value, layer),
                strip=strip.strip(value, scale, threshold),
                axis=strip.axis(scale, say),
            )
        )
    return views


def _about(page: Page, layer: str) -> str:
    name = page.results.campaign.name
    return f"{layer} ({name})" if layer else name


def _same(gate: Gate, measure: str, layer: str) -> bool:
    return gate.measure == measure and gate.layer in ("", layer) and gate.operator in (">=", ">")


def _few_units(page: Page, layer: str) -> str:
    """The finding that a layer has few units, as the value then means little; "" otherwise."""
    for agreement in page.results.units:
        for finding in agreement.findings:
            if agreement.layer == layer and finding.code == "few_units":
                return page.say.filled("finding.few_units.text", finding.figures)
    return ""


def _meaning(page: Page, value: Estimate, kind: str) -> str:
    """What the number says, in a sentence with its observed and expected parts."""
    say = page.say
    if not math.isfinite(value.value):
        return ""
    if not (math.isfinite(value.observed) and math.isfinite(value.expected)):
        return ""
    distance = value.signature.settings.get("distance", "nominal")
    weighted = "_weighted" if kind == "items" and distance != "nominal" else ""
    figures = {
        "observed": say.percent(value.observed) if kind == "items" else say.number(value.observed),
        "expected": say.percent(value.expected) if kind == "items" else say.number(value.expected),
        "share": say.percent(abs(value.value), 0),
    }
    sign = "" if value.value >= 0 else "_negative"
    return say(f"meaning.{kind}{weighted}{sign}", **figures)


def _change(page: Page, value: Estimate, layer: str) -> str:
    """Against the last earlier run that has the same measure on the same layer."""
    earlier = [
        point
        for point in page.results.history
        if point.kind == "run"
        and (point.measure, point.layer) == (value.measure, layer)
        and math.isfinite(point.value)
    ]
    say = page.say
    if not earlier or not math.isfinite(value.value):
        return ""
    last = earlier[-1]
    symbol = symbol_of(say, value.measure)
    return say(
        "verdict.change",
        difference=say.signed(value.value - last.value),
        symbol=symbol,
        run=run_number(last),
        before=say.number(last.value),
    )
