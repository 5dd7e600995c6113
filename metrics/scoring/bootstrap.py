"""Intervals of scores by resampling documents.

A score is a function of counts that add over documents: the counts of each document, (D, …), and a
`statistic` that maps sums of counts, (B, …), to B values. Where many documents have the same counts
they are drawn together (multinomial draws), which gives the distribution of the plain method at a
fraction of its cost.

Sources: Efron & Tibshirani 1993 (bootstrap), Hesterberg 2015 (its interval).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from ..expanded_percentile import expanded_percentile

Counts: TypeAlias = NDArray[Any]
Statistic: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_CHUNK = 4_000_000  # drawn numbers held at once


def total(counts: Counts) -> NDArray[np.float64]:
    """Counts summed over documents, (1, …): what a statistic takes for the score itself."""
    return counts.sum(axis=0, keepdims=True, dtype=np.float64)


def bootstrap_interval(
    counts: Counts,
    statistic: Statistic,
    *,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """Expanded percentile interval of statistic(Σ counts) over resampled documents.

    counts     (D, …), one row a document
    statistic  (B, …) → (B,)
    Replicates in which the statistic is undefined are left aside. (nan, nan) with fewer than two
    documents, or when more than half of the replicates are undefined.
    Raises MetricsError for fewer than 1 replicate or a level outside ]0, 1[.
    """
    return bootstrap_intervals(
        counts, [statistic], n_replicates=n_replicates, level=level, seed=seed
    )[0]


def bootstrap_intervals(
    counts: Counts,
    statistics: Sequence[Statistic],
    *,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> list[tuple[float, float]]:
    """Intervals of several statistics of the same counts, on the same replicates."""
    check_replicates(n_replicates, level)
    if counts.shape[0] < 2:
        return [NO_INTERVAL] * len(statistics)
    rng = np.random.default_rng(seed)
    parts = [
        [statistic(sums) for statistic in statistics]
        for sums in bootstrap_sums(counts, n_replicates, rng)
    ]
    return [
        interval_of(np.concatenate(values), level, counts.shape[0])
        for values in zip(*parts, strict=True)
    ]


def check_replicates(n_replicates: int, level: float) -> None:
    """Raise MetricsError for fewer than 1 replicate or a level outside ]0, 1[."""
    if n_replicates < 1:
        raise MetricsError(f"n_replicates is {n_replicates}; at least 1 is needed")
    if not 0 < level < 1:
        raise MetricsError(f"level is {level}; it must lie between 0 and 1, e.g. 0.95")


def distinct_counts(counts: Counts) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distinct rows, flattened, and how many documents have each."""
    rows, multiplicity = np.unique(counts.reshape(counts.shape[0], -1), axis=0, return_counts=True)
    return rows.astype(np.float64), multiplicity.astype(np.int64)


def bootstrap_sums(
    counts: Counts, n_replicates: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    """Counts summed over resampled documents, (B, …) at a time until `n_replicates` were drawn."""
    rows, multiplicity = distinct_counts(counts)
    n_documents = counts.shape[0]
    if 4 * rows.shape[0] <= n_documents:
        for size in chunks(n_replicates, rows.shape[0]):
            drawn = rng.multinomial(n_documents, multiplicity / n_documents, size=size)
            yield (drawn.astype(np.float64) @ rows).reshape(size, *counts.shape[1:])
        return
    # Few documents are alike: drawing them one by one is cheaper than as many binomials.
    rows = counts.reshape(n_documents, -1).astype(np.float64)
    for size in chunks(n_replicates, n_documents):
        chosen = rng.integers(0, n_documents, (size, n_documents))
        chosen += np.arange(size)[:, None] * n_documents
        drawn = np.bincount(chosen.ravel(), minlength=size * n_documents)
        sums = drawn.reshape(size, n_documents).astype(np.float64) @ rows
        yield sums.reshape(size, *counts.shape[1:])


def chunks(n_replicates: int, width: int) -> Iterator[int]:
    """How many replicates of `width` numbers to draw at once, until all were."""
    step = max(1, _CHUNK // max(1, width))
    for start in range(0, n_replicates, step):
        yield min(step, n_replicates - start)


def interval_of(values: NDArray[np.float64], level: float, n_documents: int) -> tuple[float, float]:
    """Expanded percentile interval of the defined values; none where most are undefined."""
    defined = values[~np.isnan(values)]
    if 2 * defined.size < values.size:
        return NO_INTERVAL
    return expanded_percentile(defined, level, n_documents)
