"""Annotations that are probably mistakes, and places where competent annotators differ."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from ..value import Model, Number

MistakeReason = Literal["category", "alone", "missed", "bounds", "single"]


class Mistake(Model):
    """A label, or what annotators have at a place, that is probably wrong."""

    document: str
    where: str  # item name or "start–end"
    annotators: list[str]
    label: str  # "" for nothing, of a place of units
    probability: Number
    reason: MistakeReason
    other: str = ""  # what most of the others have there
    n_other: int = 0  # annotators who have it
    n_annotators: int = 0  # of the item or place
    error_rate: Number = math.nan  # estimated, of these annotators
    n_rejected: int = 0  # verdicts of peers
    n_judged: int = 0
    case: str = ""  # its name in the files of `accordeur adjudicate`


class Variation(Model):
    """A place where two annotations are probably right."""

    document: str
    where: str
    said: dict[str, str]  # annotator → labels
    probability: Number
    case: str = ""


class MistakeQueue(Model):
    """The probable errors of a layer, the most probable first, and what became of them."""

    layer: str
    at_least: float  # probability of those listed
    n_annotations: int  # each label of an item or place counted once
    n_probable: int
    expected: Number  # errors among all annotations, by the model
    mistakes: list[Mistake] = Field(default_factory=list)
    n_varying: int = 0
    varying: list[Variation] = Field(default_factory=list)
    error_rates: dict[str, Number] = Field(default_factory=dict)
    systems: list[str] = Field(default_factory=list)  # whose labels informed the probabilities
    n_judgments: int = 0
    n_audited: int = 0
    n_decided: int = 0  # of the probable errors
    n_changed: int = 0
    interval: tuple[Number, Number] = (math.nan, math.nan)  # 95 %, of the share that was changed
