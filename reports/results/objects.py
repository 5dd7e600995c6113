"""Agreement on objects besides its measures: distances of annotators, the worst items."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Value


class Arc(Model):
    """The head of a token, from 1 (0 for a root), and its relation to it."""

    head: int
    relation: str


class AlignedWord(Model):
    """A word in its column, "" for none, and how it differs from the central text."""

    text: str
    change: str = ""  # replaced | inserted | missing


class NumberedBox(Model):
    """A box; matched boxes of the annotators have the same number."""

    number: int
    left: float
    top: float
    right: float
    bottom: float
    category: str = ""


class DrawnObject(Model):
    """An object to be drawn, with the field of its kind; `ranking`: tied candidates together."""

    annotator: str
    arcs: list[Arc] = Field(default_factory=list)
    words: list[AlignedWord] = Field(default_factory=list)
    ranking: list[list[str]] = Field(default_factory=list)
    boxes: list[NumberedBox] = Field(default_factory=list)


class WorstObjects(Model):
    """An item whose objects differ most; `said`: the text of each annotator's object."""

    document: str
    item: str
    mean_distance: float
    said: dict[str, str] = Field(default_factory=dict)  # empty with privacy, if objects are text
    # the central object first, then the others; empty with privacy, and for kinds not drawn
    drawn: list[DrawnObject] = Field(default_factory=list)


class ObjectStudy(Model):
    distance: str
    kind: str = "other"  # tree | text | ranking | boxes | other
    annotators: list[Value] = Field(default_factory=list)  # mean distance of each to the others
    worst: list[WorstObjects] = Field(default_factory=list)
