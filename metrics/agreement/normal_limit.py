"""Intervals over very many units: replicates of the sums from their joint normal limit.

The sums of a bootstrap resample of n units are the total of n independent draws. For large n they
are jointly normal around the sums of the data, with covariance Σ_i x_i x_i' − T T'/n, where x_i are
the sums of unit i and T those of all (Davison & Hinkley 1997, section 2.4). From FEWEST units on,
replicates of the sums are drawn from this limit instead of from n weights each, and the coefficient
is computed of every replicate; a count below 0 is set to 0. The limit needs many units for each
sum, so that a coefficient with more than one sum per UNITS_PER_SUM units, or more than MOST_SUMS
sums, is resampled by weights.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats, weighted_moments
from .distances import Distance
from .formulas.coefficient import Coefficient
from .resampling_units import ResamplingUnits, coefficient_values
from .sums import Feature, Sums, as_dense

METHOD = "bootstrap-normal-sums"
FEWEST = 10_000  # kinds of unit
UNITS_PER_SUM, MOST_SUMS = 10, 1_000
_ROUNDING = 1e-13  # of the largest variance; a smaller one is an error of rounding
_BLOCK = 1_000_000  # numbers of the units that are held at once: 8 MB


class _TooManySumsError(Exception):
    """A coefficient reads too many sums for the limit."""


def normal_replicates(
    groups: ResamplingUnits, spec: Coefficient, *, n_replicates: int, seed: int, distance: Distance
) -> Floats | None:
    """Return replicates of a coefficient, (n_replicates,), nan where undefined.

    None where the limit does not apply: too few units, or too many sums.
    """
    if groups.n_kinds < FEWEST:
        return None
    try:
        features = _features_of(groups, spec, distance)
    except _TooManySumsError:
        return None
    widths = [groups.kinds.feature_matrix(one).shape[1] for one in features]
    if sum(widths) > min(MOST_SUMS, groups.n_kinds // UNITS_PER_SUM):
        return None
    total, covariance = _moments(groups, features, sum(widths))
    scales, directions = np.linalg.eigh(covariance)
    # The order of the sums is found from their size, so that it does not follow from names. The
    # symmetric root, unlike the directions, does not depend on the rounding of a processor.
    scales = np.where(scales > _ROUNDING * scales[-1:], scales, 0.0)
    root = directions * np.sqrt(scales) @ directions.T
    place = np.empty(total.size, dtype=np.int64)
    place[np.lexsort((np.diag(covariance).round(6), total.round(6)))] = np.arange(total.size)
    normal = np.random.default_rng(seed).standard_normal((n_replicates, total.size))
    drawn = normal[:, place] @ root
    least = [0.0 if one.moments is None else -np.inf for one in features]
    sums = np.maximum(total + drawn, np.repeat(least, widths))
    parts = dict(zip(features, np.split(sums, np.cumsum(widths)[:-1], axis=1), strict=True))
    replicates = Sums(groups.kinds, parts.__getitem__)
    return coefficient_values([spec], replicates, distance, groups.tagset)[:, 0]


def _features_of(groups: ResamplingUnits, spec: Coefficient, distance: Distance) -> list[Feature]:
    """Return the sums that the coefficient reads of a batch of resamples.

    Raises _TooManySumsError before a batch of too many is made.
    """
    found: list[Feature] = []
    whole = groups.sums_of_all

    def read(feature: Feature) -> Floats:
        if groups.kinds.feature_matrix(feature).shape[1] > MOST_SUMS:
            raise _TooManySumsError
        found.append(feature)
        return np.repeat(whole.of_feature(feature), 2, axis=0)

    coefficient_values([spec], Sums(groups.kinds, read), distance, groups.tagset)
    return found


def _moments(groups: ResamplingUnits, features: list[Feature], width: int) -> tuple[Floats, Floats]:
    """Return the total of the sums (F,), and the covariance of the total of a resample (F, F)."""
    total, squares = np.zeros(width), np.zeros((width, width))
    step = max(1, _BLOCK // width)
    for start in range(0, groups.n_kinds, step):
        those = slice(start, start + step)
        rows = [as_dense(groups.kinds.feature_matrix(one)[those]) for one in features]
        of_some = weighted_moments(np.concatenate(rows, axis=1), groups.multiplicity[those])
        total += of_some[0]
        squares += of_some[1]
    return total, squares - np.outer(total, total) / groups.n_units
