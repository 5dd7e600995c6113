"""An effect: what a value would be without an annotator or batch, or with two categories as one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .influence import Change

MOST_BATCHES = 12  # left out in turn


class EffectKind(StrEnum):
    """What was left out (an annotator, a batch), or merged (two categories)."""

    annotator = "annotator"
    batch = "batch"
    categories = "categories"


@dataclass(frozen=True, slots=True)
class Effect:
    """A measure's value without an annotator or batch, or with two categories merged.

    names   of the annotator or batch, or of the two categories
    change  from the campaign's own value
    """

    kind: EffectKind
    names: tuple[str, ...]
    measure: str
    value: float
    change: Change
