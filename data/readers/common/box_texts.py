"""The text of a box: left, top, width, height and its category, as distances of boxes read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .span_rules import Problem

_LARGEST = 1e9


def box_text(sides: Sequence[Any], category: str, *, rotated: bool = False) -> str | Problem:
    """Return `left top width height category`, or why it is no upright box (rule `not_a_box`).

    sides  left, top, width and height, as in the export
    """
    stated = " ".join(map(str, sides))[:80]
    are_numbers = all(type(side) in (int, float) and abs(side) < _LARGEST for side in sides)
    if not are_numbers or len(sides) != 4:
        return Problem("not_a_box", stated, "a box has left, top, width and height")
    if min(sides[2:]) <= 0:
        return Problem("not_a_box", stated, "a rectangle without an area")
    if rotated:
        return Problem("not_a_box", stated, "a rotated rectangle, whose sides are not upright")
    return f"{' '.join(f'{side:.15g}' for side in sides)} {category.replace(';', ',')}".strip()
