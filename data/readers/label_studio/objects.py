"""Objects in the results of an annotation: the rectangles, or the free text, of each control.

They are read with the option `objects=read`. The texts of the boxes are those that the distances
`box_iou` and `labelled_box_iou` read: `x y width height category; …`, in percent of the picture.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ...label_sets import set_name
from ..common.records.unit_maker import name, strings
from ..common.spans import Problem

_OF_BOXES = ("rectangle", "rectanglelabels", "labels")
_SIDES = ("x", "y", "width", "height")


def objects_of(results: list[Any]) -> tuple[dict[str, str], list[Problem], list[Any]]:
    """Return the objects by control, the rectangles that are none, and the other results.

    Rule of the problems: `not_a_box`, for rotated rectangles and those without an area. A free text
    about a region is not an object, because no other annotator has this region.
    """
    ids = Counter(name(one.get("id")) for one in results if isinstance(one, dict))
    boxes: dict[str, list[str]] = {}
    texts: dict[str, list[str]] = {}
    problems: list[Problem] = []
    others: list[Any] = []
    for result in results:
        value = result.get("value") if isinstance(result, dict) else None
        kind = name(result.get("type")) if isinstance(value, dict) else ""
        if kind in _OF_BOXES and isinstance(value, dict) and all(key in value for key in _SIDES):
            box = _box(value, kind)
            if isinstance(box, Problem):
                problems.append(box)
            else:
                boxes.setdefault(name(result.get("from_name")), []).append(box)
        elif kind == "textarea" and isinstance(value, dict) and ids[name(result.get("id"))] < 2:
            given = strings(value.get("text")) or [name(value.get("text"))]
            texts.setdefault(name(result.get("from_name")), []).extend(given)
        else:
            others.append(result)
    found = {control: "; ".join(each) for control, each in boxes.items()}
    return found | {control: "\n".join(each) for control, each in texts.items()}, problems, others


def _box(value: dict[str, Any], kind: str) -> str | Problem:
    sides = [value[key] for key in _SIDES]
    stated = " ".join(map(str, sides))[:80]
    are_numbers = all(type(side) in (int, float) and abs(side) < 1e9 for side in sides)
    if not are_numbers or 0 in sides[2:]:
        return Problem("not_a_box", stated, "a rectangle without an area")
    if value.get("rotation"):
        return Problem("not_a_box", stated, "a rotated rectangle, whose sides are not upright")
    if min(sides[2:]) < 0:  # drawn from right to left, or upwards
        corner = [at + min(length, 0) for at, length in zip(sides[:2], sides[2:], strict=True)]
        stated = " ".join(f"{side:.12g}" for side in (*corner, *map(abs, sides[2:])))
    labels = strings(value.get(kind))
    return f"{stated} {set_name(labels).replace(';', ',') if labels else ''}".strip()
