"""Annotators whose work is not of the others' kind: other categories, or another unit of time.

A coefficient shows both as disagreement. They say what to look at; they are no test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

FEWEST_GIVEN = 5  # categories given by somebody before they say anything
FEWEST_REPEATS = 1.25  # labels a category: measurements are shared by nobody, by their nature
FARTHER = 100.0  # times: nobody leaves out so much of a recording


def of_other_categories(counts: NDArray[np.integer]) -> list[int]:
    """Annotators who gave `FEWEST_GIVEN` categories or more, none of which anybody else ever gave.

    counts  (A, K): how often annotator a gave category k. Nobody where most categories were given
            once only, as measurements are
    """
    used_by = (counts > 0).sum(axis=0)
    shared = (counts * (used_by > 1)).sum(axis=1)
    if counts.shape[0] < 2 or counts.sum() < FEWEST_REPEATS * np.count_nonzero(used_by):
        return []
    return np.flatnonzero((counts.sum(axis=1) >= FEWEST_GIVEN) & (shared == 0)).tolist()


def of_another_unit(last_ends: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Who reaches `FARTHER` times farther than the others, or stays as far behind; the ratio.

    last_ends  of each document: annotator → where the last of their units ends. The ratio is the
               median over documents of their end and the median of the others'; of two people who
               differ so, the one who reaches farther is told
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
