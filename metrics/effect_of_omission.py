"""Effect of omitting an annotator or a batch, or of merging two categories, on a value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from .estimate import NO_INTERVAL
from .influence import Change

MOST_BATCHES = 12  # batches omitted in turn


class EffectKind(StrEnum):
    """What was changed: an annotator or a batch omitted, or two categories merged."""

    annotator = "annotator"
    batch = "batch"
    categories = "categories"


@dataclass(frozen=True, slots=True)
class Effect:
    """The value without an annotator or batch, or with two categories merged.

    names         name of the annotator or batch, or of both categories
    difference    from the campaign's own value, with its `standard_error`
    n_documents   documents, items or groups of items that contribute to the difference
    interval      of the difference, corrected for the `n_candidates` examined (Bonferroni): all
                  intervals contain their differences with a joint probability of 95 %
    """

    kind: EffectKind
    names: tuple[str, ...]
    measure: str
    value: float
    difference: float
    standard_error: float = math.nan
    n_documents: int = 0
    interval: tuple[float, float] = NO_INTERVAL
    n_candidates: int = 0

    @classmethod
    def of(
        cls, kind: EffectKind, names: tuple[str, ...], measure: str, value: float, change: Change
    ) -> Effect:
        """Return the effect of a change, not yet corrected."""
        moved = (change.value, change.standard_error, change.n_documents)
        return cls(kind, names, measure, value, *moved)

    @property
    def change(self) -> Change:
        return Change(self.difference, self.standard_error, self.n_documents)

    @property
    def is_clear(self) -> bool:
        """Return whether the corrected interval excludes zero."""
        low, high = self.interval
        return low > 0 or high < 0
