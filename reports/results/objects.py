"""Agreement on objects besides its measures: distances of annotators, the worst items."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Value


class WorstObjects(Model):
    """An item whose objects differ most; `said`: the text of each annotator's object."""

    document: str
    item: str
    mean_distance: float
    said: dict[str, str] = Field(default_factory=dict)  # empty with privacy, if objects are text


class ObjectStudy(Model):
    distance: str
    annotators: list[Value] = Field(default_factory=list)  # mean distance of each to the others
    worst: list[WorstObjects] = Field(default_factory=list)
