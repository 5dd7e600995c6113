"""Annotations that are probably errors, and places where competent annotators differ."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from ..value import Model, Number

MistakeReason = Literal["category", "alone", "missed", "bounds", "single"]


Grade = Literal["very_likely", "likely", "possible"]
GRADES: dict[Grade, float] = {"very_likely": 0.9, "likely": 0.7, "possible": 0.0}
"""Smallest probability of each grade. The model is overconfident: a grade, not a probability, is
shown unless the probabilities were calibrated on audited items."""


def grade_of(probability: float) -> Grade:
    return next(name for name, least in GRADES.items() if probability >= least)


class Mistake(Model):
    """A label, or annotations at one place, that are probably wrong."""

    document: str
    where: str  # item name or "start–end"
    annotators: list[str]
    label: str  # "" for no unit at a place of units
    probability: Number
    reason: MistakeReason
    other: str = ""  # the label of most other annotators there
    n_other: int = 0  # annotators with that label
    n_annotators: int = 0  # annotators of the item or place
    error_rate: Number = math.nan  # estimated error rate of these annotators
    n_rejected: int = 0  # verdicts of peers
    n_judged: int = 0
    case: str = ""  # its name in the files of `accordeur adjudicate`
    systematic: bool = False  # one of the `systematic` differences of the queue

    @property
    def grade(self) -> Grade:
        return grade_of(self.probability)


class MistakeGrade(Model):
    """Probable errors of a grade; how many are decided, and how many of these were wrong."""

    name: Grade
    n: int = 0
    n_decided: int = 0
    n_changed: int = 0
    interval: tuple[Number, Number] = (math.nan, math.nan)  # 95 %, for the share that was wrong


class SystematicDifference(Model):
    """A label that one annotator gives where the others agree on another one, far too often."""

    annotator: str
    label: str  # "" for no unit
    other: str
    n: int
    out_of: int  # places with the annotator's label, or with the other one, as `given` says
    given: Literal["own", "others"]
    elsewhere: Number  # rate of differences of the annotator at other places


class Variation(Model):
    """A place where two different annotations are probably both right."""

    document: str
    where: str
    said: dict[str, str]  # annotator → labels
    probability: Number
    case: str = ""


class MistakeQueue(Model):
    """The probable errors of a layer, the most probable first, and the decisions on them."""

    layer: str
    at_least: float  # minimum probability of the listed errors
    n_annotations: int  # each label of an item or place counted once
    n_probable: int  # decided ones, too; without systematic differences
    expected: Number  # errors among all annotations, according to the model
    mistakes: list[Mistake] = Field(default_factory=list)  # undecided; systematic ones last
    grades: list[MistakeGrade] = Field(default_factory=list)
    systematic: list[SystematicDifference] = Field(default_factory=list)
    n_varying: int = 0
    varying: list[Variation] = Field(default_factory=list)
    error_rates: dict[str, Number] = Field(default_factory=dict)
    systems: list[str] = Field(default_factory=list)  # systems whose labels were used
    n_judgments: int = 0
    n_audited: int = 0
    n_decided: int = 0  # decisions on the probable errors
    n_changed: int = 0
    interval: tuple[Number, Number] = (math.nan, math.nan)  # 95 %, for the share that was changed
