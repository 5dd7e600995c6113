"""Gates: the conditions of the campaign file, judged on the values of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from metrics.agreement.structures.coreference import SCORES
from reports import results as page


@dataclass(frozen=True, slots=True)
class GateSpec:
    """A condition of the campaign file, as plain values."""

    measure: str
    layer: str | None
    at_least: float | None
    at_most: float | None
    on: str = "value"


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
        operator = ">=" if gate.at_least is not None else "<="
        threshold = gate.at_least if gate.at_least is not None else gate.at_most
        if threshold is None:
            raise ValueError("a gate has no threshold")
        matching = [
            (layer, value)
            for layer, measure, value in values
            if measure == gate.measure and gate.layer in (None, layer)
        ]
        if not matching:
            where = f" in layer {gate.layer}" if gate.layer else ""
            found.append(
                page.Gate(
                    measure=gate.measure,
                    layer=gate.layer or "",
                    operator=operator,
                    threshold=threshold,
                    value=math.nan,
                    passed=False,
                    reason=f"{gate.measure} was not computed{where}",
                    on=gate.on,
                )
            )
        for layer, value in matching:
            number = {
                "value": value.value,
                "lower bound": value.interval[0],
                "upper bound": value.interval[1],
            }[gate.on]
            reason = value.reason if math.isnan(value.value) else ""
            if not reason and math.isnan(number):
                reason = "the interval is undefined"
            passed = number >= threshold if operator == ">=" else number <= threshold
            found.append(
                page.Gate(
                    measure=gate.measure,
                    layer=layer,
                    operator=operator,
                    threshold=threshold,
                    value=number,
                    passed=bool(passed),
                    reason=reason,
                    on=gate.on,
                )
            )
    return found
