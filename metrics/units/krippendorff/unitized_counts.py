"""Lengths by pairs of categories, added over documents: the input of the uα family.

The terms ℓ, s and the squared shares of cuα are defined in `u_alpha`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...alignment.continuum import UNLABELLED, Continuum
from ...arrays import Floats
from ...errors import MetricsError
from .segments import GAP, annotator_line, require_no_overlaps


@dataclass(frozen=True, slots=True, eq=False)
class UnitizedCounts:
    """Additive counts of D documents; K' = K + 2: the tagset, units without a category, gaps.

    coincidences  float64 (K', K'): ℓ_ck of all documents together
    margins       float64 (D, K'): ℓ_c of each document
    same          float64 (D, K'): ℓ_cc
    with_units    float64 (D, K'): ℓ_c without φ, 0 for φ itself
    self_terms    float64 (D, K'): s_c
    covered       float64 (D, K'): s_c of the parts of units that meet others' units, see `u_alpha`
    """

    coincidences: Floats
    margins: Floats
    same: Floats
    with_units: Floats
    self_terms: Floats
    covered: Floats

    def __add__(self, other: UnitizedCounts) -> UnitizedCounts:
        return UnitizedCounts(
            self.coincidences + other.coincidences,
            np.concatenate([self.margins, other.margins]),
            np.concatenate([self.same, other.same]),
            np.concatenate([self.with_units, other.with_units]),
            np.concatenate([self.self_terms, other.self_terms]),
            np.concatenate([self.covered, other.covered]),
        )


def unitized_counts(continua: Sequence[Continuum]) -> UnitizedCounts:
    """Count every document; a document with fewer than two annotators adds nothing.

    Raises MetricsError if units of one annotator overlap.
    """
    if not continua:
        raise MetricsError("no document was given")
    require_no_overlaps([c for c in continua if c.n_annotators >= 2], "uα")
    size = len(continua[0].tagset) + 2
    total = np.zeros((size, size))
    margins, same, with_units, self_terms, covered = np.zeros((5, len(continua), size))
    for d, continuum in enumerate(continua):
        if continuum.n_annotators >= 2:
            coincidences, self_terms[d], covered[d] = _document_counts(continuum, size)
            total += coincidences
            margins[d], same[d] = coincidences.sum(axis=1), np.diag(coincidences)
            with_units[d, :-1] = coincidences[:-1, :-1].sum(axis=1)
    return UnitizedCounts(total, margins, same, with_units, self_terms, covered)


def _document_counts(continuum: Continuum, size: int) -> tuple[Floats, Floats, Floats]:
    m, gap = continuum.n_annotators, size - 1
    lines = [annotator_line(continuum, a) for a in range(m)]
    bounds = np.unique(np.concatenate([line.bounds for line in lines]))
    pieces = np.diff(bounds)
    # segment of each annotator that contains each elementary piece of the document
    inside = [np.searchsorted(line.bounds, bounds[:-1], side="right") - 1 for line in lines]
    renamed = {GAP: gap, UNLABELLED: size - 2}
    codes = [
        np.array([renamed.get(c, c) for c in line.categories.tolist()], dtype=np.int64)
        for line in lines
    ]
    given = np.zeros((pieces.size, size))
    for segment, code in zip(inside, codes, strict=True):
        given[np.arange(pieces.size), code[segment]] += 1
    coincidences = (given * pieces[:, None]).T @ given
    coincidences[np.diag_indices(size)] -= (given * pieces[:, None]).sum(axis=0)
    marked = given[:, :gap].sum(axis=1)
    self_terms, covered = np.zeros(size), np.zeros(size)
    for line, segment, code in zip(lines, inside, codes, strict=True):
        is_unit = code != gap
        terms = np.where(is_unit, line.lengths**2, line.lengths)
        self_terms += np.bincount(code, weights=terms, minlength=size)
        others = (marked - is_unit[segment]) / (m - 1)  # share of the others with a unit here
        shared = np.bincount(segment, weights=pieces * others, minlength=code.size)
        covered += np.bincount(code[is_unit], weights=shared[is_unit] ** 2, minlength=size)
    return coincidences / (m - 1), self_terms, covered
