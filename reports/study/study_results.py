"""The results document of a study: the content of its page, also for other programs.

A study has parts, one for each setting that is compared; a part has curves. An undefined number is
null in JSON.
"""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from ..results import Run, Validation
from ..value import Model, Number, Undefinable

SCHEMA_VERSION = "1.0"

SIMULATED = ("prevalence", "categories")  # kinds made by `accordeur simulate`

X = Literal["k", "coefficient", "magnitude", "share", "categories"]
Spread = Literal["", "documents", "items", "trials", "subsets", "samples", "campaigns", "sd"]


class CurvePoint(Model):
    """One point. `low`, `high`: see `spread` of its curve; `n`: trials, subsets or samples."""

    x: float
    y: Number
    low: Number = math.nan
    high: Number = math.nan
    sd: Number = math.nan
    n: int = 0
    mean_low: Number = math.nan  # interval of the mean, if the band is for single campaigns
    mean_high: Number = math.nan
    all_low: Number = math.nan  # of curves over k: intervals that hold for all k together
    all_high: Number = math.nan


class StudyCurve(Model):
    """`y` against `x`; `k` is the size of the subsets of a curve over the coefficient."""

    name: str  # exact | subsets | own | by_coefficient | model | coverage | grid | simulation
    x: X
    y: str  # modification_rate, coverage, or a measure
    points: list[CurvePoint]
    x_name: str = ""  # the coefficient, the degradation, or the setting that varies
    k: int = 0
    spread: Spread = ""
    level: float = 0.95
    rises_from: Number = math.nan  # a grid: values are read off up to this magnitude only


class WorstSubset(Model):
    k: int
    rate: Number
    annotators: list[str]


class OtherTies(Model):
    """M(k) of the same labels under another rule for ties, at the k where it differs most."""

    ties: str
    k: int
    rate: Number
    own_rate: Number


class GridReading(Undefinable):
    """The magnitude for an observed value; `reason` when it is off the curve."""

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
    label: str  # the settings that distinguish this part from the others; "" when it is alone
    apart: dict[str, str] = Field(default_factory=dict)  # the same by key; "" for none
    settings: dict[str, str | float | int]
    n_trials: int
    n_undefined: int = 0
    n_imprecise: int = 0  # cells (magnitudes of a grid) whose intervals are wider than `precision`
    curves: list[StudyCurve]
    worst: list[WorstSubset] = Field(default_factory=list)
    other_ties: list[OtherTies] = Field(default_factory=list)
    redrawn: Number = math.nan  # M(n) of subsets: what drawing all annotators' ties again changes
    readings: list[GridReading] = Field(default_factory=list)
    signature: str = ""
    sources: list[str] = Field(default_factory=list)  # keys of references.bib


class CellValue(Model):
    """The value of a cell (its number, from 1) with its 95% interval."""

    cell: int
    value: Number
    low: Number = math.nan
    high: Number = math.nan
    n: int = 0


class CellContrast(Model):
    """Mean difference, second minus first, over pairs of cells that differ in one setting only."""

    setting: str
    first: str
    second: str
    n_pairs: int
    difference: Number
    low: Number = math.nan
    high: Number = math.nan
    p_value: Number = math.nan
    p_holm: Number = math.nan  # corrected for all contrasts of the study
    lowest: Number = math.nan  # differences of single pairs
    highest: Number = math.nan


class StudyQuestion(Model):
    """One curve of every cell, compared at one place: `curve`, `y`, `x_name`, `k` as of curves."""

    curve: str
    y: str
    x_name: str = ""
    k: int = 0
    x: float
    cells: list[CellValue]
    contrasts: list[CellContrast]
    shares: dict[str, Number] = Field(default_factory=dict)  # of variance, by setting


class StudyResults(Model):
    schema_version: str = SCHEMA_VERSION
    name: str
    kind: str
    description: str = ""
    file: str = ""  # the study file (TOML), as it was written
    trials: int
    seed: int
    run: Run
    observed: dict[str, Number] = Field(default_factory=dict)  # the campaign's own values
    precision: Number = math.nan  # half width of a mean's interval at which a cell stops
    looks: list[int] = Field(default_factory=list)  # numbers of trials after which it may stop
    units: dict[str, int | float | bool | list[str]] = Field(default_factory=dict)  # [units], whole
    parts: list[StudyPart]
    questions: list[StudyQuestion] = Field(default_factory=list)
    validation: Validation | None = None  # None: synthetic, or no export

    @property
    def sources(self) -> list[str]:
        """The works that the study uses, as keys of references.bib, in the order of its parts."""
        return list(dict.fromkeys(key for part in self.parts for key in part.sources))
