"""Whether systems may replace an annotator, separate from agreement and from scores."""

from __future__ import annotations

import math

from pydantic import Field

from ...metrics.results import ReplacementDecision, ReplacementPoint
from ..value import Model, Named, Number, Plain, Value


class ReplacementTest(Model):
    """The alt-test for one annotator."""

    annotator: str
    p_value: Number
    rejected: bool


class ReplacementPart(Named):
    """The advantage on a part of the items: a category, a document, a batch."""

    kind: str
    verdict: str = ""


class LostItem(Model):
    """An item on which the annotators agree better with one another than the system with them.

    On layers of units it is a document, with the number of units of each annotator.
    """

    item: str
    label: str = ""  # label of the system; "" for none
    labels: dict[str, int] = Field(default_factory=dict)  # label → number of annotators
    advantage: float
    document: str = ""
    n_units: int | None = None  # of the system; None: a layer of labels, or the document is missing
    units: dict[str, int] = Field(default_factory=dict)  # units of each annotator


class SystemReplacement(Model):
    system: str
    values: list[Value]  # advantage, winning rate, average advantage probability
    checks: list[Value] = Field(default_factory=list)  # consistency, drift, position, length
    version: str = ""  # of the model; this and the next two fields come from the campaign file
    prompt: str = ""
    decoding: str = ""
    earlier: str = ""  # earlier run of the system, the baseline of the drift
    annotators: list[ReplacementTest] = Field(default_factory=list)
    passed: bool = False  # outcome of the alt-test
    alt_stability: Number = math.nan
    panel: Plain[ReplacementDecision] | None = None
    new_annotators: Plain[ReplacementDecision] | None = None
    after_holm: str = ""  # verdict after correction for all systems
    curve: list[Plain[ReplacementPoint]] = Field(default_factory=list)
    parts: list[ReplacementPart] = Field(default_factory=list)
    lost: list[LostItem] = Field(default_factory=list)  # the worst items
    n_lost: int = 0
    n_missing: int = 0  # items without a label of the system
    tied: Number = math.nan  # share of the comparisons in which it is as close as the annotator
    over: str = "items"  # resampled: documents or items
    n_units: int = 0

    @property
    def verdict(self) -> str:
        """May, may_not or undecided: whether it may replace one of these annotators."""
        return self.panel.verdict if self.panel else "undecided"


class Replacement(Model):
    """The systems of a layer."""

    layer: str = ""
    kind: str = "items"  # items | units
    epsilon: float
    expertise: str = ""  # expertise of the annotators, by which ε was chosen
    is_default: bool = False  # whether ε is the default
    alignment: str = "accuracy"
    missing: str = "lost"
    positions: list[str] = Field(default_factory=list)  # categories of pairwise items
    error: float = 0.05
    replicates: int = 1000
    systems: list[SystemReplacement]
