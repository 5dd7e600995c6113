"""Content of a calibration's page: curves of settings, proposed distances of categories."""

from __future__ import annotations

import math

from pydantic import Field

from ..results import Run, Validation
from ..value import Model, Number, Undefinable


class TriedPoint(Model):
    """One measure at one value of the setting, with its interval."""

    x: float
    y: Number
    low: Number = math.nan
    high: Number = math.nan


class SettingCurves(Model):
    """What changes with one setting; `own` is its present value."""

    setting: str  # delta_empty | alpha | beta
    own: float
    gamma: list[TriedPoint]
    aligned: list[TriedPoint]  # share of the units
    kept: list[TriedPoint]  # share of the aligned pairs


class ProposedPair(Model):
    """Two categories that annotators confused."""

    first: str
    second: str
    distance: Number
    low: Number = math.nan
    high: Number = math.nan
    weight: Number
    at_present: Number


class CalibrationResults(Undefinable):
    """A whole calibration; undefined numbers are null."""

    name: str
    layer: str = ""
    position: str
    alpha: float
    beta: float
    delta_empty: float
    gamma: Number
    gamma_low: Number = math.nan
    gamma_high: Number = math.nan
    level: float = 0.95
    n_documents: int
    n_units: int
    n_annotators: int
    curves: list[SettingCurves]
    form: str = ""  # mean | product; "" without several categories
    distances: list[ProposedPair] = Field(default_factory=list)
    unseen: list[str] = Field(default_factory=list)
    toml: str
    signatures: list[str]
    run: Run
    validation: Validation | None = None
