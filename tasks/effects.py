"""Effects on the values of a layer, corrected for their number, and what they show."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TypeVar

from ..metrics.agreement.diagnosis.thresholds_and_shares import Thresholds
from ..metrics.coded_warning import Figures, Finding
from ..metrics.effect_of_omission import EffectKind
from ..reports import results as page

ALL_TOGETHER = 0.95  # joint coverage of the intervals of all candidates

_Layer = TypeVar("_Layer", page.ItemAgreement, page.UnitAgreement)


def bonferroni_corrected(layer: _Layer) -> _Layer:
    """Return the layer with corrected intervals of its effects, largest effects first per measure.

    Bonferroni: with m candidates, each interval has level 1 − .05 / m.
    """
    n_candidates = Counter(one.measure for one in layer.effects)
    effects = [
        replace(
            one,
            n_candidates=n_candidates[one.measure],
            interval=one.change.interval(1 - (1 - ALL_TOGETHER) / n_candidates[one.measure]),
        )
        for one in layer.effects
    ]
    measures = list(n_candidates)
    effects.sort(key=lambda one: (measures.index(one.measure), -one.difference))
    return layer.model_copy(update={"effects": effects})


def with_outlier_finding(layer: page.UnitAgreement) -> page.UnitAgreement:
    """Add a finding if one annotator lowers γ clearly, and at least twice as much as any other.

    For labels, the diagnosis detects such an annotator.
    """
    found = [one for one in layer.effects if one.kind is EffectKind.annotator]
    if len(found) < 3:
        return layer
    first, second = found[:2]
    least = max(Thresholds().annotator_gain, 2 * second.difference)
    if not (first.is_clear and first.difference >= least):
        return layer
    figures: Figures = {
        "annotator": first.names[0],
        "gamma": first.value - first.difference,
        "gamma_without": first.value,
    }
    apart = Finding("annotator_apart_units", figures)
    return layer.model_copy(update={"findings": [*layer.findings, apart]})
