"""Causes of a low agreement, and what to do, in order."""

from __future__ import annotations

import math
from enum import StrEnum

from pydantic import Field

from ..value import Model, Number


class Cause(Model):
    """Disagreement of a part, an annotator or a kind that exceeds the rest of the campaign.

    kind        missing | boundary | category, or "" for all disagreement
    categories  the category of units that are missing or have other bounds, or two that are
                confused
    part        batch | document_type | since | period, or "" for the whole campaign; `since` is
                from the period or batch `part_name` on
    share       of all disagreement (1 − value) that would not exist if it were as in the rest;
                `interval` is 95 %, corrected for the number of candidates
    n           pairs of labels or units that disagree in it, of the `n_compared` of its annotator
                and part
    marks_more  of missing units: the annotator marks units that others do not
    first, last  the periods or batches between which agreement falls gradually; "" of any other
                cause
    """

    kind: str = ""
    categories: list[str] = Field(default_factory=list)
    annotator: str = ""
    part: str = ""
    part_name: str = ""
    share: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    n: int = 0
    n_compared: int = 0
    marks_more: bool = False
    first: str = ""
    last: str = ""


class ActionKind(StrEnum):
    """What is to be done: remove a cause, correct rows, or annotate more."""

    cause = "cause"
    rejected = "rejected"
    annotate = "annotate"


class Action(Model):
    """What to do about a value, the gated one if a gate is on it.

    gain       what the value would gain; for rejected rows the most that it could move
    value      the value with the gain; nan for rejected rows and more annotations
    distance   what is then still missing to the threshold, 0 if it is reached; nan without a gate
    n, n_of    rejected rows, and all rows
    """

    kind: ActionKind
    layer: str = ""
    measure: str = ""
    cause: Cause | None = None
    gain: Number = math.nan
    interval: tuple[Number, Number] = (math.nan, math.nan)
    value: Number = math.nan
    distance: Number = math.nan
    n: int = 0
    n_of: int = 0
