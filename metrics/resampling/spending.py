"""More annotators or more documents: what a budget buys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import MetricsError
from .planning import PilotVariance


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One way to spend a budget: `cost` ≤ budget, and the documents it buys."""

    annotators: int
    documents: int
    labels: int
    cost: float


def spend(
    pilot: PilotVariance,
    budget: float,
    *,
    cost_per_label: float = 1.0,
    cost_per_annotator: float = 0.0,
    annotators: Sequence[int] = tuple(range(2, 11)),
) -> tuple[BudgetLine, ...]:
    """More annotators or more documents: what the budget buys with each number of annotators.

    A label costs `cost_per_label`, an annotator `cost_per_annotator` once (training). Numbers of
    annotators for which not even two documents can be paid are left out.
    """
    if not (budget > 0 and cost_per_label > 0 and cost_per_annotator >= 0):
        raise MetricsError("the budget and the cost of a label must be above 0, training 0 or more")
    lines = []
    for a in annotators:
        document = a * pilot.items_per_document * cost_per_label
        documents = math.floor((budget - a * cost_per_annotator) / document + 1e-9)
        if documents >= 2:
            labels = round(documents * a * pilot.items_per_document)
            lines.append(
                BudgetLine(
                    annotators=a,
                    documents=documents,
                    labels=labels,
                    cost=labels * cost_per_label + a * cost_per_annotator,
                )
            )
    return tuple(lines)
