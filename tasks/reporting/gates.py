"""Quality gates: the conditions of the campaign file, judged on the values of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from metrics.agreement.structures.coreference import SCORES
from reports import results as page
from reports.results import GateOutcome
from reports.value import Value


@dataclass(frozen=True, slots=True)
class GateSpec:
    """A condition of the campaign file, as plain values."""

    measure: str
    layer: str | None
    at_least: float | None
    at_most: float | None
    on: str = "value"
    undecided: str = "warn"

    @property
    def operator(self) -> str:
        return ">=" if self.at_least is not None else "<="

    @property
    def threshold(self) -> float:
        threshold = self.at_least if self.at_least is not None else self.at_most
        if threshold is None:
            raise ValueError("a gate has no threshold")
        return threshold

    def outcome(self, value: Value) -> GateOutcome:
        """A gate on the value is undecided where its interval contains the threshold.

        A gate on a bound has its answer in the bound; a value without an interval decides alone.
        """
        number = self.number(value)
        lower, upper = value.interval
        if self.on == "value" and not math.isnan(number) and lower <= self.threshold <= upper:
            decided = self.threshold == (lower if self.operator == ">=" else upper)
            return GateOutcome.passed if decided else GateOutcome.undecided
        above = number >= self.threshold
        below = number <= self.threshold
        return (
            GateOutcome.passed
            if (above if self.operator == ">=" else below)
            else GateOutcome.failed
        )

    def number(self, value: Value) -> float:
        bounds = {"lower bound": value.interval[0], "upper bound": value.interval[1]}
        return bounds.get(self.on, value.value)


def judged(
    gates: Sequence[GateSpec],
    parts: Sequence[page.ItemAgreement | page.UnitAgreement],
    relations: Sequence[page.RelationAgreement] = (),
) -> list[page.Gate]:
    """One line per gate and layer; on an undefined or missing value it fails with its reason.

    Values on relations are called `relation_presence` and so on, the first α of chains
    `chain_alpha`: a gate on α is not on them.
    """
    values = [(p.layer, value.measure, value) for p in parts for value in p.values]
    for part in relations:
        values += [(part.layer, f"relation_{one.name}", one.value) for one in part.values]
        values += [(part.layer, "chain_alpha", one) for one in part.chains[:1]]
        values += [(part.layer, one.measure, one) for one in part.chains if one.measure in SCORES]
    found = []
    for gate in gates:
        matching = [
            (layer, value)
            for layer, measure, value in values
            if measure == gate.measure and gate.layer in (None, layer)
        ]
        if not matching:
            where = f" in layer {gate.layer}" if gate.layer else ""
            missing = Value(
                measure=gate.measure,
                value=math.nan,
                reason=f"{gate.measure} was not computed{where}",
            )
            matching = [(gate.layer or "", missing)]
        found += [_judged(gate, layer, value) for layer, value in matching]
    return found


def _judged(gate: GateSpec, layer: str, value: Value) -> page.Gate:
    number, outcome = gate.number(value), gate.outcome(value)
    reason = value.reason if math.isnan(value.value) else ""
    if not reason and math.isnan(number):
        reason = "the interval is undefined"
    return page.Gate(
        measure=gate.measure,
        layer=layer,
        operator=gate.operator,
        threshold=gate.threshold,
        value=number,
        interval=value.interval,
        level=value.level,
        outcome=outcome,
        fails_run=outcome is GateOutcome.failed
        or (outcome is GateOutcome.undecided and gate.undecided == "fail"),
        reason=reason,
        on=gate.on,
    )
