"""Units on places that a reference leaves undecided: neither right nor wrong, and not scored."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats

Bounds = NDArray[np.int64]  # (U, 2): start, end


def are_on_open_places(units: Bounds, reference: Bounds, open_units: Bounds) -> Flags:
    """Return which units, bool (U,), lie on an open place rather than on a unit of the reference.

    units       of a system or an annotator, in one document
    reference   units of the reference
    open_units  the annotators' units on the places that the reference leaves undecided

    A unit lies where its overlap, divided by the length of both together (Jaccard), is largest; if
    it overlaps a unit of the reference equally, it is scored.

    >>> import numpy as np
    >>> units = np.array([[0, 5], [10, 15], [20, 25]])
    >>> are_on_open_places(units, np.array([[0, 5]]), np.array([[12, 18]])).tolist()
    [False, True, False]
    """
    return _largest_overlap(units, open_units) > _largest_overlap(units, reference)


def _largest_overlap(units: Bounds, others: Bounds) -> Floats:
    """Return the largest Jaccard overlap of each unit with one of the others, float64 (U,)."""
    starts, ends = units.T
    largest = np.zeros(len(units))
    for start, end in others.tolist():
        shared = np.minimum(ends, end) - np.maximum(starts, start)
        joint = np.maximum(ends, end) - np.minimum(starts, start)
        overlap = np.divide(shared, joint, where=joint > 0, out=np.zeros(len(units)))
        np.maximum(largest, overlap, out=largest)
    return largest
