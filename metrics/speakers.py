"""Annotators whose units never meet: speakers of one recording, taken for annotators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .coded_warning import Finding

if TYPE_CHECKING:
    from .alignment.continuum import Continuum

FEWEST_ANNOTATORS = 2  # with a unit, in a document
FEWEST_UNITS = 4  # in all documents


def never_overlap(continua: Sequence[Continuum]) -> Finding | None:
    """That no unit of one annotator overlaps a unit of another, as in tiers of a transcription."""
    n_units, n_documents = units_that_never_meet(continua)
    if not n_units:
        return None
    return Finding("never_overlap", {"n_units": n_units, "n_documents": n_documents})


def units_that_never_meet(continua: Sequence[Continuum]) -> tuple[int, int]:
    """(units, documents) of those annotated by several, where no unit overlaps another annotator's.

    (0, 0) where one does, or where there are too few units to tell.
    """
    n_units = n_documents = 0
    for one in continua:
        counts = np.bincount(one.owners, minlength=max(one.n_annotators, 1))
        if (counts > 0).sum() < FEWEST_ANNOTATORS:
            continue
        if _overlapping(one).any():
            return 0, 0
        n_units += one.n_units
        n_documents += 1
    return (n_units, n_documents) if n_units >= FEWEST_UNITS else (0, 0)


def _overlapping(one: Continuum) -> NDArray[np.bool_]:
    """Which units overlap a unit of another annotator."""
    n_met = _met(one.starts, one.ends, one.starts, one.ends)
    for annotator in np.unique(one.owners).tolist():
        own = one.owners == annotator
        starts, ends = one.starts[own], one.ends[own]
        n_met[own] -= _met(starts, ends, starts, ends)
    return n_met > 0


def _met(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    of_starts: NDArray[np.float64],
    of_ends: NDArray[np.float64],
) -> NDArray[np.int64]:
    """Of each unit, how many of the others begin before its end and end after its start."""
    begun = np.searchsorted(np.sort(of_starts), ends, side="left")
    over = np.searchsorted(np.sort(of_ends), starts, side="right")
    return np.asarray(begun - over, dtype=np.int64)
