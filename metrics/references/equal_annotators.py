"""Test of whether annotators differ from the others of their items, for all of them together.

If annotators are equal, who gave which of the labels of an item is arbitrary, however hard the item
is. The test therefore exchanges, in each unit (a document; an item without documents), the values
of its annotators: each gets that of the annotator a random number of places further. The largest
standardised difference of all annotators in each such draw is what an annotator's own difference is
compared with, so that of any number of equal annotators one or more are called different with at
most the level (Westfall & Young 1993, single step).
"""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Floats, Ints, divide
from ..bootstrap import generator_for_purpose

N_DRAWS = 999
FEWEST_DRAWS = 199
_MOST_WORK = 50_000_000  # values exchanged in all draws
_PURPOSE = 11
_ROUNDING = 1e-9


def equality_p_values(
    units: Ints,
    annotators: Ints,
    values: Floats,
    n_annotators: int,
    *,
    n_tests: int = 1,
    seed: int = 0,
) -> Floats:
    """Return the p-value of each annotator, corrected for their number, float64 (n_annotators,).

    units, annotators, values  (R,): unit, annotator and value of each label; values of a unit are
                               compared by their mean for each annotator

    n_tests  tests that annotators are put to, each of another value (Bonferroni)

    nan for annotators who share no unit with others in which the values differ.
    """
    cell, of_value = np.unique(units * n_annotators + annotators, return_inverse=True)
    n = np.bincount(of_value).astype(np.float64)
    mean = np.bincount(of_value, weights=values) / n if cell.size else n
    unit, who = np.divmod(cell, n_annotators)
    _, first, of_unit, size = np.unique(
        unit, return_index=True, return_inverse=True, return_counts=True
    )
    centred = mean - (np.bincount(of_unit, weights=mean) / size)[of_unit]
    spread = np.bincount(of_unit, weights=centred**2) / size
    error = np.sqrt(np.bincount(who, weights=n**2 * spread[of_unit], minlength=n_annotators))
    differs = error > _ROUNDING

    def standardised(exchanged: Floats) -> Floats:
        total = np.bincount(who, weights=n * exchanged, minlength=n_annotators)
        return np.abs(divide(total, error)[differs])

    own = standardised(centred)
    found = np.full(n_annotators, math.nan)
    if not own.size:
        return found
    rng = generator_for_purpose(seed, _PURPOSE)
    place, n_draws = np.arange(cell.size) - first[of_unit], n_draws_of(cell.size)
    largest = np.empty(n_draws)
    for draw in range(n_draws):
        shift = (rng.random(size.size) * size).astype(np.int64)
        other = first[of_unit] + (place + shift[of_unit]) % size[of_unit]
        largest[draw] = standardised(centred[other]).max()
    n_larger = n_draws - np.searchsorted(np.sort(largest), own - _ROUNDING, side="left")
    found[differs] = np.minimum(1.0, n_tests * (1 + n_larger) / (1 + n_draws))
    return found


def n_draws_of(n_cells: int) -> int:
    """Return how often values are drawn again, fewer where there are very many."""
    return min(N_DRAWS, max(FEWEST_DRAWS, _MOST_WORK // max(n_cells, 1)))
