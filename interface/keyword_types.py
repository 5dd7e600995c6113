"""The further keywords of functions, for type checkers and editors.

Each is the field of an option class of the commands, with its type; `test_surface` compares them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ..metrics.options import Axis, Goal, Interval, Position, Process, Reconcile, SoftRule
from .frames import Column


class WeightKeywords(TypedDict, total=False):
    """Weights of the dissimilarity of units."""

    position: Position | None
    alpha: float
    beta: float
    delta_empty: float | None
    unlabelled_distance: float


class GammaKeywords(WeightKeywords, total=False):
    """Keywords of `gamma` after its data, its measure and its parts."""

    document: Column | None
    annotator: Column
    start: Column
    end: Column
    category: Column | None
    length: Column | None
    order: Sequence[Any]
    level: str
    distances: Any
    confidence: float
    layer: str | None
    options: Mapping[str, str] | None
    processes: Process | Sequence[Process]
    precision: float
    min_samples: int
    max_samples: int
    reconcile: Reconcile
    min_gap: float
    axis: Axis
    max_documents: int
    replicates: int
    seed: int
    interval: Literal["bootstrap", "annotators"]
    empty_pairs: bool
    min_overlap: float
    tolerance: int
    trim: bool
    queue: str | None


class ScoreKeywords(TypedDict, total=False):
    """Options of `accordeur score`."""

    soft: SoftRule | None
    tagset: Sequence[str]
    distance: str
    distances: Any
    window: int | None
    collar: int
    skip_overlap: bool
    replicates: int
    seed: int


class PlanKeywords(TypedDict, total=False):
    """Options of `accordeur plan`."""

    measure: str
    distance: str
    distances: Any
    annotators: Sequence[int]
    level: float
    interval: Interval
    crowd: bool
    budget: float | None
    cost_per_label: float
    cost_per_annotator: float
    seed: int


class NextKeywords(TypedDict, total=False):
    """Options of `accordeur next`."""

    goal: Goal
    random_share: float
    random_depth: int
    per_annotator: int | None
    per_item: int | None
    audit: int
    target_error: float | None
    target_width: float | None
    layer: str | None
    may_annotate: Mapping[str, str]
