"""What annotators have at each place of a best alignment, as labels: for `mistakes`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..alignment.continuum import UNLABELLED_NAME, Continuum
from .label_list import LabelList

if TYPE_CHECKING:
    from ..alignment.best_alignment import Alignment

NOTHING = ""  # no unit at the place
OTHER_BOUNDS = "(other bounds)"  # a unit that shares less than half with the median bounds
_SHARE = 0.5
_MIN_UNITS = 3  # at a place: of two, neither is nearer to the median


def place_labels(
    documents: Sequence[tuple[Continuum, Alignment]], annotators: Sequence[str]
) -> LabelList:
    """One item for each unitary alignment, in the order of documents and rows.

    An annotator of the document has there the category of their unit, or OTHER_BOUNDS where its
    bounds share less than half (length in common over length of both) with the median bounds of
    the place, or NOTHING. The tagset is that of the first document with these three behind it
    (units without a category included).
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
    """Codes of NOTHING and OTHER_BOUNDS: a unit and none, or two places, are not both right."""
    return width + 1, width + 2


def place_distances(distances: NDArray[np.float64] | None, width: int) -> NDArray[np.float64]:
    """Distances of the tagset of `place_labels`: K + 3 categories, the last three far from all."""
    found = 1.0 - np.eye(width + 3)
    if distances is not None:
        found[:width, :width] = distances
    return found


def _is_elsewhere(continuum: Continuum, units: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Units that share less than half with the median bounds of their place, bool (m, n)."""
    found = np.zeros(units.shape, dtype=np.bool_)
    for row, members in enumerate(units):
        places = np.nonzero(members >= 0)[0]
        if len(places) < _MIN_UNITS:
            continue
        starts, ends = continuum.starts[members[places]], continuum.ends[members[places]]
        start, end = np.median(starts), np.median(ends)
        common = np.minimum(end, ends) - np.maximum(start, starts)
        both = np.maximum(end, ends) - np.minimum(start, starts)
        found[row, places] = common < _SHARE * both
    return found
