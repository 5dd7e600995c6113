"""Percentile intervals over documents (or items where there are none) for ratios of sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..bootstrap import divide, expanded_percentile, resamples
from ..errors import MetricsError

_BLOCK = 100  # resamples at a time


def ratio_interval(
    numerators: NDArray[np.float64],
    denominators: NDArray[np.float64],
    *,
    kind_of: NDArray[np.int64],
    documents: NDArray[np.int64] | None,
    n_replicates: int,
    level: float,
    seed: int,
) -> NDArray[np.float64]:
    """Bootstrap interval of Σ numerators / Σ denominators for each column, float64 (Q, 2).

    Items come in G kinds: numerators, denominators (G, Q) are those of one item of each kind and
    kind_of (N,) tells the kinds apart. documents (N,), or None to resample items. `nan` where no
    resample has a denominator, and everywhere with `n_replicates` = 0 or a single document.
    """
    if not 0 < level < 1:
        raise MetricsError(f"level is {level}; it must lie between 0 and 1")
    interval = np.full((numerators.shape[1], 2), np.nan)
    if (denominators == denominators[:, :1]).all():  # complete labels: one column says it all
        denominators = denominators[:, :1]
    if documents is None:
        drawn_from = np.bincount(kind_of, minlength=numerators.shape[0])
    else:
        homes, index = np.unique(documents, return_inverse=True)
        numerators = _sum_by_document(index, numerators, kind_of)
        denominators = _sum_by_document(index, denominators, kind_of)
        drawn_from = np.ones(homes.size, dtype=np.int64)
    if n_replicates < 1 or drawn_from.sum() < 2:
        return interval
    blocks = []
    rng = np.random.default_rng(seed)
    for weights in resamples(drawn_from, n_replicates, rng, at_once=_BLOCK):
        above = weights @ numerators
        blocks.append(divide(above, np.broadcast_to(weights @ denominators, above.shape)))
    for q, ratios in enumerate(np.concatenate(blocks).T):
        interval[q] = expanded_percentile(ratios, level, int(drawn_from.sum()))
    return interval


def _sum_by_document(
    index: NDArray[np.intp], rows: NDArray[np.float64], kind_of: NDArray[np.int64]
) -> NDArray[np.float64]:
    return np.column_stack(
        [np.bincount(index, weights=rows[kind_of, q]) for q in range(rows.shape[1])]
    )
