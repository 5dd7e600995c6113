"""Comparison of systems by resampling documents.

Every test uses the counts of each document and a statistic of their sums
(`metrics.intervals.evaluate`).

Sources: Berg-Kirkpatrick, Burkett & Klein 2012 (paired bootstrap, shifted); Noreen 1989 and Yeh
2000 (approximate randomisation, by binomial draws of equal documents); Holm 1979.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..arrays import Floats
from ..bootstrap import (
    METHOD,
    Counts,
    check_replicates,
    distinct_counts,
    percentile_probabilities,
    replicates_per_block,
    resampled_sums,
    total_over_documents,
)
from ..differences import holm
from ..errors import MetricsError
from ..intervals.evaluate import Statistic
from ..intervals.interval import Interval, interval_of_draws
from ..reason import Reason, ReasonCode
from ..results import SystemComparison


def compare_systems(
    first: Counts,
    second: Counts,
    statistic: Statistic,
    *,
    names: tuple[str, str] = ("first", "second"),
    n_replicates: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> SystemComparison:
    """Compare two systems' scores, paired by document: difference, interval and two tests.

    first, second  (D, …) counts of the same documents in the same order

    Bootstrap p-value: share of replicates whose difference is at least as far from the observed one
    as the observed one from 0. Randomisation p-value: share of random swaps of the two systems,
    document by document, with a difference at least as large. Raises MetricsError if the shapes
    differ.
    """
    check_replicates(n_replicates, level)
    if first.shape != second.shape:
        raise MetricsError(
            f"{names[0]!r} has counts of shape {first.shape} and {names[1]!r} {second.shape}: "
            "score both on the same documents with the same tagset"
        )
    n_documents, of = first.shape[0], statistic.of
    observed = float(of(total_over_documents(first))[0] - of(total_over_documents(second))[0])
    result = SystemComparison(*names, observed, n_documents=n_documents, level=level)
    if math.isnan(observed):
        return replace(result, reason=Reason(ReasonCode.SCORE_UNDEFINED))
    if n_documents < 2:
        return replace(result, reason=Reason(ReasonCode.ONE_DOCUMENT_COMPARED))
    both = np.stack([first, second], axis=1)
    # Two streams, so that each test is independent of the number of replicates of the other.
    of_bootstrap, of_swaps = (np.random.default_rng([seed, stream]) for stream in (0, 1))
    differences = np.concatenate(
        [
            of(sums[:, 0]) - of(sums[:, 1])
            for sums in resampled_sums(both, n_replicates, of_bootstrap)
        ]
    )
    swapped = np.concatenate(
        [of(sums[:, 0]) - of(sums[:, 1]) for sums in _swapped_sums(both, n_replicates, of_swaps)]
    )
    lowest, highest = statistic.within
    interval = interval_of_draws(
        differences,
        percentile_probabilities(level, n_documents),
        Interval(level=level, method=METHOD, over="documents", n_units=n_documents),
        observed,
        within=(lowest - highest, highest - lowest),
    )
    return replace(
        result,
        interval=interval.bounds,
        p_bootstrap=_p_value(np.abs(differences - observed), abs(observed)),
        p_randomisation=_p_value(np.abs(swapped), abs(observed)),
    )


def compare_all_systems(
    systems: Mapping[str, Counts],
    statistic: Statistic,
    *,
    n_replicates: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[SystemComparison, ...]:
    """Compare every pair of systems, in the given order, with Holm's correction of the p-values."""
    found = [
        compare_systems(
            systems[first],
            systems[second],
            statistic,
            names=(first, second),
            n_replicates=n_replicates,
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


def _swapped_sums(both: Counts, n_replicates: int, rng: np.random.Generator) -> Iterator[Floats]:
    sums = total_over_documents(both)[0]
    # Swapping a document with the same counts for both systems changes nothing.
    changes = both[:, 0].astype(np.float64) - both[:, 1]
    changes = changes[changes.reshape(changes.shape[0], -1).any(axis=1)]
    if not changes.shape[0]:
        yield np.broadcast_to(sums, (n_replicates, *sums.shape))
        return
    rows, multiplicity = distinct_counts(changes)
    for size in replicates_per_block(n_replicates, rows.shape[0]):
        drawn = rng.binomial(multiplicity, 0.5, (size, rows.shape[0]))
        moved = (drawn.astype(np.float64) @ rows).reshape(size, *changes.shape[1:])
        yield np.stack([sums[0] - moved, sums[1] + moved], axis=1)


def _p_value(distances: Floats, observed: float) -> float:
    # Tolerance for sums of floats: a replicate equal to the observed value must count as a hit.
    hits = int((distances[~np.isnan(distances)] >= observed - 1e-12).sum())
    return (1 + hits) / (1 + int((~np.isnan(distances)).sum()))
