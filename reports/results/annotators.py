"""Cards of annotators: the result of `accordeur annotators`, and a section of the report."""

from __future__ import annotations

from pydantic import Field

from ...metrics.annotator_card import AnnotatorCard
from ..value import Model, Plain


class AnnotatorCards(Model):
    """The cards of a layer, the annotator first whose agreement would gain the most labels.

    reference: names of the annotators with that role; [] if there is no reference.
    scale: the ordered categories, lowest first; [] if they have no order.
    """

    layer: str
    of_units: bool = False
    reference: list[str] = Field(default_factory=list)
    scale: list[str] = Field(default_factory=list)
    level: float = 0.95
    cards: list[Plain[AnnotatorCard]] = Field(default_factory=list)

    @property
    def are_comparable(self) -> bool:
        """Whether differences beyond chance can be seen: items have labels of three annotators."""
        return any(one.p_value == one.p_value for one in self.cards)
