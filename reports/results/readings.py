"""Interpretation of values: resampling, reading grids and reading tables."""

from __future__ import annotations

import math

from pydantic import Field

from ...metrics.options import SubsetsOf
from ..value import Model, Notice, Number, Undefinable, Value


class ModificationPoint(Undefinable):
    k: int
    modification_rate: Number
    interval: tuple[Number, Number] = (math.nan, math.nan)
    weighted: Number = math.nan  # with each change weighted by the distance of the two labels
    weighted_interval: tuple[Number, Number] = (math.nan, math.nan)
    unlabelled: Number = math.nan  # share of the items with a reference label that get none
    of_others: Number = math.nan  # the rate without items of the `prevalent` category


class CategoryChange(Model):
    """M(k) of the items with one category in the reference, at the `k` of `Resampling`."""

    category: str
    n_items: Number  # in the reference; tied items count in part
    modification_rate: Number


class Resampling(Model):
    """M(k): the share of the majority reference that changes with k of the n annotators.

    `draw`: what k counts, annotators or labels (of each item, which has `most_labels` at most);
    `labels_per_item`: mean over items with a label; `tied`: share of these items without a
    majority.
    """

    layer: str
    ties: str
    draw: SubsetsOf = "annotators"
    n_annotators: int
    most_labels: int = 0
    n_items: int
    k: int = 0  # the largest k that is at most half of all, or 1
    prevalent: str | None = None  # the category of more than half of the reference labels
    by_category: list[CategoryChange] = Field(default_factory=list)
    labels_per_item: Number = math.nan
    tied: Number = math.nan
    points: list[ModificationPoint]
    level: float = 0.95  # of the intervals of the points
    signature: str = ""
    reliability: list[Value] = Field(default_factory=list)  # of k annotators together, by k

    @property
    def n_counted(self) -> int:
        """All that k can count: the annotators, or the labels of an item."""
        return self.n_annotators if self.draw == "annotators" else self.most_labels


class GridReading(Undefinable):
    """The magnitude that corresponds to the campaign's value; `nan` with a reason off the curve.

    `interval`: magnitudes for which a campaign of this size could plausibly have this value.
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
    intervals: list[tuple[Number, Number]] = Field(default_factory=list)  # for single campaigns
    mean_intervals: list[tuple[Number, Number]] = Field(default_factory=list)
    trials: int = 0
    n_undefined: int = 0  # trials without a value
    n_units: int = 0  # per annotator of a standard campaign; 0: documents like the campaign's own
    reading: GridReading | None = None
    signature: str = ""


class ReadingTable(Model):
    """How much a reference would change with k annotators, for a campaign with this coefficient.

    `points` are means over trials with synthetic annotators; `n_reference` annotators made the
    whole reference.
    """

    layer: str
    measure: str
    distance: str = "nominal"
    ties: str = "random"
    value: Number
    n_reference: int
    trials: int
    points: list[ModificationPoint]
    signature: str = ""


class Reading(Model):
    """The meaning of a value, read off the grid or the table."""

    layer: str = ""
    measure: str
    value: Number
    sentences: list[Notice]
