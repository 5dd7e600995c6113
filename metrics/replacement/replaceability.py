"""All results on one system as a replacement of an annotator."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..differences import holm
from ..estimate import Estimate, Figures, estimate
from ..intervals.interval import close_bounds
from ..reason import Reason, ReasonCode
from ..results import ReplacementDecision, ReplacementPoint
from ..signature import How, IntervalMethod, input_hash
from .alt_test import AltTest, alt_test
from .judge_comparison import JudgeComparison
from .replacement_options import ReplacementSettings
from .verdict import (
    Verdict,
    advantage_sums,
    alt_test_stability,
    decide_for_new_annotators,
    decide_for_panel,
)

FEWEST_ANNOTATORS = 3
CURVE = tuple(round(0.025 * step, 3) for step in range(13))  # ε of the curves
MOST_LOST = 200


@dataclass(frozen=True, slots=True)
class PartVerdict:
    """The system on a part of the items: one category, document or batch.

    An item whose other annotators are divided between categories is in each of them in part.
    """

    kind: str
    name: str
    advantage: Estimate
    verdict: str | None


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item on which the annotators agree better with one another than with the system."""

    item: int
    advantage: float
    n_annotators: int


@dataclass(frozen=True, slots=True)
class Replaceability:
    """One system against a panel.

    advantage, winning_rate, advantage_probability  undefined, with a reason, if fewer than three
        annotators have enough items; there is no decision then
    annotators       the panel: annotators with enough items
    alt_stability    share of the resamples in which the alt-test has the same verdict
    after_holm       the verdict after correction for all the systems compared
    over, n_units    resampling units: documents or items, and their number
    tied             share of the comparisons in which system and annotator have equal alignment
    """

    system: str
    epsilon: float
    advantage: Estimate
    winning_rate: Estimate
    advantage_probability: Estimate
    annotators: tuple[str, ...] = ()
    test: AltTest | None = None
    alt_stability: float = math.nan
    panel: ReplacementDecision | None = None
    new_annotators: ReplacementDecision | None = None
    after_holm: str | None = None
    curve: tuple[ReplacementPoint, ...] = ()
    parts: tuple[PartVerdict, ...] = ()
    lost: tuple[LostItem, ...] = ()
    n_lost: int = 0
    n_missing: int = 0
    over: str = "items"
    n_units: int = 0
    tied: float = math.nan


def replaceability(
    system: str,
    comparison: JudgeComparison,
    annotators: Sequence[str],
    settings: ReplacementSettings,
    *,
    compared_by: Mapping[str, Any] | None = None,
    documents: NDArray[np.integer] | None = None,
    groups: Mapping[str, tuple[Sequence[str], NDArray[np.integer]]] | None = None,
    subsets: Mapping[str, Mapping[str, JudgeComparison]] | None = None,
    categories: Mapping[str, Floats] | None = None,
) -> Replaceability:
    """Evaluate one system as a replacement of an annotator.

    compared_by  settings of the alignment function, to be stated with the values
    documents  (N,): index of each item's document; None: items are drawn
    groups     kind → (names, index of each item's group or -1): parts judged by themselves
    subsets    kind → name → comparison of some of the units, judged by themselves
    categories  name → how far each comparison belongs to the category (N, A), as
        `comparison.majorities_of_others`
    """
    how = _how(comparison, settings, compared_by or {}, documents)
    enough = comparison.compared.sum(axis=0) >= settings.min_items
    panel = tuple(name for name, one in zip(annotators, enough, strict=True) if one)
    if len(panel) < FEWEST_ANNOTATORS:
        return _undefined_replaceability(system, comparison, panel, settings, how)
    comparison = comparison.select_annotators(enough)
    advantage = comparison.advantage
    sums = advantage_sums(comparison.compared, advantage, documents)
    epsilon, error, seed = settings.margin, settings.error, settings.seed
    drawn = settings.replicates
    decision = decide_for_panel(
        sums, epsilon, error_rate=error, n_stability_replicates=drawn, seed=seed
    )
    test = alt_test(comparison, epsilon)
    stability = alt_test_stability(sums, epsilon, passed=test.passed, n_replicates=drawn, seed=seed)
    wins = advantage_sums(comparison.compared, comparison.system, documents)
    of_wins, _ = close_bounds(
        decide_for_panel(wins, 0.0, error_rate=error).interval,
        test.advantage_probability,
        level=settings.level,
        n_units=wins.n_units,
        within=(0.0, 1.0),
    )
    n_items = int(comparison.compared.any(axis=1).sum())

    counted: Figures = {
        "confidence_level": settings.level,
        "n_items": n_items,
        "n_annotators": len(panel),
    }
    lost = _lost_items(comparison)
    return Replaceability(
        system,
        epsilon,
        estimate(how, decision.mean, None, decision.interval, **counted),
        estimate(how.for_measure("winning_rate"), test.winning_rate, **counted),
        estimate(
            how.for_measure("advantage_probability"),
            test.advantage_probability,
            None,
            of_wins,
            **counted,
        ),
        panel,
        test,
        stability,
        decision,
        decide_for_new_annotators(sums, epsilon, decision, error_rate=error),
        decision.verdict,
        tuple(
            ReplacementPoint(
                at,
                alt_test(comparison, at).winning_rate,
                decide_for_panel(sums, at, error_rate=error).verdict,
            )
            for at in CURVE
        ),
        (
            *(
                _part("category", name, comparison, documents, settings, how, shares[:, enough])
                for name, shares in (categories or {}).items()
            ),
            *_parts(comparison, documents, groups or {}, settings, how),
            *(
                _part(kind, name, one.select_annotators(enough), documents, settings, how)
                for kind, ones in (subsets or {}).items()
                for name, one in ones.items()
            ),
        ),
        lost[:MOST_LOST],
        len(lost),
        comparison.n_missing,
        sums.over,
        sums.n_units,
        comparison.tied,
    )


def _how(
    comparison: JudgeComparison,
    settings: ReplacementSettings,
    compared_by: Mapping[str, Any],
    documents: NDArray[np.integer] | None,
) -> How:
    several = documents is not None and np.unique(documents).size > 1
    arrays = [comparison.system, comparison.annotator, comparison.compared]
    return How(
        measure="advantage",
        epsilon=settings.margin,
        alignment=settings.alignment,
        **compared_by,
        missing=settings.missing,
        min_items=settings.min_items,
        interval=IntervalMethod("hall-t", "documents" if several else "items", settings.level),
        replicates=settings.replicates,
        seed=settings.seed if settings.replicates else None,
        input=input_hash(arrays if documents is None else [*arrays, documents]),
    )


def correct_for_many_systems(
    systems: Sequence[Replaceability], error: float
) -> list[Replaceability]:
    """Add the verdicts after Holm's correction for all these systems."""
    may = holm([math.nan if one.panel is None else one.panel.p_may for one in systems])
    may_not = holm([math.nan if one.panel is None else one.panel.p_may_not for one in systems])
    return [
        one
        if one.panel is None
        else replace(
            one,
            after_holm=Verdict.MAY
            if p_may < error
            else Verdict.MAY_NOT
            if p_not < error
            else Verdict.UNDECIDED,
        )
        for one, p_may, p_not in zip(systems, may, may_not, strict=True)
    ]


def _undefined_replaceability(
    system: str,
    comparison: JudgeComparison,
    panel: tuple[str, ...],
    settings: ReplacementSettings,
    how: How,
) -> Replaceability:
    reason = Reason(
        ReasonCode.FEW_ANNOTATORS_IN_PANEL,
        n=len(panel),
        fewest=FEWEST_ANNOTATORS,
        items=settings.min_items,
    )
    names = ("advantage", "winning_rate", "advantage_probability")
    advantage, rate, probability = (
        estimate(how.for_measure(name), math.nan, reason) for name in names
    )
    return Replaceability(
        system,
        settings.margin,
        advantage,
        rate,
        probability,
        panel,
        n_missing=comparison.n_missing,
    )


def _parts(
    comparison: JudgeComparison,
    documents: NDArray[np.integer] | None,
    groups: Mapping[str, tuple[Sequence[str], NDArray[np.integer]]],
    settings: ReplacementSettings,
    how: How,
) -> list[PartVerdict]:
    return [
        _part(
            kind,
            name,
            comparison.select_items(index == g),
            documents[index == g] if documents is not None else None,
            settings,
            how,
        )
        for kind, (names, index) in groups.items()
        for g, name in enumerate(names)
    ]


def _part(
    kind: str,
    name: str,
    part: JudgeComparison,
    documents: NDArray[np.integer] | None,
    settings: ReplacementSettings,
    how: How,
    shares: Floats | None = None,
) -> PartVerdict:
    compared = part.compared if shares is None else part.compared & (shares > 0)
    n_items = int(compared.any(axis=1).sum())
    counted: Figures = {
        "confidence_level": settings.level,
        "n_items": n_items,
        "n_annotators": int(compared.any(axis=0).sum()),
    }
    if n_items < settings.min_items:
        reason = Reason(ReasonCode.FEW_ITEMS, fewest=settings.min_items)
        return PartVerdict(kind, name, estimate(how, math.nan, reason, **counted), None)
    sums = advantage_sums(compared, part.advantage, documents, shares)
    decision = decide_for_panel(sums, settings.margin, error_rate=settings.error)
    value = estimate(how, decision.mean, None, decision.interval, **counted)
    return PartVerdict(kind, name, value, decision.verdict)


def _lost_items(comparison: JudgeComparison) -> tuple[LostItem, ...]:
    """Items with a negative mean advantage, the lowest and then the most annotated first."""
    n = comparison.compared.sum(axis=1)
    mean = comparison.advantage.sum(axis=1, dtype=np.int64) / np.maximum(n, 1)
    lost = np.nonzero(mean < 0)[0]
    order = lost[np.lexsort((lost, -n[lost], mean[lost]))]
    return tuple(LostItem(int(i), float(mean[i]), int(n[i])) for i in order)
