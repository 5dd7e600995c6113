"""A document as Krippendorff cuts it: each annotator's line of units and gaps.

Every annotator's document is tiled by segments: units with a category, and gaps (φ) between them.
Only annotators whose units do not overlap have such a line.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.continuum import Continuum
from metrics.errors import MetricsError

GAP = -2


class Line(NamedTuple):
    """One annotator's segments, in order: bounds float64 (S + 1,), categories int32 (S,).

    Segment g is [bounds[g], bounds[g + 1]) with categories[g]: a category index, -1 for a unit
    without one, `GAP` for a gap. Two units that touch stay two segments.
    """

    bounds: NDArray[np.float64]
    categories: NDArray[np.int32]

    @property
    def lengths(self) -> NDArray[np.float64]:
        return np.diff(self.bounds)


def line_of(
    continuum: Continuum, annotator: int, *, category: int | None = None, measure: str
) -> Line:
    """The line of one annotator over [0, length), of one category's units or of all.

    Raises MetricsError where two of these units overlap.
    """
    own = continuum.owners == annotator
    if category is not None:
        own &= continuum.categories == category
    units = np.flatnonzero(own)
    units = units[np.lexsort((continuum.ends[units], continuum.starts[units]))]
    starts, ends = continuum.starts[units], continuum.ends[units]
    overlapping = np.flatnonzero(starts[1:] < ends[:-1])
    if overlapping.size:
        g = int(overlapping[0])
        kind = "" if category is None else f" of category {continuum.tagset[category]!r}"
        raise MetricsError(
            f"{measure} is not defined where units of one annotator overlap: units [{starts[g]:g}, "
            f"{ends[g]:g}) and [{starts[g + 1]:g}, {ends[g + 1]:g}){kind} by annotator "
            f"{continuum.annotators[annotator]!r}; use γ, or compute each layer apart"
        )
    length = max(continuum.length, float(ends.max()) if units.size else 0.0)
    # interleave: gap before unit 0, unit 0, gap before unit 1, …, gap after the last unit
    bounds = np.empty(2 * units.size + 2)
    bounds[0], bounds[-1] = 0.0, length
    bounds[1:-1:2], bounds[2:-1:2] = starts, ends
    categories = np.full(2 * units.size + 1, GAP, dtype=np.int32)
    categories[1::2] = continuum.categories[units]
    kept = np.diff(bounds) > 0
    return Line(np.concatenate([bounds[:-1][kept], bounds[-1:]]), categories[kept])
