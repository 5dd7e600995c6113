"""Mean of an ordered or numeric label, corrected by an audit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Flags, Floats
from .audit_counts import AuditCounts
from .corrected_share import corrected_share_interval

_MOST_STEPS = 100  # values of the scale beyond which only those of the audit are steps


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """Means with their intervals, in the unit of the labels; nan without a value.

    naive       mean of the system's values, which an audit has not corrected
    humans      mean of the audited values, with its interval
    corrected   mean of the corpus, with its interval
    """

    naive: float
    humans: float
    humans_interval: tuple[float, float]
    corrected: float
    interval: tuple[float, float]


def corrected_mean(
    system: Floats, human: Floats, *, scale: Floats | None = None, level: float = 0.95
) -> CorrectedMean:
    """Estimate the mean value that humans would give to the items of a corpus.

    system  float64 (N,): values of the system, nan without
    human   float64 (N,): values of the humans, nan for items that were not audited
    scale   float64 (K,): the values that a label may have; default: all that occur. Means of
            several humans between them are steps of their own

    The mean is the lowest value plus, for each step of the scale, its height times the share of
    items at or above it. The intervals of these shares (`corrected_share_interval`) are combined by
    squares with the correlations of their errors, so that a value that the audit did not meet
    counts. Zou & Donner (2008), Statistics in Medicine 27(10).
    """
    is_audited = ~np.isnan(human)
    values = _scale_of(system, human) if scale is None else np.union1d(scale, human[is_audited])
    steps = values[1:]
    audited = human[is_audited, None] >= steps
    given = np.sort(system[~np.isnan(system)])
    weights = (len(given) - np.searchsorted(given, steps)) / len(system)
    by_system = system[is_audited, None] >= steps
    counts = _counts(weights, by_system, audited, float(len(system)))
    middle, bounds = _mean_of(counts, by_system, audited, values, level)
    alone, around = _mean_of(
        counts.as_one_stratum(), np.ones_like(by_system), audited, values, level
    )
    return CorrectedMean(
        float(given.mean()) if len(given) else np.nan, alone, around, middle, bounds
    )


def _scale_of(system: Floats, human: Floats) -> Floats:
    of_humans, of_system = (np.unique(one[~np.isnan(one)]) for one in (human, system))
    if len(of_system) > _MOST_STEPS:
        of_system = of_system[[0, -1]]
    return np.union1d(of_humans, of_system)


def _counts(weights: Floats, by_system: Flags, audited: Flags, n_items: float) -> AuditCounts:
    """(K - 1, 2): for each step the items that the system puts at or above it, and the others.

    A step at which one of the two has no audited item keeps all items in one stratum.
    """
    n, at_or_above = len(audited), by_system.sum(axis=0).astype(np.float64)
    is_alone = (at_or_above == 0) | (at_or_above == n)
    at_or_above = np.where(is_alone, n, at_or_above)
    weights = np.where(is_alone, 1.0, weights)
    hits = (audited & by_system).sum(axis=0).astype(np.float64)
    total = audited.sum(axis=0).astype(np.float64)
    hits = np.where(is_alone, total, hits)
    return AuditCounts(
        weights=np.stack([weights, 1 - weights], axis=-1),
        sizes=np.stack([at_or_above, n - at_or_above], axis=-1),
        hits=np.stack([hits, total - hits], axis=-1),
        n_items=np.full(len(total), n_items),
    )


def _mean_of(
    counts: AuditCounts, by_system: Flags, audited: Flags, values: Floats, level: float
) -> tuple[float, tuple[float, float]]:
    heights = np.diff(values)
    mean = float(values[0] + heights @ counts.share)
    if not len(heights) or bool((counts.n_audited >= counts.n_items).all()):
        return mean, (mean, mean)
    bounds, related = (
        corrected_share_interval(counts, level),
        _correlations(counts, by_system, audited),
    )
    below, above = heights * (counts.share - bounds.lower), heights * (bounds.upper - counts.share)
    return mean, (
        max(mean - float(np.sqrt(below @ related @ below)), float(values[0])),
        min(mean + float(np.sqrt(above @ related @ above)), float(values[-1])),
    )


def _correlations(counts: AuditCounts, by_system: Flags, audited: Flags) -> Floats:
    """(K - 1, K - 1): correlations of the errors of the shares, with one item that errs at all."""
    rates, sizes = counts.rates, counts.sizes
    scale = np.divide(counts.weights, sizes, out=np.zeros(sizes.shape), where=sizes > 0)
    is_first = by_system | (sizes[:, 0] == counts.n_audited)
    expected = np.where(is_first, rates[:, 0], rates[:, -1])
    errors = (audited - expected) * np.where(is_first, scale[:, 0], scale[:, -1])
    n = counts.n_audited
    rate = (counts.n_hits + 0.5) / (n + 1)
    errors = np.vstack([errors, np.sqrt(rate * (1 - rate)) / n])
    products = errors.T @ errors
    norms = np.sqrt(np.diag(products))
    return np.asarray(products / np.outer(norms, norms))
