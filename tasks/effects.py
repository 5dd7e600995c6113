"""Effects on the values of a layer, corrected for their number."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TypeVar

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
