"""Resampling units: documents, or items if there are no documents.

The resampling unit is the document, because labels of one document are not independent (cluster
bootstrap, Davison & Hinkley 1997, section 3.8); without documents it is the item. A resample is a
vector of weights, so all replicates of all coefficients are one matrix product: weights (B, G)
times the sums of the G groups. Items with the same row of labels form one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..bootstrap import resamples
from ..errors import MetricsError
from ..measures import specification
from .counts import AgreementCounts, count
from .distances import Distance
from .formulas.coefficient import Coefficient
from .label_matrix import LabelMatrix
from .registry import disagreements
from .sparse_sums import DENSE_UP_TO, SparseSums, dense_rows, sparse_sums_of_rows
from .weighted_sums import Sums, distinct_rows, sums_of, sums_of_rows

Over = Literal["documents", "items", "auto"]

BATCH = 256  # replicates computed together, so that the weights fit in a few megabytes
_MOST_SUMS = 10_000_000  # sums of the resamples computed together: 80 MB, and a few such arrays


@dataclass(frozen=True, slots=True)
class Groups:
    """G kinds of resampling unit: their sums (B = G) and the number of units of each kind."""

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
    """Return the resampling units of a matrix: documents if it has two or more, else items.

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


def _sums_of_rows(codes: Ints32, n_categories: int, *, confusions: bool) -> Sums | SparseSums:
    if codes.size * n_categories > DENSE_UP_TO and not confusions:
        return sparse_sums_of_rows(codes, n_categories)
    return sums_of_rows(codes, n_categories, confusions=confusions)


def groups_of_counts(counts: AgreementCounts) -> Groups:
    """Return the documents of added counts as resampling units."""
    ones = np.ones(counts.n_documents, dtype=np.int64)
    return Groups(sums_of(counts), ones, counts.tagset, "documents")


def coefficient_values(
    specs: Sequence[Coefficient],
    sums: Sums,
    distance: Distance,
    tagset: Sequence[str],
) -> Floats:
    """Return the values of M coefficients for B batch elements, (B, M); nan where undefined."""
    out = np.full((sums.n_paired.shape[0], len(specs)), np.nan)
    for j, spec in enumerate(specs):
        observed, expected, _ = disagreements(spec, sums, distance, tagset)
        # With one category in use, D_e is 0 except for rounding errors of about 1e-17.
        defined = expected > 1e-12
        out[defined, j] = 1 - observed[defined] / expected[defined]
    return out


def point_values(
    groups: Groups,
    specs: Sequence[Coefficient],
    distance: Distance,
) -> Floats:
    """Return the values (M,) of the coefficients on all units together; nan where undefined."""
    whole = groups.sums.resampled(groups.multiplicity[None, :].astype(np.float64))
    return coefficient_values(specs, whole, distance, groups.tagset)[0]


def values_without_each(groups: Groups, specs: Sequence[Coefficient], distance: Distance) -> Floats:
    """Return the values (G, M) without one unit of each kind in turn; nan where undefined."""
    flat = groups.sums.flat()
    total = groups.multiplicity.astype(np.float64) @ flat
    out = [np.empty((0, len(specs)))]
    batch = resamples_per_batch(groups)
    for start in range(0, flat.shape[0], batch):
        some = groups.sums.like(total - dense_rows(flat[start : start + batch]))
        out.append(coefficient_values(specs, some, distance, groups.tagset))
    return np.concatenate(out)


def resamples_per_batch(groups: Groups) -> int:
    """Number of resamples that are computed together."""
    return int(np.clip(_MOST_SUMS // max(1, groups.sums.width), 1, BATCH))


def resampling_weights(groups: Groups, n_replicates: int, seed: int) -> Iterator[Floats]:
    """Yield weights (≤ BATCH, G) of the replicates: how often each kind of unit is drawn.

    The weights do not depend on the batch size, which is smaller if a resample has many sums.
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
    """Return bootstrap replicates of M coefficients, (n_replicates, M), from the same resamples."""
    specs = [specification(measure) for measure in measures]
    flat = groups.sums.flat()
    parts = [
        coefficient_values(specs, groups.sums.like(weights @ flat), distance, groups.tagset)
        for weights in resampling_weights(groups, n_replicates, seed)
    ]
    return np.concatenate(parts) if parts else np.empty((0, len(specs)))


def applicable_coefficient(measure: str, matrix: LabelMatrix) -> Coefficient:
    """Return a measure's specification; raise MetricsError if it does not apply to the matrix."""
    spec = specification(measure)
    matrix.require_humans(spec.name)
    if spec.generalisation and matrix.n_annotators != 2:
        raise MetricsError(
            f"{spec.name} compares two annotators, but there are {matrix.n_annotators}: use "
            f"{spec.generalisation}"
        )
    return spec
