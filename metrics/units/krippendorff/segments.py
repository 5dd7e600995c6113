"""Segments of a document as defined by Krippendorff: each annotator's line of units and gaps.

Every annotator's document is tiled by segments: units with a category, and gaps (φ) between them.
Only annotators whose units do not overlap have such a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...alignment.continuum import Continuum
from ...arrays import Floats, Ints32
from ...errors import UndefinedError
from ...reason import Reason, ReasonCode

GAP = -2


class Line(NamedTuple):
    """One annotator's segments, in order: bounds float64 (S + 1,), categories int32 (S,).

    Segment g is [bounds[g], bounds[g + 1]) with categories[g]: a category index, -1 for a unit
    without one, `GAP` for a gap. Two units that touch are still two segments.
    """

    bounds: Floats
    categories: Ints32

    @property
    def lengths(self) -> Floats:
        return np.diff(self.bounds)


def require_no_overlaps(
    continua: Sequence[Continuum], measure: str, *, by_category: bool = False
) -> None:
    """Raise MetricsError if units of one annotator (and category, by `by_category`) overlap."""
    overlapping: list[set[str]] = []
    for c in continua:
        line = c.owners.astype(np.int64)
        if by_category:
            line = line * (len(c.tagset) + 1) + c.categories
        order = np.lexsort((c.ends, c.starts, line))
        meet = (line[order][1:] == line[order][:-1]) & (c.starts[order][1:] < c.ends[order][:-1])
        if meet.any():
            overlapping.append({c.annotators[a] for a in c.owners[order][1:][meet]})
    if overlapping:
        raise UndefinedError(
            Reason(
                ReasonCode.UNITS_OF_CATEGORY_OVERLAP if by_category else ReasonCode.UNITS_OVERLAP,
                measure=measure,
                n=len(overlapping),
                all=len(continua),
                names=", ".join(sorted(set().union(*overlapping))),
            )
        )


def annotator_line(continuum: Continuum, annotator: int, *, category: int | None = None) -> Line:
    """Return the line of one annotator over [0, length), for the units of one category or all.

    The units must not overlap.
    """
    own = continuum.owners == annotator
    if category is not None:
        own &= continuum.categories == category
    units = np.flatnonzero(own)
    units = units[np.lexsort((continuum.ends[units], continuum.starts[units]))]
    starts, ends = continuum.starts[units], continuum.ends[units]
    length = max(continuum.length, float(ends.max()) if units.size else 0.0)
    # interleave: gap before unit 0, unit 0, gap before unit 1, …, gap after the last unit
    bounds = np.empty(2 * units.size + 2)
    bounds[0], bounds[-1] = 0.0, length
    bounds[1:-1:2], bounds[2:-1:2] = starts, ends
    categories = np.full(2 * units.size + 1, GAP, dtype=np.int32)
    categories[1::2] = continuum.categories[units]
    kept = np.diff(bounds) > 0
    return Line(np.concatenate([bounds[:-1][kept], bounds[-1:]]), categories[kept])
