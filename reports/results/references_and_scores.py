"""References, and systems scored against them, separate from agreement."""

from __future__ import annotations

import math
from typing import Any

from pydantic import Field, field_validator

from ...metrics.results import AnnotatorReliability, LabelModel, ReferenceCoverage, SoftReference
from ..value import Model, Named, Notice, Number, Plain, Undefinable, Value
from .actions import SearchedLayer


class ReferenceSummary(Model):
    layer: str
    rule: str
    annotators: list[str]
    n_items: int
    n_resolved: int
    n_ties: int = 0
    n_unresolved: int = 0
    unresolved: list[str] = Field(default_factory=list)
    warnings: list[Notice] = Field(default_factory=list)
    history: list[dict[str, str]] = Field(default_factory=list)
    n_decisions: int = 0  # recorded decisions that apply to a present case
    n_decisions_lost: int = 0  # that apply to none; warnings say why
    threshold: Number = math.nan  # for a consensus: minimum probability to be kept
    expected_f: Number = math.nan  # of offsets
    reliabilities: list[Plain[AnnotatorReliability]] = Field(default_factory=list)
    label_models: list[Plain[LabelModel]] = Field(default_factory=list)
    weights: dict[str, Number] = Field(default_factory=dict)  # of the annotators of objects
    is_single_annotator: bool = False  # the page then says "annotator", not "reference"
    soft: Plain[SoftReference] | None = None
    model_check: Number = math.nan  # p-value of the predictive check of Dawid & Skene


class SystemScores(SearchedLayer):
    system: str
    kind: str  # items | units
    values: list[Value]
    per_category: list[Named] = Field(default_factory=list)
    errors: dict[str, int] = Field(default_factory=dict)
    n_documents: int = 0  # scored documents of the reference; missing ones count as wrong
    n_missing_documents: int = 0
    n_not_assigned: int = 0  # documents of the reference declared as not assigned to the system
    without: str = ""  # the human without whom the reference was built

    @property
    def of(self) -> str:
        return self.system


class SystemComparison(Undefinable):
    layer: str
    measure: str
    first: str
    second: str
    difference: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95
    p_value: Number = math.nan
    p_corrected: Number = math.nan


class Validity(Model):
    """Systems scored against a reference, separate from agreement."""

    reference: str
    systems: list[SystemScores]
    layer: str = ""
    kind: str = ""  # items | units
    coverage: Plain[ReferenceCoverage] | None = None
    instead_of: str = ""  # built reference that is not used, because an annotator has the role
    error: Value | None = None  # of the reference, from an audit
    comparisons: list[SystemComparison] = Field(default_factory=list)
    humans: list[SystemScores] = Field(default_factory=list)  # against this reference, too
    human_range: list[SystemScores] = Field(default_factory=list)  # humans, each left out
    leave_one_out: list[SystemScores] = Field(default_factory=list)  # systems, against the same
    baselines: list[SystemScores] = Field(default_factory=list)
    notices: list[Notice] = Field(default_factory=list)
    soft: str = ""  # the rule, if the reference is a distribution of labels
    beside: list[SystemScores] = Field(default_factory=list)  # other annotators, all labels

    @field_validator("beside", mode="before")
    @classmethod
    def _as_named_now(cls, beside: list[Any]) -> list[Any]:
        """Read the name that version 0.2 gave the score of other annotators."""
        names = {"another_crew": "other_annotators"}
        return [
            {**one, "system": names.get(one["system"], one["system"])}
            if isinstance(one, dict)
            else one
            for one in beside
        ]
