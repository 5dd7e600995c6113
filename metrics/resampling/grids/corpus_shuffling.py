"""Corpus Shuffling Tool (Mathet & Widlöcher 2011, 6.1; Mathet et al. 2012).

| degradation | effect on each unit, at magnitude m |
|---|---|
| `shift` | moves both bounds, each by up to ± m/2 of the unit's length |
| `omission` | removes it with probability m |
| `false_positives` | adds a spurious unit with probability m |
| `category` | changes the category with probability m |
| `split` | cuts it in two at a random place with probability m |
| `merge` | merges it with the next one, if there is one, with probability m |

Offsets are real numbers in the document's unit. If the bounds of a shifted unit cross, they are
exchanged; a unit that left the document is moved back inside. Other packages add degradations
(`metrics.resampling.study_plugins`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...alignment.continuum import UNLABELLED, Continuum
from ...arrays import Flags, Floats, Ints32
from ...errors import MetricsError
from .perfect_campaign import PerfectCampaign


@dataclass(frozen=True, slots=True)
class AnnotatorUnits:
    """Units of one annotator: starts, ends float64 (U,), categories int32 (U,)."""

    starts: Floats
    ends: Floats
    categories: Ints32

    def select_units(self, which: Flags | NDArray[np.intp]) -> AnnotatorUnits:
        return AnnotatorUnits(self.starts[which], self.ends[which], self.categories[which])

    def joined(self, other: AnnotatorUnits) -> AnnotatorUnits:
        return AnnotatorUnits(
            np.concatenate([self.starts, other.starts]),
            np.concatenate([self.ends, other.ends]),
            np.concatenate([self.categories, other.categories]),
        )


def perfect_units(model: PerfectCampaign, rng: np.random.Generator) -> AnnotatorUnits:
    """Draw the units of the perfect annotator: the model's sizes and categories, random places."""
    lengths, categories = model.draw_lengths_and_categories(model.n_units, rng)
    if model.overlapping:
        starts = rng.uniform(0.0, model.length - lengths)
    else:  # gaps are the spacings of uniform points in the length that the units leave free
        free = max(model.length - lengths.sum(), 0.0)
        before = np.concatenate([[0.0], np.cumsum(lengths)[:-1]])
        starts = np.sort(rng.uniform(0.0, free, size=lengths.size)) + before
    return AnnotatorUnits(starts, starts + lengths, categories)


@dataclass(frozen=True, slots=True)
class UnitDegradation:
    """A kind of error, as a change of the units of one annotator.

    change  of units, magnitude (0: none), the campaign that is simulated, and a generator of random
            numbers, the only source of chance
    most    largest magnitude
    """

    name: str
    change: Callable[[AnnotatorUnits, float, PerfectCampaign, np.random.Generator], AnnotatorUnits]
    most: float = 1.0


def degrade(
    units: AnnotatorUnits,
    degradation: str,
    magnitude: float,
    *,
    model: PerfectCampaign,
    rng: np.random.Generator,
) -> AnnotatorUnits:
    """Return a degraded copy of the units. Raises MetricsError for an unknown kind or magnitude.

    Probabilities are in [0, 1]; the magnitude m ≥ 0 of a shift is in unit lengths.
    """
    if degradation not in DEGRADATIONS:
        raise MetricsError(
            f"degradation is {degradation!r}; it must be one of {', '.join(DEGRADATIONS)}"
        )
    kind = DEGRADATIONS[degradation]
    if not 0 <= magnitude <= kind.most:
        raise MetricsError(
            f"the magnitude of {degradation} is {magnitude}; it must lie in [0, {kind.most:g}]"
        )
    return kind.change(units, magnitude, model, rng)


def shuffled_continuum(
    model: PerfectCampaign,
    magnitudes: Mapping[str, float],
    *,
    n_annotators: int = 3,
    n_perfect: int = 1,
    rng: np.random.Generator,
) -> Continuum:
    """Draw a document by `n_annotators`, of whom the first `n_perfect` keep the perfect units.

    The other annotators degrade them independently, by one kind after the other in the order of
    `DEGRADATIONS`. One perfect annotator is the setting of 2011, none the setting of the Corpus
    Shuffling Tool.
    """
    if n_annotators < 2 or not 0 <= n_perfect <= n_annotators:
        raise MetricsError(
            f"{n_annotators} annotators, {n_perfect} of them perfect: give at least two "
            "annotators, and no more perfect annotators than annotators"
        )
    unknown = {*magnitudes} - {*DEGRADATIONS}
    if unknown:
        raise MetricsError(
            f"degradation is {min(unknown)!r}; it must be one of {', '.join(DEGRADATIONS)}"
        )
    perfect = perfect_units(model, rng)
    everyone = [perfect] * n_perfect
    for _ in range(n_annotators - n_perfect):
        units = perfect
        for kind in DEGRADATIONS:
            if magnitudes.get(kind, 0.0):
                units = degrade(units, kind, magnitudes[kind], model=model, rng=rng)
        everyone.append(units)
    return Continuum(
        starts=np.concatenate([units.starts for units in everyone]),
        ends=np.concatenate([units.ends for units in everyone]),
        categories=np.concatenate([units.categories for units in everyone]),
        owners=np.repeat(
            np.arange(n_annotators, dtype=np.int32), [units.starts.size for units in everyone]
        ),
        annotators=tuple(f"annotator {a + 1}" for a in range(n_annotators)),
        tagset=model.tagset,
        length=model.length,
    )


def _shift_units(
    units: AnnotatorUnits, magnitude: float, model: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    length = model.length
    sizes = units.ends - units.starts
    reach = magnitude / 2 * sizes
    bounds = np.stack([units.starts, units.ends]) + rng.uniform(-1, 1, (2, sizes.size)) * reach
    starts, ends = bounds.min(axis=0), bounds.max(axis=0)
    # If the bounds coincide (probability 0), the unit would have no length.
    ends = np.maximum(ends, starts + 1e-9 * sizes)
    slide = np.maximum(-starts, 0.0) - np.maximum(ends - length, 0.0)
    starts, ends = starts + slide, ends + slide
    return AnnotatorUnits(np.maximum(starts, 0.0), np.minimum(ends, length), units.categories)


def _omit_units(
    units: AnnotatorUnits, magnitude: float, model: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    return units.select_units(rng.random(units.starts.size) >= magnitude)


def _add_units(
    units: AnnotatorUnits, magnitude: float, model: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    n_added = int(rng.binomial(units.starts.size, magnitude)) if units.starts.size else 0
    lengths, categories = model.draw_lengths_and_categories(n_added, rng)
    starts = rng.uniform(0.0, model.length - lengths)
    return units.joined(AnnotatorUnits(starts, starts + lengths, categories))


def _recategorise(
    units: AnnotatorUnits, magnitude: float, model: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    n_categories = len(model.tagset)
    if n_categories < 2:
        raise MetricsError("category errors need a tagset of at least two categories")
    labelled = units.categories != UNLABELLED
    wrong = (rng.random(units.starts.size) < magnitude) & labelled
    other = rng.integers(0, n_categories - 1, size=units.starts.size)
    other += other >= units.categories
    return AnnotatorUnits(
        units.starts, units.ends, np.where(wrong, other, units.categories).astype(np.int32)
    )


def _split_units(
    units: AnnotatorUnits, magnitude: float, model: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    cut = rng.random(units.starts.size) < magnitude
    share = rng.uniform(0.0, 1.0, size=units.starts.size)
    middle = units.starts + share * (units.ends - units.starts)
    cut &= (middle > units.starts) & (middle < units.ends)
    left = AnnotatorUnits(units.starts, np.where(cut, middle, units.ends), units.categories)
    right = AnnotatorUnits(middle[cut], units.ends[cut], units.categories[cut])
    return left.joined(right)


def _merge_units(
    units: AnnotatorUnits, magnitude: float, model: PerfectCampaign, rng: np.random.Generator
) -> AnnotatorUnits:
    """Merge from left to right, keeping the first category; a merged unit is not merged again."""
    units = units.select_units(np.argsort(units.starts, kind="stable"))
    drawn = rng.random(units.starts.size) < magnitude
    ends = units.ends.copy()
    kept = np.ones(units.starts.size, dtype=bool)
    for i in range(units.starts.size - 1):
        if kept[i] and drawn[i]:
            ends[i] = max(ends[i], ends[i + 1])
            kept[i + 1] = False
    return AnnotatorUnits(units.starts, ends, units.categories).select_units(kept)


OWN_DEGRADATIONS = (
    UnitDegradation("shift", _shift_units, most=np.inf),
    UnitDegradation("omission", _omit_units),
    UnitDegradation("false_positives", _add_units),
    UnitDegradation("category", _recategorise),
    UnitDegradation("split", _split_units),
    UnitDegradation("merge", _merge_units),
)
DEGRADATIONS: dict[str, UnitDegradation] = {one.name: one for one in OWN_DEGRADATIONS}
