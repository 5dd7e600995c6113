"""Whether an annotator's difference from the others changes from batch to batch.

If it does not, which batch a document belongs to is arbitrary. The test therefore gives the
documents the batches of others, the same for all annotators, and compares the largest standardised
slope over all annotators in each such draw with an annotator's own (Westfall & Young 1993, single
step). What all annotators share (a hard batch) is no change: the difference is from the others.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, Ints, divide
from ..bootstrap import generator_for_purpose
from .equal_annotators import n_draws_of

_PURPOSE = 12
_ROUNDING = 1e-9


def trend_p_values(
    units: Ints,
    annotators: Ints,
    values: Floats,
    positions: Floats,
    n_annotators: int,
    *,
    n_tests: int = 1,
    seed: int = 0,
) -> tuple[Floats, Floats]:
    """Return the p-value of each annotator, corrected for their number, and the slope, (A,).

    units, annotators, values  (R,): unit, annotator, and difference from the others of each label
    positions                  (R,): place of the unit's batch in time
    n_tests                    tests that annotators are put to, each of another value (Bonferroni)

    The slope is standardised: below 0 where the annotator agrees less and less. Both are nan for
    annotators whose labels are in one batch, or whose difference is the same everywhere.
    """
    cell, of_value = np.unique(units * n_annotators + annotators, return_inverse=True)
    n = np.bincount(of_value).astype(np.float64)
    mean = np.bincount(of_value, weights=values) / n if cell.size else n
    unit, who = np.divmod(cell, n_annotators)
    _, first, of_unit = np.unique(unit, return_index=True, return_inverse=True)
    place = np.zeros(cell.size)
    place[of_value] = positions
    place = place[first]

    def centred(amounts: Floats) -> Floats:
        sums = np.bincount(who, weights=n * amounts, minlength=n_annotators)
        return amounts - divide(sums, np.bincount(who, weights=n, minlength=n_annotators))[who]

    rest = n * centred(mean)

    def slopes(places: Floats) -> Floats:
        moved = rest * centred(places[of_unit])
        total = np.bincount(who, weights=moved, minlength=n_annotators)
        error = np.sqrt(np.bincount(who, weights=moved**2, minlength=n_annotators))
        return np.where(error > _ROUNDING, divide(total, error), np.nan)

    own = slopes(place)
    found = np.full(n_annotators, np.nan)
    known = np.isfinite(own)
    if not known.any():
        return found, own
    rng, n_draws = generator_for_purpose(seed, _PURPOSE), n_draws_of(cell.size)
    largest = np.empty(n_draws)
    for draw in range(n_draws):
        largest[draw] = np.nan_to_num(np.abs(slopes(rng.permutation(place)))).max()
    n_larger = n_draws - np.searchsorted(np.sort(largest), np.abs(own[known]) - _ROUNDING)
    found[known] = np.minimum(1.0, n_tests * (1 + n_larger) / (1 + n_draws))
    return found, own
