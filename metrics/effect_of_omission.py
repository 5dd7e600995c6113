"""Effect of omitting an annotator or a batch, or of merging two categories, on a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .influence import Change

MOST_BATCHES = 12  # batches omitted in turn


class EffectKind(StrEnum):
    """What was changed: an annotator or a batch omitted, or two categories merged."""

    annotator = "annotator"
    batch = "batch"
    categories = "categories"


@dataclass(frozen=True, slots=True)
class Effect:
    """Value of a measure without an annotator or batch, or with two categories merged.

    names   name of the annotator or batch, or of the two categories
    change  difference to the campaign's own value
    """

    kind: EffectKind
    names: tuple[str, ...]
    measure: str
    value: float
    change: Change
