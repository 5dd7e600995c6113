"""Intervals of scores and comparison of systems, by resampling documents.

A score is a function of counts that add over documents. Every test here takes the counts of each
document, (D, …), and a `statistic` that maps sums of counts, (B, …), to B values; where many
documents have the same counts they are drawn together (multinomial and binomial draws), which gives
the distribution of the plain method at a fraction of its cost.

Sources: Efron & Tibshirani 1993 (bootstrap), Hesterberg 2015 (its interval); Berg-Kirkpatrick,
Burkett & Klein 2012 (paired bootstrap, shifted); Noreen 1989 and Yeh 2000 (approximate
randomisation); Holm 1979.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from metrics.errors import MetricsError
from metrics.estimate import NO_INTERVAL
from metrics.expanded_percentile import expanded_percentile

Counts: TypeAlias = NDArray[Any]
Statistic: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]

_CHUNK = 4_000_000  # drawn numbers held at once


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same documents.

    `difference` is first − second; `interval` is its bootstrap interval at `level`.
    `p_bootstrap` and `p_randomisation` are two-sided and never 0: (1 + hits) / (1 + samples).
    `p_corrected` is the randomisation p after Holm's correction over the whole family compared.
    All are nan, with a `reason`, when a score is undefined or fewer than two documents are given.
    """

    first: str
    second: str
    difference: float
    interval: tuple[float, float] = NO_INTERVAL
    p_bootstrap: float = math.nan
    p_randomisation: float = math.nan
    p_corrected: float = math.nan
    n_documents: int = 0
    level: float = 0.95
    reason: str = ""


def total(counts: Counts) -> NDArray[np.float64]:
    """Counts summed over documents, (1, …): what a statistic takes for the score itself."""
    return counts.sum(axis=0, keepdims=True, dtype=np.float64)


def bootstrap_interval(
    counts: Counts,
    statistic: Statistic,
    *,
    n_samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """Expanded percentile interval of statistic(Σ counts) over resampled documents.

    counts     (D, …), one row a document
    statistic  (B, …) → (B,)
    Samples in which the statistic is undefined are left aside. (nan, nan) with fewer than two
    documents, or when more than half of the samples are undefined.
    Raises MetricsError for fewer than 1 sample or a level outside ]0, 1[.
    """
    return bootstrap_intervals(counts, [statistic], n_samples=n_samples, level=level, seed=seed)[0]


def bootstrap_intervals(
    counts: Counts,
    statistics: Sequence[Statistic],
    *,
    n_samples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> list[tuple[float, float]]:
    """Intervals of several statistics of the same counts, on the same samples."""
    _check(n_samples, level)
    if counts.shape[0] < 2:
        return [NO_INTERVAL] * len(statistics)
    rng = np.random.default_rng(seed)
    parts = [
        [statistic(sums) for statistic in statistics]
        for sums in _bootstrap_sums(counts, n_samples, rng)
    ]
    return [
        _interval(np.concatenate(values), level, counts.shape[0])
        for values in zip(*parts, strict=True)
    ]


def compare_systems(
    first: Counts,
    second: Counts,
    statistic: Statistic,
    *,
    names: tuple[str, str] = ("first", "second"),
    n_samples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Difference of two systems' scores, paired by document: interval and two tests.

    first, second  (D, …) counts of the same documents in the same order
    Bootstrap p: share of samples whose difference is as far from the observed one as the observed
    one is from 0. Randomisation p: share of random swaps of the two systems, document by document,
    with a difference at least as large. Raises MetricsError when the shapes differ.
    """
    _check(n_samples, level)
    if first.shape != second.shape:
        raise MetricsError(
            f"{names[0]!r} has counts of shape {first.shape} and {names[1]!r} {second.shape}: "
            "score both on the same documents with the same tagset"
        )
    n_documents = first.shape[0]
    observed = float(statistic(total(first))[0] - statistic(total(second))[0])
    result = Comparison(*names, observed, n_documents=n_documents, level=level)
    if math.isnan(observed):
        return replace(result, reason="the score of one of the systems is undefined")
    if n_documents < 2:
        return replace(result, reason="fewer than two documents")
    both = np.stack([first, second], axis=1)
    # Two streams, so that neither test depends on how many samples the other has drawn.
    of_bootstrap, of_swaps = (np.random.default_rng([seed, stream]) for stream in (0, 1))
    differences = np.concatenate(
        [
            statistic(sums[:, 0]) - statistic(sums[:, 1])
            for sums in _bootstrap_sums(both, n_samples, of_bootstrap)
        ]
    )
    swapped = np.concatenate(
        [
            statistic(sums[:, 0]) - statistic(sums[:, 1])
            for sums in _swapped_sums(both, n_samples, of_swaps)
        ]
    )
    return replace(
        result,
        interval=_interval(differences, level, n_documents),
        p_bootstrap=_p_value(np.abs(differences - observed), abs(observed)),
        p_randomisation=_p_value(np.abs(swapped), abs(observed)),
    )


def compare_all(
    systems: Mapping[str, Counts],
    statistic: Statistic,
    *,
    n_samples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Comparison, ...]:
    """Every pair of systems, in the order given; p values corrected together (Holm)."""
    found = [
        compare_systems(
            systems[first],
            systems[second],
            statistic,
            names=(first, second),
            n_samples=n_samples,
            level=level,
            seed=seed,
        )
        for first, second in combinations(systems, 2)
    ]
    corrected = holm([comparison.p_randomisation for comparison in found])
    return tuple(
        replace(comparison, p_corrected=float(p))
        for comparison, p in zip(found, corrected, strict=True)
    )


def holm(p_values: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Holm's step-down adjusted p values, in the order given; nan stays nan and is not counted."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, math.nan)
    tested = np.nonzero(~np.isnan(p))[0]
    order = tested[np.argsort(p[tested], kind="stable")]
    factors = np.arange(order.size, 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted


def _check(n_samples: int, level: float) -> None:
    if n_samples < 1:
        raise MetricsError(f"n_samples is {n_samples}; at least 1 sample is needed")
    if not 0 < level < 1:
        raise MetricsError(f"level is {level}; it must lie between 0 and 1, e.g. 0.95")


def _distinct(counts: Counts) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Distinct rows, flattened, and how many documents have each."""
    rows, multiplicity = np.unique(counts.reshape(counts.shape[0], -1), axis=0, return_counts=True)
    return rows.astype(np.float64), multiplicity.astype(np.int64)


def _bootstrap_sums(
    counts: Counts, n_samples: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    rows, multiplicity = _distinct(counts)
    n_documents = counts.shape[0]
    if 4 * rows.shape[0] <= n_documents:
        for size in _chunks(n_samples, rows.shape[0]):
            drawn = rng.multinomial(n_documents, multiplicity / n_documents, size=size)
            yield (drawn.astype(np.float64) @ rows).reshape(size, *counts.shape[1:])
        return
    # Few documents are alike: drawing them one by one is cheaper than as many binomials.
    rows = counts.reshape(n_documents, -1).astype(np.float64)
    for size in _chunks(n_samples, n_documents):
        chosen = rng.integers(0, n_documents, (size, n_documents))
        chosen += np.arange(size)[:, None] * n_documents
        drawn = np.bincount(chosen.ravel(), minlength=size * n_documents)
        sums = drawn.reshape(size, n_documents).astype(np.float64) @ rows
        yield sums.reshape(size, *counts.shape[1:])


def _swapped_sums(
    both: Counts, n_samples: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    sums = total(both)[0]
    # A document where both systems have the same counts changes nothing when swapped.
    changes = both[:, 0].astype(np.float64) - both[:, 1]
    changes = changes[changes.reshape(changes.shape[0], -1).any(axis=1)]
    if not changes.shape[0]:
        yield np.broadcast_to(sums, (n_samples, *sums.shape))
        return
    rows, multiplicity = _distinct(changes)
    alike = 4 * rows.shape[0] <= changes.shape[0]
    if not alike:
        rows = changes.reshape(changes.shape[0], -1)
    for size in _chunks(n_samples, rows.shape[0]):
        shape = (size, rows.shape[0])
        drawn = rng.binomial(multiplicity, 0.5, shape) if alike else rng.random(shape) < 0.5
        moved = (drawn.astype(np.float64) @ rows).reshape(size, *changes.shape[1:])
        yield np.stack([sums[0] - moved, sums[1] + moved], axis=1)


def _chunks(n_samples: int, width: int) -> Iterator[int]:
    step = max(1, _CHUNK // max(1, width))
    for start in range(0, n_samples, step):
        yield min(step, n_samples - start)


def _interval(values: NDArray[np.float64], level: float, n_documents: int) -> tuple[float, float]:
    defined = values[~np.isnan(values)]
    if 2 * defined.size < values.size:
        return NO_INTERVAL
    return expanded_percentile(defined, level, n_documents)


def _p_value(distances: NDArray[np.float64], observed: float) -> float:
    # Sums of floats: a sample equal to the observed value must count as reaching it.
    hits = int((distances[~np.isnan(distances)] >= observed - 1e-12).sum())
    return (1 + hits) / (1 + int((~np.isnan(distances)).sum()))
