"""Disagreements to discuss, and guideline passages to revise."""

from __future__ import annotations

from pydantic import Field

from ..value import Model, Number


class Disagreement(Model):
    """One place to discuss: the annotators' categories there, and the cost of the disagreement."""

    document: str
    layer: str
    where: str  # item name or "start–end"
    cost: Number
    said: dict[str, str]  # annotator → category ("" for nothing)
    context: str = ""
    marked: tuple[int, int] = (0, 0)  # the disputed part of `context`
    case: str = ""  # its name in the files of `accordeur adjudicate`
    categories: dict[str, str] = Field(default_factory=dict)  # for units: `said` without bounds
    batch: str = ""


class Repair(Model):
    """Two categories that annotators exchange: how often, and where; for guideline revision."""

    layer: str
    first: str
    second: str
    count: int
    out_of: int = 0  # pairs of labels in which either category occurs; 0 when not counted
    where: list[str] = Field(default_factory=list)  # "document, item" of some of them
