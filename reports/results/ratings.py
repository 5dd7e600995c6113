"""Numeric ratings: reliability, scale, forecast, limits of agreement and repeatability."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Value


class RatedItem(Model):
    """An item of the figure: the mean of the two ratings, and first less second."""

    item: str
    mean: float
    difference: float


class RatingStudy(Model):
    """What is known of a layer of ratings beside its coefficients.

    pairs  mean difference of each two annotators; the limits of agreement are in its detail
    """

    reliability: list[Value] = Field(default_factory=list)  # the six intraclass correlations
    scales: list[Value] = Field(default_factory=list)  # α as nominal, ordinal and interval
    forecast: list[Value] = Field(default_factory=list)  # Eρ² and Φ of k annotators
    pairs: list[Value] = Field(default_factory=list)
    repeatability: Value | None = None  # None: no annotator rated an item twice
    widest: list[RatedItem] = Field(default_factory=list)  # of the pair with the widest limits
