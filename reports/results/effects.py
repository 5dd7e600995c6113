"""What moves a value: an annotator, a batch, two categories that are confused."""

from __future__ import annotations

import math

from ...metrics.effect import EffectKind
from ..value import Model, Number


class Effect(Model):
    """The value without an annotator or batch, or with two categories as one.

    The interval of the difference is corrected for the number of candidates (Bonferroni): all of
    them hold together with a probability of 95 %.
    """

    kind: EffectKind
    names: list[str]  # of the annotator or batch, or of both categories
    measure: str
    value: Number
    difference: Number  # from the campaign's own value
    standard_error: Number = math.nan
    n_documents: int = 0  # or items, or groups of them: those that the difference rests on
    interval: tuple[Number, Number] = (math.nan, math.nan)
    n_candidates: int = 0  # that were looked at

    @property
    def is_clear(self) -> bool:
        """Whether the corrected interval excludes zero."""
        low, high = self.interval
        return low > 0 or high < 0
