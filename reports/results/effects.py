"""What changes a value: an annotator, a batch, two categories that are confused."""

from __future__ import annotations

import math

from ...metrics.effect_of_omission import EffectKind
from ..value import Model, Number


class Effect(Model):
    """The value without an annotator or batch, or with two categories merged.

    The interval of the difference is corrected for the number of candidates (Bonferroni): all
    intervals contain their differences with a joint probability of 95 %.
    """

    kind: EffectKind
    names: list[str]  # name of the annotator or batch, or of both categories
    measure: str
    value: Number
    difference: Number  # difference from the campaign's own value
    standard_error: Number = math.nan
    n_documents: int = 0  # documents, items or groups of items that contribute to the difference
    interval: tuple[Number, Number] = (math.nan, math.nan)
    n_candidates: int = 0  # candidates examined

    @property
    def is_clear(self) -> bool:
        """Return whether the corrected interval excludes zero."""
        low, high = self.interval
        return low > 0 or high < 0
