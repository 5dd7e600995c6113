"""statistical: units drawn one after the other from distributions fitted to the corpus.

pygamma-agreement (Titeux & Riad 2021) offers this chance model besides the 2015 one: normal
distributions for the number of units, their lengths and the gaps between them, observed frequencies
for the categories. Gaps may be negative if annotators overlap their own units.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..arrays import Floats, Ints, Ints32
from .corpus import Corpus
from .virtual_documents import VirtualDocuments


class UnitDistributions(NamedTuple):
    """Means and standard deviations of gaps and lengths; categories with their frequencies."""

    gap_mean: float
    gap_sd: float
    length_mean: float
    length_sd: float
    categories: Ints32
    cumulated: Floats


def fit_unit_distributions(corpus: Corpus) -> UnitDistributions:
    """Fit the distributions to all units; a gap is from a unit's end to the next start."""
    sizes = corpus.ends - corpus.starts
    set_of_unit = corpus.set_of_unit
    follows = np.flatnonzero(set_of_unit[1:] == set_of_unit[:-1])
    gaps = corpus.starts[follows + 1] - corpus.ends[follows]
    categories, counts = np.unique(corpus.categories, return_counts=True)
    by_order = np.argsort(np.append(corpus.order.categories, len(corpus.tagset))[categories])
    categories, counts = categories[by_order], counts[by_order]
    return UnitDistributions(
        float(gaps.mean()) if gaps.size else 0.0,
        float(gaps.std()) if gaps.size else 0.0,
        float(sizes.mean()) if sizes.size else 0.0,
        float(sizes.std()) if sizes.size else 0.0,
        categories.astype(np.int32),
        np.cumsum(counts) / max(1, counts.sum()),
    )


class UnitNumbers(NamedTuple):
    """Numbers of units of the annotators of one real document, and the document's length."""

    mean: float
    sd: float
    length: float


def unit_numbers(corpus: Corpus, document: int) -> UnitNumbers:
    """Prepare the data shared by the draws of one document."""
    sets = slice(int(corpus.set_offsets[document]), int(corpus.set_offsets[document + 1]) + 1)
    sizes = np.diff(corpus.unit_offsets[sets])
    return UnitNumbers(float(sizes.mean()), float(sizes.std()), float(corpus.lengths[document]))


def draw_statistical(
    chosen: Iterable[tuple[UnitNumbers, np.random.Generator]],
    n_annotators: int,
    fitted: UnitDistributions,
) -> VirtualDocuments:
    """Draw virtual documents with numbers of units normally distributed as in a real document.

    chosen  the real document and the generator of each draw; the generator is used before the next
            is taken

    Lengths are folded at 0 (absolute values, and the mean where one is 0). A virtual document that
    begins before its origin is moved to it as a whole.
    """
    numbers, at_least, gaps, sizes, shares = [], [], [], [], []
    for document, rng in chosen:
        drawn = document.mean + document.sd * rng.standard_normal(n_annotators)
        of_each = [max(0, round(number)) for number in drawn.tolist()]
        n_units = sum(of_each) if fitted.categories.size else 0
        normal = rng.standard_normal(2 * n_units)
        numbers.append(of_each if n_units else [0] * n_annotators)
        at_least.append(document.length)
        gaps.append(normal[:n_units])
        sizes.append(normal[n_units:])
        shares.append(rng.random(n_units))
    offsets = np.zeros((len(numbers), n_annotators + 1), dtype=np.int64)
    np.cumsum(numbers, axis=1, out=offsets[:, 1:])
    lengths = np.abs(fitted.length_mean + fitted.length_sd * np.concatenate(sizes))
    lengths[lengths == 0] = fitted.length_mean
    steps = fitted.gap_mean + fitted.gap_sd * np.concatenate(gaps) + lengths
    starts, ends, beyond = _laid_out(steps, lengths, offsets)
    picked = fitted.cumulated.searchsorted(np.concatenate(shares), side="right")
    categories = fitted.categories[np.minimum(picked, fitted.categories.size - 1)]
    return VirtualDocuments(starts, ends, categories, offsets, np.maximum(at_least, beyond))


def _laid_out(steps: Floats, lengths: Floats, offsets: Ints) -> tuple[Floats, Floats, Floats]:
    """Place units one after the other: (starts, ends, last end of each document).

    steps    float64 (U,): from the end of the annotator's previous unit, or 0, to each end
    offsets  int64 (D, n + 1): for each document, as in `Draws`
    """
    n_units = offsets[:, -1]
    there = np.arange(n_units.max(initial=0)) < n_units[:, None]
    sums = np.zeros((there.shape[0], there.shape[1] + 1))
    sums[:, 1:][there] = steps
    np.cumsum(sums, axis=1, out=sums)
    before = np.take_along_axis(sums, offsets[:, :-1], axis=1)
    ends = sums[:, 1:][there] - before.ravel().repeat(np.diff(offsets).ravel())
    starts = ends - lengths
    begins, stops = np.full(there.shape, np.inf), np.full(there.shape, -np.inf)
    begins[there], stops[there] = starts, ends
    origins = np.minimum(begins.min(axis=1, initial=0.0), 0.0)
    moved = origins.repeat(n_units)
    return starts - moved, ends - moved, stops.max(axis=1, initial=-np.inf) - origins
