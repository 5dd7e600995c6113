"""What a value is worth: resampling, reading grids and tables."""

from __future__ import annotations

import math

from pydantic import Field

from ..value import Model, Notice, Number, Undefinable, Value


class ModificationPoint(Undefinable):
    k: int
    modification_rate: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    weighted: Number = math.nan  # where a change costs the distance of the two labels
    weighted_interval: tuple[Number, Number] = (math.nan, math.nan)


class Resampling(Model):
    """M(k): how much of the majority reference changes with k of the n annotators.

    `labels_per_item`: mean over items with a label; `tied`: share of these without a majority.
    """

    layer: str
    ties: str
    n_annotators: int
    n_items: int
    labels_per_item: Number = math.nan
    tied: Number = math.nan
    points: list[ModificationPoint]
    level: float = 0.95  # of the intervals of the points
    signature: str = ""
    reliability: list[Value] = Field(default_factory=list)  # of k annotators together, by k


class GridReading(Undefinable):
    """The campaign's own value as a magnitude; `nan` with a reason where it lies off the curve.

    `interval`: magnitudes at which a campaign of this size with that value would not surprise.
    """

    value: Number
    magnitude: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)


class GridCurve(Model):
    """A reading grid: a measure against the magnitude of one degradation."""

    layer: str = ""
    measure: str
    degradation: str  # shift | omission | false_positives | category | split | merge
    magnitudes: list[float]
    means: list[Number]
    intervals: list[tuple[Number, Number]] = Field(default_factory=list)  # of single campaigns
    mean_intervals: list[tuple[Number, Number]] = Field(default_factory=list)
    trials: int = 0
    n_undefined: int = 0  # trials without a value
    n_units: int = 0  # per annotator of a standard campaign; 0: documents like the campaign's own
    reading: GridReading | None = None
    signature: str = ""


class ReadingTable(Model):
    """How much a reference would change with k annotators, for a campaign with this coefficient.

    `points` are means over trials of synthetic annotators; `n_reference` made the whole reference.
    """

    layer: str
    measure: str
    distance: str = "nominal"
    value: Number
    n_reference: int
    trials: int
    points: list[ModificationPoint]
    signature: str = ""


class Reading(Model):
    """What a value means: read off the grid or the table."""

    layer: str = ""
    measure: str
    value: Number
    sentences: list[Notice]
