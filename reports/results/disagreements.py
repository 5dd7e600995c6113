"""What to discuss, and what to repair in the guideline."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Number


class Disagreement(Model):
    """One place to discuss: who said what, how much it costs."""

    document: str
    layer: str
    where: str  # item name or "start–end"
    cost: Number
    said: dict[str, str]  # annotator → category ("" for nothing)
    context: str = ""
    marked: tuple[int, int] = (0, 0)  # the part of `context` that is disputed
    case: str = ""  # its name in the files of `accordeur adjudicate`
    categories: dict[str, str] = Field(default_factory=dict)  # of units: `said` without bounds
    batch: str = ""


class Repair(Model):
    """Two categories that annotators exchange, for the guideline: how often, and where."""

    layer: str
    first: str
    second: str
    count: int
    out_of: int = 0  # pairs of labels in which either category stands; 0 when not counted
    where: list[str] = Field(default_factory=list)  # "document, item" of some of them
