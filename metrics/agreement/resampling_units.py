"""Resampling units: documents, or items if there are no documents.

The resampling unit is the document, because labels of one document are not independent (cluster
bootstrap, Davison & Hinkley 1997, section 3.8); without documents it is the item. A resample is a
vector of weights, so all replicates of all coefficients are one matrix product: weights (B, G)
times the sums of the G groups. Items with the same row of labels form one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from ..arrays import Floats, Ints
from ..beyond_chance import beyond_chance
from ..errors import MetricsError
from ..measures import coefficient_of
from .coefficients import relative_disagreements
from .counts import ItemCounts, count, units_of_distinct_rows
from .distances import Distance
from .draw_order import DrawOrder, draw_order
from .formulas.coefficient import Coefficient
from .label_matrix import LabelMatrix
from .summands import CountedSummands
from .sums import Summands, Sums, sums_changing_each, weighted_sums

Over = Literal["documents", "items", "auto"]

BATCH = 256  # replicates computed together, so that the weights fit in a few megabytes
_MOST_SUMS = 10_000_000  # sums of the resamples computed together: 80 MB, and a few such arrays


@dataclass(frozen=True)
class ResamplingUnits:
    """G kinds of resampling unit, and the number of units of each kind.

    order  in which kinds and categories are drawn; the same for units that correspond one to one
    """

    kinds: Summands
    multiplicity: Ints
    tagset: tuple[str, ...]
    over: str
    order: DrawOrder

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def n_kinds(self) -> int:
        return self.multiplicity.size

    @cached_property
    def sums_of_all(self) -> Sums:
        """Sums of all units together (B = 1)."""
        return weighted_sums(self.kinds, self.multiplicity[None].astype(np.float64))


def resampling_units(
    matrix: LabelMatrix, *, over: Over = "auto", distinct: bool = True
) -> ResamplingUnits:
    """Return the resampling units of a matrix: documents if it has two or more, else items.

    Items with the same row of labels are one kind of unit, unless `distinct` is false.
    """
    if over == "auto":
        over = "items" if matrix.documents_to_resample is None else "documents"
    if over == "documents" or not distinct:
        return resampling_units_of_counts(count(matrix, by=over), over=over)
    kinds, n_items = units_of_distinct_rows(count(matrix))
    order = draw_order(kinds, n_items)
    return ResamplingUnits(CountedSummands(kinds), n_items, matrix.tagset, "items", order)


def resampling_units_of_counts(counts: ItemCounts, *, over: str = "documents") -> ResamplingUnits:
    """Return the units of counts as resampling units."""
    ones = np.ones(counts.n_units, dtype=np.int64)
    return ResamplingUnits(CountedSummands(counts), ones, counts.tagset, over, DrawOrder(counts))


def coefficient_values(
    specs: Sequence[Coefficient],
    sums: Sums,
    distance: Distance,
    tagset: Sequence[str],
) -> Floats:
    """Return the values of M coefficients for B batch elements, (B, M); nan where undefined."""
    out = np.full((sums.n_paired.size, len(specs)), np.nan)
    for j, spec in enumerate(specs):
        observed, expected, _ = relative_disagreements(spec, sums, distance, tagset)
        out[:, j] = beyond_chance(observed, expected)
    return out


def point_values(
    groups: ResamplingUnits,
    specs: Sequence[Coefficient],
    distance: Distance,
) -> Floats:
    """Return the values (M,) of the coefficients on all units together; nan where undefined."""
    return coefficient_values(specs, groups.sums_of_all, distance, groups.tagset)[0]


def values_without_each(
    groups: ResamplingUnits, specs: Sequence[Coefficient], distance: Distance
) -> Floats:
    """Return the values (G, M) without one unit of each kind in turn; nan where undefined."""
    out, whole = [np.empty((0, len(specs)))], groups.sums_of_all
    for those in batches_of_unit_kinds(groups):
        some = sums_changing_each(whole, those, lambda total, own: total - own)
        out.append(coefficient_values(specs, some, distance, groups.tagset))
    return np.concatenate(out)


def batches_of_unit_kinds(groups: ResamplingUnits) -> Iterator[slice]:
    """Yield the kinds of unit whose sums are computed together."""
    batch = resamples_per_batch(groups)
    for start in range(0, groups.n_kinds, batch):
        yield slice(start, start + batch)


def resamples_per_batch(groups: ResamplingUnits) -> int:
    """Number of resamples that are computed together."""
    width = groups.kinds.n_categories * groups.kinds.n_annotators
    return int(np.clip(_MOST_SUMS // max(1, width), 1, BATCH))


def resampling_weights(groups: ResamplingUnits, n_replicates: int, seed: int) -> Iterator[Floats]:
    """Yield weights (≤ BATCH, G) of the replicates: how often each kind of unit is drawn.

    The weights do not depend on the batch size, which is smaller if a resample has many sums.
    """
    rng = np.random.default_rng(seed)
    yield from groups.order.resamples(
        groups.multiplicity, n_replicates, rng, at_once=resamples_per_batch(groups)
    )


def bootstrap_replicates(
    groups: ResamplingUnits,
    *,
    measures: Sequence[str],
    n_replicates: int = 1000,
    seed: int,
    distance: Distance = "nominal",
) -> Floats:
    """Return bootstrap replicates of M coefficients, (n_replicates, M), from the same resamples."""
    specs = [coefficient_of(measure) for measure in measures]
    parts = [
        coefficient_values(specs, weighted_sums(groups.kinds, weights), distance, groups.tagset)
        for weights in resampling_weights(groups, n_replicates, seed)
    ]
    return np.concatenate(parts) if parts else np.empty((0, len(specs)))


def applicable_coefficient(measure: str, matrix: LabelMatrix) -> Coefficient:
    """Return a measure's specification; raise MetricsError if it does not apply to the matrix."""
    spec = coefficient_of(measure)
    matrix.require_humans(spec.name)
    if spec.generalisation and matrix.n_annotators != 2:
        raise MetricsError(
            f"{spec.name} compares two annotators, but there are {matrix.n_annotators}: use "
            f"{spec.generalisation}"
        )
    return spec
