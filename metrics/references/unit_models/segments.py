"""Units of one category in one document as segments between bounds: what a consensus is made of.

Between two successive bounds nothing changes: each annotator has a unit of the category there, a
unit of another category, or none. The segments of a document and category form a chain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...alignment.continuum import Continuum

NONE, SAME, OTHER = 0, 1, 2  # marks: no unit, a unit of the chain's category, one of another


@dataclass(frozen=True, slots=True)
class SegmentChain:
    """S segments of one document and category, seen by n annotators.

    bounds      float64 (S + 1,): segment s is `[bounds[s], bounds[s + 1])`
    marks       int8 (n, S): NONE, SAME or OTHER
    units       int32 (n, S): the annotator's unit there of the chain's category, -1 without one
    lengths     float64 (n, S): length of that unit, 0 without one
    annotators  int64 (n,): which of the campaign's annotators these are
    """

    document: int
    category: int
    bounds: NDArray[np.float64]
    marks: NDArray[np.int8]
    units: NDArray[np.int32]
    lengths: NDArray[np.float64]
    annotators: NDArray[np.int64]

    @property
    def widths(self) -> NDArray[np.float64]:
        return np.diff(self.bounds)

    def covered_shares(
        self, starts: NDArray[np.float64], ends: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Share of each segment that lies in one of the units, float64 (S,)."""
        if not starts.size:
            return np.zeros(self.bounds.size - 1)
        edges = np.unique(np.concatenate([starts, ends]))
        steps = np.zeros(edges.size)
        np.add.at(steps, np.searchsorted(edges, starts), 1)
        np.add.at(steps, np.searchsorted(edges, ends), -1)
        filled = np.concatenate([[0.0], np.cumsum(np.diff(edges) * (np.cumsum(steps)[:-1] > 0))])
        shares: NDArray[np.float64] = np.diff(np.interp(self.bounds, edges, filled)) / self.widths
        return shares


def units_by_category(
    continuum: Continuum, annotator: int
) -> dict[int, tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Starts and ends of one annotator's units of each category."""
    mine = continuum.owners == annotator
    return {
        int(category): (continuum.starts[chosen], continuum.ends[chosen])
        for category in np.unique(continuum.categories[mine])
        for chosen in [mine & (continuum.categories == category)]
    }


def segment_chains(
    document: int,
    continuum: Continuum,
    number_of: Mapping[str, int],
    *,
    without: Collection[int] = (),
) -> list[SegmentChain]:
    """The chains of a document, a chain for each category that one of its annotators used.

    number_of  the campaign's number of each annotator
    without    annotators (indices in the continuum) who are not looked at
    """
    seen = ~np.isin(continuum.owners, list(without))
    present = [a for a in range(continuum.n_annotators) if a not in without]
    who = np.array([number_of[continuum.annotators[a]] for a in present], dtype=np.int64)
    return [
        _chain_of_category(document, continuum, int(category), seen, present, who)
        for category in np.unique(continuum.categories[seen])
    ]


def _chain_of_category(
    document: int,
    continuum: Continuum,
    category: int,
    seen: NDArray[np.bool_],
    present: Sequence[int],
    who: NDArray[np.int64],
) -> SegmentChain:
    mine = seen & (continuum.categories == category)
    bounds = np.unique(np.concatenate([continuum.starts[mine], continuum.ends[mine]]))
    first = np.searchsorted(bounds, continuum.starts)
    last = np.searchsorted(bounds, continuum.ends)
    shape = (len(present), bounds.size - 1)
    marks = np.zeros(shape, dtype=np.int8)
    units = np.full(shape, -1, dtype=np.int32)
    lengths = np.zeros(shape)
    row_of = {a: row for row, a in enumerate(present)}
    middles = (bounds[1:] + bounds[:-1]) / 2
    for u in np.nonzero(seen & ~mine)[0].tolist():
        inside = (middles >= continuum.starts[u]) & (middles < continuum.ends[u])
        marks[row_of[int(continuum.owners[u])], inside] = OTHER
    for u in np.nonzero(mine)[0].tolist():
        row, span = row_of[int(continuum.owners[u])], slice(int(first[u]), int(last[u]))
        marks[row, span] = SAME
        units[row, span] = u
        lengths[row, span] = continuum.ends[u] - continuum.starts[u]
    return SegmentChain(document, category, bounds, marks, units, lengths, who)
