"""Annotations at each place of a best alignment, as labels for `mistakes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..alignment.continuum import UNLABELLED_NAME, Continuum
from ..arrays import Flags, Floats, Ints32
from .label_list import LabelList

if TYPE_CHECKING:
    from ..alignment.best_alignment import Alignment

NOTHING = ""  # no unit at the place
OTHER_BOUNDS = "(other bounds)"  # a unit that overlaps the median bounds by less than half
_SHARE = 0.5
_MIN_UNITS = 3  # units at a place; of two units, both are equally far from the median


def place_labels(
    documents: Sequence[tuple[Continuum, Alignment]], annotators: Sequence[str]
) -> LabelList:
    """Return one item for each unitary alignment, in the order of documents and rows.

    The label of an annotator of the document is the category of their unit, OTHER_BOUNDS if the
    overlap of its bounds with the median bounds of the place is less than half (common length over
    total length), or NOTHING. The tagset is the tagset of the first document, followed by three
    more: no category, NOTHING and OTHER_BOUNDS.
    """
    tagset = documents[0][0].tagset if documents else ()
    width, column = len(tagset), {name: a for a, name in enumerate(annotators)}
    items, owners, codes = [], [], []
    n_items = 0
    for continuum, alignment in documents:
        units = alignment.units
        present = units >= 0
        labels = np.where(present, continuum.categories[units], width + 1)
        labels[present & (labels < 0)] = width
        labels[_is_elsewhere(continuum, units)] = width + 2
        m, n = units.shape
        items.append(np.repeat(np.arange(n_items, n_items + m), n))
        owners.append(np.tile([column[name] for name in continuum.annotators], m))
        codes.append(labels.ravel())
        n_items += m
    empty = np.empty(0, dtype=np.int64)
    return LabelList(
        np.concatenate([empty, *items]),
        np.concatenate([empty, *owners]),
        np.concatenate([empty, *codes]),
        n_items,
        tuple(annotators),
        (*tagset, UNLABELLED_NAME, NOTHING, OTHER_BOUNDS),
    )


def exclusive_labels(width: int) -> tuple[int, int]:
    """Codes of NOTHING and OTHER_BOUNDS, which are never right together with another label."""
    return width + 1, width + 2


def place_distances(distances: Floats | None, width: int) -> Floats:
    """Distances for the tagset of `place_labels`: K + 3 categories, the last three far from all."""
    found = 1.0 - np.eye(width + 3)
    if distances is not None:
        found[:width, :width] = distances
    return found


def _is_elsewhere(continuum: Continuum, units: Ints32) -> Flags:
    """Whether units overlap the median bounds of their place by less than half, bool (m, n)."""
    present = units >= 0
    starts, ends = continuum.starts[units], continuum.ends[units]  # an absent unit takes the last
    start, end = _medians(starts, present), _medians(ends, present)
    common = np.minimum(end, ends) - np.maximum(start, starts)
    both = np.maximum(end, ends) - np.minimum(start, starts)
    enough = present.sum(axis=1, keepdims=True) >= _MIN_UNITS
    found: Flags = present & enough & (common < _SHARE * both)
    return found


def _medians(values: Floats, present: Flags) -> Floats:
    """Median of the present values of each row, float64 (m, 1); inf or nan without any."""
    ordered = np.sort(np.where(present, values, np.inf), axis=1)
    n = present.sum(axis=1, keepdims=True)
    middle = [np.take_along_axis(ordered, k, axis=1) for k in (np.maximum(n - 1, 0) // 2, n // 2)]
    return np.asarray((middle[0] + middle[1]) / 2)
