"""Verdicts on systems that are to replace an annotator, for the tests of the page."""

from __future__ import annotations

import math
from dataclasses import replace

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.reason import Reason, ReasonCode
from accordeur.metrics.signature import How
from accordeur.reports import results as r
from tests.reports.samples.parts import HUMANS


def replacement() -> r.Replacement:
    """One system that may replace an annotator, one on the border, one without a verdict."""
    return r.Replacement(
        layer="stance",
        epsilon=0.15,
        expertise="skilled",
        systems=[
            _replacing("tagger", 0.02, "may", 0.998, 0),
            _replacing("baseline", -0.17, "undecided", 0.81, 310),
            r.SystemReplacement(
                system="draft",
                values=[
                    Estimate(name, math.nan, Reason(ReasonCode.FEW_ITEMS, fewest=30))
                    for name in ("advantage", "winning_rate", "advantage_probability")
                ],
            ),
        ],
    )


def _replacing(
    system: str, mean: float, verdict: str, stability: float, more: int
) -> r.SystemReplacement:
    interval = (mean - 0.05, mean + 0.05)
    how = How(measure="advantage", epsilon=0.15, alignment="accuracy")
    advantage = Estimate(
        "advantage", mean, interval=interval, confidence_level=0.9, n_items=240, n_annotators=3,
        how=how,
    )  # fmt: skip
    part = replace(advantage, n_items=80)
    decision = r.ReplacementDecision(
        over="panel", verdict=verdict, mean=mean, interval=interval, p_may=0.01, p_may_not=0.99,
        stability=stability, is_stable=more == 0, more=more,
    )  # fmt: skip
    return r.SystemReplacement(
        system=system,
        values=[
            advantage,
            replace(advantage, measure="winning_rate", value=0.67, interval=(math.nan, math.nan)),
            replace(advantage, measure="advantage_probability", value=0.86, interval=(0.82, 0.9)),
        ],
        annotators=[
            r.ReplacementTest(annotator=name, p_value=p, rejected=p < 0.02)
            for name, p in zip(HUMANS, (0.004, 0.011, 0.21), strict=False)
        ],
        passed=True,
        alt_stability=0.83,
        panel=decision,
        new_annotators=r.ReplacementDecision(
            over="new_annotators", verdict="undecided", mean=mean, more=4
        ),
        after_holm=verdict,
        curve=[
            r.ReplacementPoint(epsilon=e / 20, winning_rate=min(1, e / 3), verdict=verdict)
            for e in range(7)
        ],
        parts=[
            r.ReplacementPart(name=name, value=part, kind="category", verdict=verdict)
            for name in ("for", "against")
        ],
        lost=[
            r.LostItem(
                document="document-04",
                item="17",
                label="for",
                labels={"against": 2, "neutral": 1},
                advantage=-1.0,
            )
        ],
        n_lost=1,
        n_missing=2 if more else 0,
        tied=0.61,
        n_units=240,
    )
