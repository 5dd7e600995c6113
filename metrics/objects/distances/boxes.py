"""Distances between boxes, and between sets of boxes by optimal matching.

Text of a set of boxes: left, top, width and height of each box separated by blanks, then its
category if it has one, with `;` between boxes: `10 20 30 40 car; 50 60 10 10`. Without a box the
text is empty, `none` or ∅. The numbers may be pixels or shares of the picture, in the same unit for
all annotators.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...arrays import Floats, Ints
from ..object_distance import ObjectDistance, ObjectKind

_NO_BOXES = ("", "none", "∅")


@dataclass(frozen=True, eq=False, slots=True)
class BoxSet:
    """Boxes of one annotator: left, top, right and bottom (n, 4), and a category each ("" none)."""

    bounds: Floats
    categories: tuple[str, ...]


def read_boxes(text: str) -> BoxSet:
    """Read `10 20 30 40 car; 50 60 10 10`.

    Raises ValueError for a box without four finite numbers or without an area.
    """
    parts = [] if text.strip() in _NO_BOXES else text.split(";")
    boxes = [_read_box(part) for part in parts]
    bounds = np.array([box for box, _ in boxes], dtype=np.float64).reshape(-1, 4)
    bounds[:, 2:] += bounds[:, :2]
    return BoxSet(bounds, tuple(category for _, category in boxes))


def _read_box(text: str) -> tuple[tuple[float, ...], str]:
    cells = text.split(None, 4)
    try:
        numbers = tuple(map(float, cells[:4]))
    except ValueError:
        numbers = ()
    if len(numbers) < 4 or not np.isfinite(numbers).all() or min(numbers[2:]) <= 0:
        raise ValueError(
            f"{text.strip()[:60]!r} is not a box; expected left, top, width and height, and perhaps"
            " a category, such as 10 20 30 40 car"
        )
    return numbers, cells[4].strip() if len(cells) > 4 else ""


def box_distances(
    first: Sequence[BoxSet], second: Sequence[BoxSet], *, with_categories: bool
) -> Floats:
    """Return 1 − IoU of single boxes, and of sets the mean over the boxes of the larger set.

    Boxes are matched so that the sum of 1 − IoU is least; a box without a partner counts 1. Two
    empty sets have distance 0. with_categories: boxes of different categories do not overlap.
    """
    found = np.zeros(len(first))
    of_one = [k for k in range(len(first)) if len(first[k].bounds) == len(second[k].bounds) == 1]
    if of_one:
        bounds = np.array([[first[k].bounds[0], second[k].bounds[0]] for k in of_one])
        found[of_one] = 1 - _overlaps(bounds[:, 0], bounds[:, 1])
    for k, (one, two) in enumerate(zip(first, second, strict=True)):
        if not len(one.bounds) == len(two.bounds) == 1:
            found[k] = _distance_of_sets(one, two, with_categories)
        elif with_categories and one.categories != two.categories:
            found[k] = 1.0
    return found


def _distance_of_sets(one: BoxSet, two: BoxSet, with_categories: bool) -> float:
    larger = max(len(one.bounds), len(two.bounds))
    if not larger:
        return 0.0
    overlaps = _overlaps(one.bounds[:, None], two.bounds[None])
    if with_categories:
        names = np.array(one.categories, dtype=object), np.array(two.categories, dtype=object)
        overlaps = np.where(names[0][:, None] == names[1][None], overlaps, 0.0)
    return max(0.0, 1 - float(overlaps[_matched(overlaps)].sum()) / larger)


def match_boxes(one: Floats, two: Floats) -> list[tuple[int, int]]:
    """Match boxes that overlap, given by their bounds (n, 4), so that the sum of IoU is largest."""
    overlaps = _overlaps(one[:, None], two[None])
    first, second = _matched(overlaps)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return [(a, b) for a, b in pairs if overlaps[a, b] > 0]


def _matched(overlaps: Floats) -> tuple[Ints, Ints]:
    from scipy.optimize import linear_sum_assignment

    first, second = linear_sum_assignment(overlaps, maximize=True)
    return first, second


def _overlaps(one: Floats, two: Floats) -> Floats:
    """Return intersection over union of boxes, broadcast over all axes but the last."""
    sides = np.minimum(one[..., 2:], two[..., 2:]) - np.maximum(one[..., :2], two[..., :2])
    common = np.prod(np.maximum(sides, 0), axis=-1)
    areas = [np.prod(boxes[..., 2:] - boxes[..., :2], axis=-1) for boxes in (one, two)]
    overlaps: Floats = common / (areas[0] + areas[1] - common)
    return overlaps


_OF_SETS = "of sets OSPA of Schuhmacher, Vo & Vo 2008 with p = 1 and cut-off 1"
BOX_IOU = ObjectDistance(
    name="box_iou",
    read=read_boxes,
    distances=partial(box_distances, with_categories=False),
    compares_items=True,
    metric=True,
    is_text=False,
    largest=1.0,
    source=f"Jaccard 1912 on the areas of boxes; {_OF_SETS}",
    kind=ObjectKind.boxes,
)
LABELLED_BOX_IOU = replace(
    BOX_IOU,
    name="labelled_box_iou",
    distances=partial(box_distances, with_categories=True),
    source=f"Jaccard 1912 on the areas of boxes of the same category; {_OF_SETS}",
)
