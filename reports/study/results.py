"""The results document of a study: what its page shows, and what other programs read.

A study has parts, one for each setting that is compared; a part has curves. A number that is
undefined is null in JSON.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from ..results import Run, Validation
from ..value import Model, Number, Undefinable

SCHEMA_VERSION = "1.0"

SIMULATED = ("prevalence", "categories")  # kinds that `accordeur simulate` makes

X = Literal["k", "coefficient", "magnitude", "share", "categories"]
Spread = Literal["", "documents", "items", "trials", "subsets", "samples", "campaigns", "sd"]


class CurvePoint(Model):
    """One point. `low`, `high`: what `spread` of its curve says; `n` trials, subsets or samples."""

    x: float
    y: Number
    low: Number = math.nan
    high: Number = math.nan
    sd: Number = math.nan
    n: int = 0
    mean_low: Number = math.nan  # interval of the mean, where the band is of single campaigns
    mean_high: Number = math.nan


class StudyCurve(Model):
    """`y` against `x`; `k` says which subsets a curve over the coefficient is of."""

    name: str  # exact | subsets | own | by_coefficient | model | coverage | grid | simulation
    x: X
    y: str  # modification_rate, coverage, or a measure
    points: list[CurvePoint]
    x_name: str = ""  # the coefficient, the degradation, or what is moved
    k: int = 0
    spread: Spread = ""
    level: float = 0.95


class WorstSubset(Model):
    k: int
    rate: Number
    annotators: list[str]


class GridReading(Undefinable):
    """An observed value as a magnitude; `reason` when it lies off the curve."""

    measure: str
    degradation: str
    value: Number
    magnitude: Number
    low: Number = math.nan
    high: Number = math.nan

    @property
    def interval(self) -> tuple[float, float]:
        return self.low, self.high


class StudyPart(Model):
    label: str  # the settings in which this part differs from the others; "" when it is alone
    apart: dict[str, str] = Field(default_factory=dict)  # the same, a key each; "" for none
    settings: dict[str, str | float | int]
    n_trials: int
    n_undefined: int = 0
    curves: list[StudyCurve]
    worst: list[WorstSubset] = Field(default_factory=list)
    readings: list[GridReading] = Field(default_factory=list)
    signature: str = ""


class StudyResults(Model):
    schema_version: str = SCHEMA_VERSION
    name: str
    kind: str
    description: str = ""
    trials: int
    seed: int
    run: Run
    observed: dict[str, Number] = Field(default_factory=dict)  # the campaign's own values
    parts: list[StudyPart]
    validation: Validation | None = None  # None: made up, or the user's numbers, without an export
