"""Numeric ratings: reliability, scale, forecast, limits of agreement and repeatability."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Value


class RatedItem(Model):
    """An item of the figure: the mean of the two ratings, and the first minus the second."""

    item: str
    mean: float
    difference: float


class RatingStudy(Model):
    """Results for a layer of ratings besides its coefficients.

    pairs  mean difference of each pair of annotators; the limits of agreement are in its detail
    """

    reliability: list[Value] = Field(default_factory=list)  # the six intraclass correlations
    scales: list[Value] = Field(default_factory=list)  # α at nominal, ordinal and interval level
    forecast: list[Value] = Field(default_factory=list)  # Eρ² and Φ for k annotators
    pairs: list[Value] = Field(default_factory=list)
    repeatability: Value | None = None  # None: no annotator rated an item twice
    widest: list[RatedItem] = Field(default_factory=list)  # of the pair with the widest limits
