"""Effects on the values of a layer: from computed effects to entries of the results document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from ..metrics.agreement.diagnosis.thresholds_and_shares import Thresholds
from ..metrics.coded_warning import Figures, Finding
from ..metrics.effect_of_omission import Effect, EffectKind
from ..metrics.influence import Change
from ..reports import results as page

ALL_TOGETHER = 0.95  # joint coverage of the intervals of all candidates

_Layer = TypeVar("_Layer", page.ItemAgreement, page.UnitAgreement)


def effects_results(effects: Sequence[Effect]) -> list[page.Effect]:
    """Convert effects to results models, without correction for multiple comparisons."""
    return [
        page.Effect(
            kind=one.kind,
            names=list(one.names),
            measure=one.measure,
            value=one.value,
            difference=one.change.value,
            standard_error=one.change.standard_error,
            n_documents=one.change.n_documents,
        )
        for one in effects
    ]


def bonferroni_corrected(layer: _Layer) -> _Layer:
    """Return the layer with corrected intervals of its effects, largest effects first per measure.

    Bonferroni: with m candidates, each interval has level 1 − .05 / m.
    """
    n_candidates = Counter(one.measure for one in layer.effects)
    effects = [
        one.model_copy(
            update={
                "n_candidates": n_candidates[one.measure],
                "interval": Change(one.difference, one.standard_error, one.n_documents).interval(
                    1 - (1 - ALL_TOGETHER) / n_candidates[one.measure]
                ),
            }
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
