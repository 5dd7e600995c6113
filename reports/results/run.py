"""How the numbers were made, whether they passed the gates, and how they moved."""

from __future__ import annotations

import math
from enum import StrEnum

from pydantic import Field

from ..value import Model, Number, Undefinable
from .effects import Effect


class GateOutcome(StrEnum):
    """`undecided`: the confidence interval of the value contains the threshold."""

    passed = "passed"
    failed = "failed"
    undecided = "undecided"


class Gate(Undefinable):
    measure: str
    layer: str = ""
    of: str = ""  # the system of a score, or the category of γ-k and (k)uα
    operator: str = ">="
    threshold: float
    value: Number  # of what the gate is on
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95
    outcome: GateOutcome
    fails_run: bool  # failed, or undecided where the campaign file says undecided = "fail"
    on: str = "value"  # value | lower bound | upper bound (of the interval)
    cause: Effect | None = None  # of a gate that did not pass; None where nothing stands out

    @property
    def margin(self) -> float:
        """How far the value is on the right side of the threshold; negative on the wrong side."""
        margin = self.value - self.threshold
        return margin if self.operator.startswith(">") else -margin


class RunPoint(Model):
    """A main value of an earlier run, batch or time: for the control chart."""

    run: str
    measure: str
    layer: str
    value: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95
    kind: str = "run"  # run | batch | time
    started: str = ""  # of an earlier run, ISO 8601
    guideline: str = ""  # its version


class Drift(Model):
    """How a main value changed since the last run, and over the last runs.

    Intervals are paired over documents: what is the same in both runs does not widen them.
    """

    layer: str
    measure: str
    since: str  # the run
    difference: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    level: float = 0.95
    n_documents: int = 0  # that move the difference
    fell: bool = False  # by more than the rate of false alarms allows
    n_runs: int = 0  # that the slope is taken over, the present one included; 0: too few
    slope: Number = math.nan  # a run
    slope_interval: tuple[Number, Number] = (math.nan, math.nan)
    is_falling: bool = False  # the slope, by more than the rate of false alarms allows


class Stage(Model):
    name: str
    seconds: float
    worker_seconds: float = 0.0  # of all workers together
    n_tasks: int = 0
    n_parts: int = 0  # sources, shards or batches of samples
    n_reused: int = 0  # of these


class Changes(Model):
    """What became of the data since an earlier run; at most twenty names of each kind."""

    since: str
    n_added: int = 0
    n_removed: int = 0
    n_renamed: int = 0
    n_changed: int = 0
    added: list[str] = Field(default_factory=list)
    removed: list[str] = Field(default_factory=list)
    renamed: list[tuple[str, str]] = Field(default_factory=list)  # (before, now)
    changed: list[str] = Field(default_factory=list)
    annotators_added: list[str] = Field(default_factory=list)
    annotators_removed: list[str] = Field(default_factory=list)
    guideline: tuple[str, str] | None = None  # versions before and now, where they differ
    settings_changed: bool = False  # anything in the campaign file


class Run(Model):
    version: str
    input_hash: str
    config_hash: str = ""
    seed: int = 0
    command: str = ""
    started: str = ""
    versions: dict[str, str] = Field(default_factory=dict)  # package → version
    inputs: dict[str, str] = Field(default_factory=dict)  # source file → sha256
    stages: list[Stage] = Field(default_factory=list)
    changes: Changes | None = None
