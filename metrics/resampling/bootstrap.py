"""Percentile intervals over documents (or items where there are none) for ratios of sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from metrics.errors import MetricsError


def ratio_interval(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    *,
    documents: NDArray[np.int64] | None,
    resamples: int,
    level: float,
    seed: int,
) -> NDArray[np.float64]:
    """Bootstrap interval of Σ numerators / Σ denominators for each column, float64 (Q, 2).

    numerators, denominators (N, Q); documents (N,) or None to resample items. `nan` where no
    resample has a denominator, and everywhere with `resamples` = 0 or a single document.
    """
    if not 0 < level < 1:
        raise MetricsError(f"level is {level}; it must lie between 0 and 1")
    interval = np.full((numerators.shape[1], 2), np.nan)
    if documents is not None:
        homes, index = np.unique(documents, return_inverse=True)
        numerators = _sum_by(index, numerators, homes.size)
        denominators = _sum_by(index, denominators, homes.size)
    n_homes = numerators.shape[0]
    if resamples < 1 or n_homes < 2:
        return interval
    if (denominators == denominators[:, :1]).all():  # complete labels: one column says it all
        denominators = denominators[:, :1]
    rng = np.random.default_rng(seed)
    ratios = np.full((resamples, numerators.shape[1]), np.nan)
    for first in range(0, resamples, 100):  # a block of draws at a time: memory stays flat
        size = min(100, resamples - first)
        drawn = rng.integers(0, n_homes, size=(size, n_homes)) + np.arange(size)[:, None] * n_homes
        draws = np.bincount(drawn.ravel(), minlength=size * n_homes).reshape(size, n_homes)
        weights = draws.astype(np.float64)
        above = weights @ numerators
        below = np.broadcast_to(weights @ denominators, above.shape)
        np.divide(above, below, out=ratios[first : first + size], where=below > 0)
    for q in range(ratios.shape[1]):
        found = ratios[np.isfinite(ratios[:, q]), q]
        if found.size:
            interval[q] = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return interval


def _sum_by(index: NDArray[np.intp], rows: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    sums = np.zeros((size, rows.shape[1]))
    np.add.at(sums, index, rows)
    return sums
