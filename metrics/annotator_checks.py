"""What names, categories and positions of annotators show about an export that was read wrongly.

Names that look the same; annotators whose categories or unit of time nobody shares; speakers
of one recording taken for annotators. A coefficient shows each as disagreement. These checks say
what to look at; they are not tests of significance.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .coded_warning import Finding

if TYPE_CHECKING:
    from .alignment.continuum import Continuum

FEWEST_GIVEN = 5  # categories given by an annotator, below which there is no finding
FEWEST_REPEATS = 1.25  # labels per category: measurements are seldom shared
FARTHER = 100.0  # times: no annotator leaves out so much of a recording
FEWEST_ANNOTATORS = 2  # with a unit, in a document
FEWEST_UNITS = 4  # in all documents


def look_alikes(names: Iterable[str]) -> list[tuple[str, ...]]:
    """Groups of two names or more that are read as one.

    They differ only in case, white space, the encoding of letters (an é may be one code point, or a
    letter and its accent) or the writing of a number (1 and 1.0). Sorted, each group too; a name of
    white space only is like no other.
    """
    groups: dict[str, set[str]] = {}
    for name in names:
        if read := _normalised_look(name):
            groups.setdefault(read, set()).add(name)
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1)


def _normalised_look(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    visible = "".join(c for c in folded if unicodedata.category(c) != "Cf")
    read = " ".join(visible.split())
    try:
        number = float(read)
    except ValueError:
        return read
    return repr(number + 0.0) if math.isfinite(number) else read


def annotators_with_own_categories(counts: NDArray[np.integer]) -> list[int]:
    """Annotators who gave `FEWEST_GIVEN` categories or more, none of which another annotator gave.

    counts  (A, K): how often annotator a gave category k. Nobody where most categories were given
            once only, as measurements are
    """
    used_by = (counts > 0).sum(axis=0)
    shared = (counts * (used_by > 1)).sum(axis=1)
    if counts.shape[0] < 2 or counts.sum() < FEWEST_REPEATS * np.count_nonzero(used_by):
        return []
    return np.flatnonzero((counts.sum(axis=1) >= FEWEST_GIVEN) & (shared == 0)).tolist()


def with_another_time_unit(last_ends: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Who reaches `FARTHER` times farther than the others, or stays as far behind; the ratio.

    last_ends  of each document: annotator → where the last of their units ends. The ratio is the
               median over documents of their end and the median of the others'; of two people who
               differ so, the one who reaches farther is reported
    """
    ratios: dict[str, list[float]] = {}
    for ends in last_ends:
        for who, end in ends.items():
            others = [other for name, other in ends.items() if name != who and other > 0]
            if others and end > 0:
                ratios.setdefault(who, []).append(end / float(np.median(others)))
    found = {who: float(np.median(each)) for who, each in ratios.items()}
    far = {who: ratio for who, ratio in found.items() if ratio >= FARTHER}
    behind = {who: ratio for who, ratio in found.items() if ratio <= 1 / FARTHER}
    return far or behind


def never_overlap(continua: Sequence[Continuum]) -> Finding | None:
    """That no unit of one annotator overlaps a unit of another, as in tiers of a transcription."""
    n_units, n_documents = units_without_overlap(continua)
    if not n_units:
        return None
    return Finding("never_overlap", {"n_units": n_units, "n_documents": n_documents})


def units_without_overlap(continua: Sequence[Continuum]) -> tuple[int, int]:
    """(units, documents) of those annotated by several, where no unit overlaps another annotator's.

    (0, 0) where one does, or where there are too few units to tell.
    """
    n_units = n_documents = 0
    for one in continua:
        counts = np.bincount(one.owners, minlength=max(one.n_annotators, 1))
        if (counts > 0).sum() < FEWEST_ANNOTATORS:
            continue
        if _has_overlap(one).any():
            return 0, 0
        n_units += one.n_units
        n_documents += 1
    return (n_units, n_documents) if n_units >= FEWEST_UNITS else (0, 0)


def _has_overlap(one: Continuum) -> NDArray[np.bool_]:
    """Which units overlap a unit of another annotator."""
    n_met = _n_overlapped(one.starts, one.ends, one.starts, one.ends)
    for annotator in np.unique(one.owners).tolist():
        own = one.owners == annotator
        starts, ends = one.starts[own], one.ends[own]
        n_met[own] -= _n_overlapped(starts, ends, starts, ends)
    return n_met > 0


def _n_overlapped(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    of_starts: NDArray[np.float64],
    of_ends: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Of each unit, how many of the others begin before its end and end after its start."""
    begun = np.searchsorted(np.sort(of_starts), ends, side="left")
    over = np.searchsorted(np.sort(of_ends), starts, side="right")
    return np.asarray(begun - over, dtype=np.int64)
