"""Objects in the results of an annotation: the rectangles, or the free text, of each control.

They are read with the option `objects=read`. The texts of the boxes are those that the distances
`box_iou` and `labelled_box_iou` read: `x y width height category; …`, in percent of the picture.

The results with the same id are one region: a rectangle of one control may have its labels, and
choices about it, from others.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from ....label_sets import set_name
from ...common.box_texts import box_text
from ...common.files.json_stream import JsonObject
from ...common.records.unit_maker import json_name, json_strings
from ...common.span_rules import Problem

_SHAPES = ("rectangle", "rectanglelabels", "labels")  # the first one names the layer
_CATEGORIES = ("rectanglelabels", "labels", "choices")  # the first one gives the category
_SIDES = ("x", "y", "width", "height")
_PLACES = ("x", "points", "rle")


def is_in_picture(value: JsonObject) -> bool:
    """Return whether the value of a result is about a region of a picture."""
    return any(key in value for key in _PLACES)


def objects_by_control(results: list[Any]) -> tuple[dict[str, str], list[Problem], list[Any]]:
    """Return the objects by control, the regions that are no boxes, and the other results.

    The category of a box is that of its labels, else of a choice about it. Rule of the problems:
    `not_a_box`, for other regions, rotated rectangles, and those without an area. A free text
    about a region is not an object, because no other annotator has this region.
    """
    ids = Counter(json_name(one.get("id")) for one in results if isinstance(one, dict))
    regions: dict[str, dict[str, JsonObject]] = {}  # id → the first result of each type
    texts: dict[str, list[str]] = {}
    others: list[Any] = []
    for index, result in enumerate(results):
        value = result.get("value") if isinstance(result, dict) else None
        kind = json_name(result.get("type")) if isinstance(value, dict) else ""
        if not isinstance(value, dict):
            others.append(result)
        elif kind == "textarea" and ids[json_name(result.get("id"))] < 2:
            given = json_strings(value.get("text")) or [json_name(value.get("text"))]
            texts.setdefault(json_name(result.get("from_name")), []).extend(given)
        elif kind != "textarea" and is_in_picture(value):
            region = json_name(result.get("id")) or f"result-{index}"
            regions.setdefault(region, {}).setdefault(kind, result)
        else:
            others.append(result)
    boxes: dict[str, list[str]] = {}
    problems: list[Problem] = []
    for parts in regions.values():
        box = _box(parts)
        if isinstance(box, Problem):
            problems.append(box)
        else:
            control = next(parts[kind] for kind in _SHAPES if kind in parts)
            boxes.setdefault(json_name(control.get("from_name")), []).append(box)
    found = {control: "; ".join(each) for control, each in boxes.items()}
    return found | {control: "\n".join(each) for control, each in texts.items()}, problems, others


def _box(parts: dict[str, JsonObject]) -> str | Problem:
    shapes = (parts[kind]["value"] for kind in _SHAPES if kind in parts)
    shape = next((one for one in shapes if all(key in one for key in _SIDES)), None)
    if shape is None:
        kind = next(iter(parts))
        return Problem("not_a_box", kind, f"a region of type {kind} is no rectangle")
    given = (json_strings(parts[kind]["value"].get(kind)) for kind in _CATEGORIES if kind in parts)
    labels = next(filter(None, given), [])
    sides = [shape[key] for key in _SIDES]
    if all(type(side) in (int, float) for side in sides):  # negative if drawn leftwards, upwards
        corner = [at + min(length, 0) for at, length in zip(sides[:2], sides[2:], strict=True)]
        sides = [*corner, *map(abs, sides[2:])]
    return box_text(sides, set_name(labels) if labels else "", rotated=bool(shape.get("rotation")))
