"""statistical: units drawn one after the other from distributions fitted on the corpus.

The process that pygamma-agreement (Titeux & Riad 2021) proposes beside the 2015 one: normal laws
for the number of units, their lengths and the gaps between them, observed frequencies for the
categories. Gaps may be negative, where annotators overlap their own units.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrics.chance.corpus import Corpus, Draw


class Fit(NamedTuple):
    """Means and standard deviations of gaps and lengths; categories with their frequencies."""

    gap_mean: float
    gap_sd: float
    length_mean: float
    length_sd: float
    categories: NDArray[np.int32]
    cumulated: NDArray[np.float64]


def fit(corpus: Corpus) -> Fit:
    """Fit the laws on every unit of the corpus; gaps run from a unit's end to the next start."""
    sizes = corpus.ends - corpus.starts
    set_of_unit = np.repeat(np.arange(corpus.set_sizes.shape[0]), corpus.set_sizes)
    follows = np.flatnonzero(set_of_unit[1:] == set_of_unit[:-1])
    gaps = corpus.starts[follows + 1] - corpus.ends[follows]
    categories, counts = np.unique(corpus.categories, return_counts=True)
    return Fit(
        float(gaps.mean()) if gaps.size else 0.0,
        float(gaps.std()) if gaps.size else 0.0,
        float(sizes.mean()) if sizes.size else 0.0,
        float(sizes.std()) if sizes.size else 0.0,
        categories.astype(np.int32),
        np.cumsum(counts) / max(1, counts.sum()),
    )


class Numbers(NamedTuple):
    """How many units the annotators of one real document marked, and the document's length."""

    n_annotators: int
    mean: float
    sd: float
    length: float


def numbers_of(corpus: Corpus, document: int) -> Numbers:
    """What the draws of one document share."""
    sets = slice(int(corpus.set_offsets[document]), int(corpus.set_offsets[document + 1]) + 1)
    sizes = np.diff(corpus.unit_offsets[sets])
    return Numbers(
        sizes.shape[0], float(sizes.mean()), float(sizes.std()), float(corpus.lengths[document])
    )


def draw_statistical(document: Numbers, rng: np.random.Generator, fitted: Fit) -> Draw:
    """One virtual document, its numbers of units normal around those of a real one's annotators.

    Lengths are folded at 0 (their absolute values are taken, and the mean where one is 0).
    A virtual document that begins before its origin is moved to it as a whole.
    """
    drawn = rng.normal(document.mean, document.sd, document.n_annotators)
    numbers = np.maximum(np.rint(drawn), 0).astype(np.int64)
    offsets = np.zeros(document.n_annotators + 1, dtype=np.int64)
    numbers.cumsum(out=offsets[1:])
    n_units = int(offsets[-1])
    if fitted.categories.size == 0 or n_units == 0:
        empty, none = np.empty(0), np.zeros_like(offsets)
        return Draw(empty, empty, np.empty(0, np.int32), none, document.length)
    gaps = rng.normal(fitted.gap_mean, fitted.gap_sd, n_units)
    lengths = np.abs(rng.normal(fitted.length_mean, fitted.length_sd, n_units))
    lengths[lengths == 0] = fitted.length_mean
    picked = fitted.cumulated.searchsorted(rng.random(n_units), side="right")
    categories = fitted.categories[np.minimum(picked, fitted.categories.size - 1)]
    before = np.zeros(n_units + 1)
    (gaps + lengths).cumsum(out=before[1:])
    ends = before[1:] - before[offsets[:-1]].repeat(numbers)
    starts = ends - lengths
    origin = min(0.0, float(starts.min()))
    return Draw(
        starts - origin,
        ends - origin,
        categories,
        offsets,
        max(document.length, float(ends.max()) - origin),
    )
