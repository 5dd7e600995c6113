"""Model of perfect campaigns: sizes, categories and density of the units of a real campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...alignment.continuum import Continuum
from ...arrays import Floats, Ints32
from ...errors import MetricsError


@dataclass(frozen=True, slots=True)
class PerfectCampaign:
    """A document to fill: `n_units` units in [0, length).

    lengths      float64 (P,): sizes to draw from
    categories   int32 (P,): category of each size, drawn with it (-1: none)
    tagset       K categories
    overlapping  whether units of one annotator may overlap

    Raises MetricsError if a unit is longer than the document, or if there are no units or sizes.
    """

    lengths: Floats
    categories: Ints32
    tagset: tuple[str, ...]
    n_units: int
    length: float
    overlapping: bool = False

    def __post_init__(self) -> None:
        if self.n_units < 1 or self.lengths.size == 0:
            raise MetricsError("a unit model needs at least one unit and one size to draw from")
        if self.lengths.shape != self.categories.shape or self.lengths.min() <= 0:
            raise MetricsError("sizes must be above 0, with one category (or -1) each")
        if self.lengths.max() > self.length:
            raise MetricsError(
                f"the longest unit ({self.lengths.max():g}) exceeds the document ({self.length:g})"
            )

    def with_units(self, n_units: int) -> PerfectCampaign:
        """Return a document with `n_units` units at the same density."""
        length = max(self.length * n_units / self.n_units, float(self.lengths.max()))
        return replace(self, n_units=n_units, length=length)

    def draw_lengths_and_categories(
        self, n: int, rng: np.random.Generator
    ) -> tuple[Floats, Ints32]:
        """Draw n sizes with their categories."""
        which = rng.integers(0, self.lengths.size, size=n)
        lengths = self.lengths[which]
        if not self.overlapping and lengths.sum() > self.length:
            lengths = lengths * (self.length / lengths.sum())  # without gaps, at most
        return lengths, self.categories[which]


def uniform_campaign(
    *,
    n_units: int = 25,
    shortest: float = 5.0,
    longest: float = 25.0,
    coverage: float = 0.5,
    categories: Sequence[str] = ("A",),
    overlapping: bool = False,
) -> PerfectCampaign:
    """Build a model with sizes uniform in [shortest, longest], equal categories (2011: 25 units).

    `coverage` is the share of the document inside units, on average.
    """
    if not 0 < shortest <= longest or not 0 < coverage <= 1:
        raise MetricsError(
            f"sizes {shortest:g} to {longest:g} and coverage {coverage:g}: sizes must be above 0, "
            "in order, and coverage in (0, 1]"
        )
    sizes = np.linspace(shortest, longest, 101)
    names = np.arange(len(categories), dtype=np.int32)
    mean = (shortest + longest) / 2
    return PerfectCampaign(
        lengths=np.tile(sizes, names.size),
        categories=np.repeat(names, sizes.size),
        tagset=tuple(categories),
        n_units=n_units,
        length=max(n_units * mean / coverage, longest),
        overlapping=overlapping,
    )


def perfect_campaign_of(continua: Sequence[Continuum]) -> PerfectCampaign:
    """Build a model from a campaign: sizes and categories of all its units, its mean document.

    n_units is the mean number of units per document and annotator (at least 1), length the mean
    length of a document, overlapping whether any annotator's own units overlap. Raises MetricsError
    without units.
    """
    with_units = [continuum for continuum in continua if continuum.n_units]
    if not with_units:
        raise MetricsError("no document has a unit, so no model can be estimated")
    lengths = np.concatenate([c.ends - c.starts for c in with_units])
    n_sets = sum(c.n_annotators for c in continua)
    length = float(np.mean([c.length for c in continua]))
    return PerfectCampaign(
        lengths=lengths,
        categories=np.concatenate([c.categories for c in with_units]),
        tagset=with_units[0].tagset,
        n_units=max(round(sum(c.n_units for c in continua) / n_sets), 1),
        length=max(length, float(lengths.max())),
        overlapping=any(_has_overlaps(c) for c in with_units),
    )


def _has_overlaps(continuum: Continuum) -> bool:
    order = np.lexsort((continuum.starts, continuum.owners))
    owners, starts = continuum.owners[order], continuum.starts[order]
    ends = continuum.ends[order]
    return bool(((owners[1:] == owners[:-1]) & (starts[1:] < ends[:-1])).any())
