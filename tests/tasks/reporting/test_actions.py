"""What to do: the distance to the threshold after a change of either sign, and the order."""

from __future__ import annotations

import pytest

from accordeur.metrics.estimate import Estimate
from accordeur.reports.results import Cause, Gate, GateOutcome, ItemAgreement, Mechanism
from accordeur.tasks.reporting.actions import actions_of
from tests.reports.views.pages import results_with

ALIKE = Cause(
    annotator="A1", share=-0.19, interval=(-0.25, -0.13),
    mechanism=Mechanism(kind="alike", other="A2", share=0.993, share_of_others=0.812),
)  # fmt: skip
LOW = Cause(annotator="A3", share=0.1, interval=(0.05, 0.15))


def actions_at(threshold: float, *causes: Cause) -> list[tuple[str, float, float]]:
    """Of α = 0.842: annotator, value and what is missing."""
    layer = ItemAgreement(
        layer="topics", tagset=["x", "y"], annotators=["A1", "A2", "A3", "A4"], n_items=960,
        values=[Estimate("krippendorff_alpha", 0.842)], causes=list(causes),
        causes_of=["krippendorff_alpha"], n_candidates=9,
    )  # fmt: skip
    gate = Gate(
        measure="krippendorff_alpha", layer="topics", threshold=threshold, value=0.842,
        outcome=GateOutcome.failed if threshold > 0.842 else GateOutcome.passed, fails_run=False,
    )  # fmt: skip
    found = actions_of(results_with(items=[layer], gates=[gate]))
    assert all(one.cause is not None for one in found)
    return [(one.cause.annotator, one.value, one.distance) for one in found if one.cause]


@pytest.mark.parametrize(("threshold", "missing"), [(0.9, 0.088), (0.83, 0.018), (0.8, 0.0)])
def test_a_negative_gain_takes_the_value_further_from_its_threshold(
    threshold: float, missing: float
) -> None:
    [(_, value, distance)] = actions_at(threshold, ALIKE)
    assert (value, distance) == pytest.approx((0.812, missing), abs=5e-4)


def test_what_makes_the_agreement_too_high_comes_after_the_causes_of_a_failed_gate() -> None:
    assert [who for who, *_ in actions_at(0.9, ALIKE, LOW)] == ["A3", "A1"]
    assert [who for who, *_ in actions_at(0.8, ALIKE, LOW)] == ["A1", "A3"]
