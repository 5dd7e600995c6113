"""Resampling units: documents, or items where there are none.

The unit that is drawn again is the document, because labels of one document are not independent
(cluster bootstrap, Davison & Hinkley 1997, section 3.8); the item where there are no documents.
A resample is a vector of weights, so all replicates of all coefficients are one matrix product:
weights (B, G) times the sums of the G groups; items with the same row of labels are one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..bootstrap import resamples
from ..errors import MetricsError
from ..measures import specification
from .counts import AgreementCounts, count
from .distances import Distance
from .formulas.coefficient import Coefficient
from .label_matrix import LabelMatrix
from .registry import disagreements
from .sparse_sums import DENSE_UP_TO, SparseSums, sparse_sums_of_rows
from .sums import Sums, distinct_rows, sums_of, sums_of_rows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Over = Literal["documents", "items", "auto"]

BATCH = 256  # replicates computed together: keeps the weights in a few megabytes
_MOST_SUMS = 10_000_000  # of the resamples computed together: 80 MB, and a few such arrays


@dataclass(frozen=True, slots=True)
class Groups:
    """G kinds of resampling unit: their sums (B = G) and how many units of each kind there are."""

    sums: Sums | SparseSums
    multiplicity: Ints
    tagset: tuple[str, ...]
    over: str

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())


def groups_of(
    matrix: LabelMatrix,
    *,
    over: Over = "auto",
    confusions: bool = False,
    distinct: bool = True,
) -> Groups:
    """The resampling units of a matrix: its documents when it has two or more, else its items.

    Items with the same row of labels are one kind of unit, unless `distinct` is false.
    """
    matrix.require_humans("Agreement")
    if over == "auto":
        over = "items" if matrix.drawn_documents is None else "documents"
    if over == "documents":
        return groups_of_counts(count(matrix, by="documents", confusions=confusions))
    if not distinct:
        sums = _sums_of_rows(matrix.codes, len(matrix.tagset), confusions=confusions)
        return Groups(sums, np.ones(matrix.n_items, dtype=np.int64), matrix.tagset, "items")
    rows, row_of = distinct_rows(matrix)
    sums = _sums_of_rows(rows, len(matrix.tagset), confusions=confusions)
    return Groups(sums, np.bincount(row_of, minlength=rows.shape[0]), matrix.tagset, "items")


def _sums_of_rows(
    codes: NDArray[np.int32], n_categories: int, *, confusions: bool
) -> Sums | SparseSums:
    if codes.size * n_categories > DENSE_UP_TO and not confusions:
        return sparse_sums_of_rows(codes, n_categories)
    return sums_of_rows(codes, n_categories, confusions=confusions)


def groups_of_counts(counts: AgreementCounts) -> Groups:
    """The documents of added counts as resampling units."""
    ones = np.ones(counts.n_documents, dtype=np.int64)
    return Groups(sums_of(counts), ones, counts.tagset, "documents")


def coefficient_values(
    specs: Sequence[Coefficient],
    sums: Sums,
    distance: Distance,
    tagset: Sequence[str],
) -> Floats:
    """Values of M coefficients for B batch elements, (B, M); nan where undefined."""
    out = np.full((sums.n_paired.shape[0], len(specs)), np.nan)
    for j, spec in enumerate(specs):
        observed, expected, _ = disagreements(spec, sums, distance, tagset)
        # Sums of fractions may leave 1e-17 where one category is used: nothing is expected there.
        defined = expected > 1e-12
        out[defined, j] = 1 - observed[defined] / expected[defined]
    return out


def point_values(
    groups: Groups,
    specs: Sequence[Coefficient],
    distance: Distance,
) -> Floats:
    """Values (M,) of the coefficients on all units together; nan where undefined."""
    whole = groups.sums.resampled(groups.multiplicity[None, :].astype(np.float64))
    return coefficient_values(specs, whole, distance, groups.tagset)[0]


def values_without_each(groups: Groups, measure: str, distance: Distance) -> Floats:
    """The coefficient on all units but one, (G,), for one unit of each kind; nan where undefined.

    Needs dense sums, which documents have.
    """
    flat = groups.sums.flat()
    whole = groups.multiplicity.astype(np.float64) @ flat
    specs = [specification(measure)]
    rest = groups.sums.like(whole[None, :] - flat)
    return coefficient_values(specs, rest, distance, groups.tagset)[:, 0]


def resamples_per_batch(groups: Groups) -> int:
    """How many resamples are computed together."""
    return int(np.clip(_MOST_SUMS // max(1, groups.sums.width), 1, BATCH))


def resampling_weights(
    groups: Groups, n_replicates: int, seed: int
) -> Iterator[NDArray[np.float64]]:
    """Weights (≤ BATCH, G) of the replicates, in order: how often each kind of unit is drawn.

    The same whatever the size of a batch, which is smaller where a resample has many sums.
    """
    rng = np.random.default_rng(seed)
    yield from resamples(
        groups.multiplicity, n_replicates, rng, at_once=resamples_per_batch(groups)
    )


def replicates(
    groups: Groups,
    *,
    measures: Sequence[str],
    n_replicates: int = 1000,
    seed: int,
    distance: Distance = "nominal",
) -> Floats:
    """Bootstrap replicates of M coefficients, (n_replicates, M), all from the same resamples."""
    specs = [specification(measure) for measure in measures]
    flat = groups.sums.flat()
    parts = [
        coefficient_values(specs, groups.sums.like(weights @ flat), distance, groups.tagset)
        for weights in resampling_weights(groups, n_replicates, seed)
    ]
    return np.concatenate(parts) if parts else np.empty((0, len(specs)))


def applicable_coefficient(measure: str, matrix: LabelMatrix) -> Coefficient:
    """The spec of a measure that can be computed on this matrix, else MetricsError."""
    spec = specification(measure)
    matrix.require_humans(spec.name)
    if spec.generalisation and matrix.n_annotators != 2:
        raise MetricsError(
            f"{spec.name} compares two annotators, but there are {matrix.n_annotators}: use "
            f"{spec.generalisation}"
        )
    return spec
