"""Known shapes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    key: str
    query: str


SHAPES: tuple[Shape, ...] = ()
