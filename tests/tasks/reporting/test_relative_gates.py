"""Gates against an earlier run: decided by the paired change of the value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pydantic import ValidationError

from accordeur.flows.campaign.file.run_sections import Gate
from accordeur.metrics.estimate import Estimate
from accordeur.metrics.influence import Influences
from accordeur.reports.results import ItemAgreement, Measured
from accordeur.tasks.reporting.gates import GateSpec, judge_gates
from accordeur.tasks.reporting.relative_gates import gates_against_earlier_runs
from accordeur.tasks.reporting.reported_values import values_of
from accordeur.tasks.wording import gate_line

KEY = ("topic", "krippendorff_alpha")
NAMES = np.arange(40)


def mean_of(values: np.ndarray, names: np.ndarray = NAMES) -> Influences:
    """The influences of documents on their mean."""
    return Influences(float(values.mean()), names, (values - values.mean()) / values.size)


def judged(now: Influences, before: Influences | None, gate: GateSpec) -> list[tuple[str, str]]:
    earlier = {} if before is None else {"run 3": {KEY: before}}
    gates, silent = gates_against_earlier_runs([gate], {KEY: now}, earlier, "run 3")
    wide = (now.value - 0.3, now.value + 0.3)  # of the value itself, which decides nothing here
    value = Estimate(KEY[1], now.value, interval=wide)
    layer = ItemAgreement(layer="topic", tagset=[], annotators=[], n_items=40, values=[value])
    found = judge_gates(gates, values_of(Measured(items=[layer])))
    return [(one.outcome.value, gate_line(one.model_dump(mode="json"))) for one in found] + [
        ("silent", one.code) for one in silent
    ]


@pytest.mark.parametrize(
    ("change", "margin", "outcome"),
    [(0.0, 0.0, "passed"), (-0.1, 0.0, "failed"), (-0.1, 0.15, "passed"), (-0.1, 0.1, "undecided"),
     (0.1, 0.0, "passed")],
)  # fmt: skip
def test_the_paired_change_decides(change: float, margin: float, outcome: str) -> None:
    rng = np.random.default_rng(3)
    values = rng.uniform(0.4, 1.0, 40)
    moved = values + change + (rng.normal(0, 0.01, 40) if change else 0)
    gate = GateSpec(KEY[1], None, None, None, not_below="last", margin=margin)
    [(found, line)] = judged(mean_of(moved), mean_of(values), gate)
    assert found == outcome
    threshold = f"{values.mean() - margin:.3f}"
    assert f"{moved.mean():.3f} not below {threshold} (run 3)" in line
    if outcome == "undecided":
        paired = (moved - values).mean(), (moved - values).std(ddof=1) / math.sqrt(40)
        low = values.mean() + paired[0] - 2.0227 * paired[1]  # t(39) at 97.5 %
        assert f"the 95% CI [{low:.3f}, " in line


def test_a_change_in_few_documents_decides_nothing() -> None:
    values = np.linspace(0.4, 1.0, 40)
    moved = values.copy()
    moved[0] -= 0.1
    gate = GateSpec(KEY[1], "topic", None, None, not_below="run 3")
    [(outcome, _)] = judged(mean_of(moved), mean_of(values), gate)
    assert outcome == "undecided"


def test_a_run_without_the_value_is_said() -> None:
    gate = GateSpec(KEY[1], None, None, None, not_below="run 2")
    assert judged(mean_of(np.ones(40)), None, gate) == [("silent", "gate_not_compared")]


@pytest.mark.parametrize("key", ["on", "over", "of"])
def test_a_gate_against_a_run_is_on_main_values(key: str) -> None:
    value = {"on": "lower bound", "over": "last batch", "of": "x"}[key]
    with pytest.raises(ValidationError, match="not_below is on main values"):
        Gate.model_validate({"measure": KEY[1], "not_below": "last", key: value})
