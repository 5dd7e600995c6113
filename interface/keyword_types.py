"""The keywords of `gamma` but `by`, whose value decides what it returns, for type checkers.

`test_surface` compares them with the parameters of the function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from ..metrics.options import Axis, Position, Process, Reconcile
from .distances import Distance, Scale
from .frames import Column
from .keyword_options import Rng
from .measure_names import UnitMeasure


class GammaKeywords(TypedDict, total=False):
    """Keywords of `gamma`."""

    document: Column | None
    annotator: Column
    start: Column
    end: Column
    category: Column | None
    length: Column | None
    scale: Scale
    distance: Distance | None
    categories: Sequence[Any]
    measure: UnitMeasure
    layer: str | None
    options: Mapping[str, str] | None
    queue: str | None
    position: Position | None
    alpha: float
    beta: float
    delta_empty: float | None
    unlabelled_distance: float
    processes: Process | Sequence[Process]
    precision: float
    min_samples: int
    max_samples: int
    reconcile: Reconcile
    min_gap: float
    axis: Axis
    max_documents: int
    min_overlap: float
    tolerance: int
    trim: bool
    empty_pairs: bool
    interval: Literal["bootstrap", "annotators"]
    confidence_level: float
    replicates: int
    seed: int
    rng: Rng | None
