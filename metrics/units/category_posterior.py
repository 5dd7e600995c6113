"""Posterior over documents for agreement on categories alone: γ-cat, γ-k, cuα, (k)uα.

A bootstrap only repeats observed pairs of units. Where a category is rare, annotators may never
both have used it, and no resample differs from that: of independent categories, with a true value
of 0, every interval was below 0. Coefficients of labels have the same fault, and the same rule
mends it (`metrics.agreement.coefficient_posterior`): each document is one value of a Dirichlet
distribution, and pseudo-pairs of units stand for what was not observed. One pair of the same
category is spread evenly over the categories, three quarters of a pair over the pairs of categories
by their distance. The bounds are percentiles of the draws with the tails of Student's distribution,
t √((D + 1)/(D − 1)) for D documents. Coverage: `benchmarks/results/coverage-units.md`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..agreement.coefficient_posterior import AGREEING, DISAGREEING, OF_DOCUMENTS
from ..arrays import Floats, Ints
from ..bootstrap import generator_for_purpose, replicates_per_block
from ..estimate import Estimate
from ..intervals.interval import Interval, Range, add_interval, interval_of_draws
from ..measures import measure_of
from ..options import Sampling
from ..quantiles import student_tails
from ..row_order import places, row_order
from ..signature import IntervalMethod

PRIOR = f"{AGREEING:g}+{DISAGREEING:g}"  # pairs of units, in signatures
MOST_CATEGORIES = 30  # of which there are pseudo-pairs: the most frequent ones


def posterior_settings(sampling: Sampling, n_documents: int) -> dict[str, Any]:
    """Return the settings of intervals over so many documents for a signature."""
    if not sampling.replicates or n_documents < 2:
        return {}
    return {
        "interval": IntervalMethod(OF_DOCUMENTS, "documents", sampling.confidence_level),
        "prior": PRIOR,
        "replicates": sampling.replicates,
    }


def pseudo_pairs(n_units: Floats, distances: Floats, *rows: Any) -> tuple[Ints, Floats]:
    """Return the kinds of pseudo-pairs: their two categories (P, 2) and their masses (P,).

    n_units    float64 (K,): units of each category; pseudo-pairs are of categories in use
    distances  float64 (K, K)
    rows       counts by document and category (D, K), which tell equally frequent ones apart
    """
    by_use = places(row_order(np.ones(n_units.size, np.int64), *(part.T for part in rows)))
    order = np.lexsort((by_use, -n_units))[:MOST_CATEGORIES]
    used = order[n_units[order] > 0]
    first, second = np.triu_indices(used.size, 1)
    apart = distances[used[first], used[second]]
    total = float(apart.sum())
    shares = apart / total if total > 0 else np.full(apart.size, 1 / max(1, apart.size))
    kinds = np.concatenate(
        [np.stack([used, used], axis=1), np.stack([used[first], used[second]], axis=1)]
    )
    kinds.sort(axis=1)
    agreeing = np.full(used.size, AGREEING / max(1, used.size))
    return kinds, np.concatenate([agreeing, DISAGREEING * shares])


def posterior_weights(
    masses: Floats, sampling: Sampling, *rows: Any
) -> Iterator[tuple[Floats, Floats]]:
    """Yield weights of documents (b, D) and of pseudo-pairs (b, P), in blocks.

    rows  counts by document, (D, …) each, from which the order of the draws is found

    The weights are not divided by their sum. Yields nothing with fewer than two documents.
    """
    n_documents = rows[0].shape[0]
    if n_documents < 2 or not sampling.replicates:
        return
    rng = generator_for_purpose(sampling.seed, 0)
    place = places(row_order(np.ones(n_documents, dtype=np.int64), *rows))
    for size in replicates_per_block(sampling.replicates, n_documents + masses.size):
        yield (
            rng.standard_exponential((size, n_documents))[:, place],
            rng.standard_gamma(masses, (size, masses.size)),
        )


def posterior_interval(
    draws: Floats,
    value: float,
    sampling: Sampling,
    *,
    n_documents: int,
    n_content: int,
    within: Range,
    fewest: int,
) -> Interval:
    """Return the interval of a value from its draws, (B,).

    n_content  documents with content, of which an interval needs `fewest`
    """
    n = max(n_content, 2)
    settings = Interval(
        level=sampling.confidence_level,
        method=OF_DOCUMENTS,
        over="documents",
        n_units=n_documents,
        seed=sampling.seed,
        prior=PRIOR,
    )
    tails = student_tails(n - 1, sampling.confidence_level, math.sqrt((n + 1) / (n - 1)))
    return interval_of_draws(
        draws, tails, settings, value, within=within, n_content=n_content, fewest=fewest
    )


def add_posterior_interval(
    value: Estimate, draws: Floats, sampling: Sampling, *, n_documents: int, n_content: int
) -> Estimate:
    """Return a value with its interval in the range of its measure; none without replicates."""
    if not sampling.replicates:
        return value
    measure = measure_of(value.measure)
    interval = posterior_interval(
        draws,
        value.value,
        sampling,
        n_documents=n_documents,
        n_content=n_content,
        within=measure.range,
        fewest=measure.fewest,
    )
    return add_interval(value, interval)
