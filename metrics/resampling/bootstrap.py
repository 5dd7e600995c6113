"""Percentile intervals over documents (or items where there are none) for ratios of sums."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from ..expanded_percentile import expanded_percentile

_BLOCK = 100  # resamples at a time
_MOST_DRAWS = 2_000_000  # of all resamples of a block: memory stays flat, however many documents


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
    rng = np.random.default_rng(seed)
    ratios = np.full((n_replicates, numerators.shape[1]), np.nan)
    block = min(_BLOCK, max(1, _MOST_DRAWS // max(1, drawn_from.size)))
    for first in range(0, n_replicates, block):
        size = min(block, n_replicates - first)
        weights = _weights(drawn_from, size, rng)
        above = weights @ numerators
        below = np.broadcast_to(weights @ denominators, above.shape)
        np.divide(above, below, out=ratios[first : first + size], where=below > 0)
    for q in range(ratios.shape[1]):
        found = ratios[np.isfinite(ratios[:, q]), q]
        if found.size:
            interval[q] = expanded_percentile(found, level, int(drawn_from.sum()))
    return interval


def _weights(
    drawn_from: NDArray[np.int64], size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """How often each kind is drawn, float64 (size, G), from `drawn_from` units of each kind."""
    n_units, n_kinds = int(drawn_from.sum()), drawn_from.size
    if n_kinds * 4 < n_units:
        return rng.multinomial(n_units, drawn_from / n_units, size=size).astype(np.float64)
    kind = np.repeat(np.arange(n_kinds), drawn_from)
    drawn = kind[rng.integers(0, n_units, size=(size, n_units))]
    flat = drawn + np.arange(size)[:, None] * n_kinds
    return (
        np.bincount(flat.ravel(), minlength=size * n_kinds)
        .reshape(size, n_kinds)
        .astype(np.float64)
    )


def _sum_by_document(
    index: NDArray[np.intp], rows: NDArray[np.float64], kind_of: NDArray[np.int64]
) -> NDArray[np.float64]:
    return np.column_stack(
        [np.bincount(index, weights=rows[kind_of, q]) for q in range(rows.shape[1])]
    )
