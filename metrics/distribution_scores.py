"""Distances between distributions over categories: the measures of soft references.

| measure | value for one item, with the reference p and the prediction q |
|---|---|
| cross_entropy | −Σ p ln q, in nats; q at least `FLOOR` in every category |
| manhattan | Σ abs(p − q), 0 to 2 |
| jensen_shannon | divergence in bits, 0 to 1 |
| wasserstein | Σ abs(P − Q) of the cumulative shares, times the distance to the next category |
| annotator_error_rate | share of the annotators whose label differs from the predicted one |

Sources: Uma et al. 2021 (cross-entropy, Jensen–Shannon); Leonardelli et al. 2025 (Manhattan,
Wasserstein, error rate of single annotators). Cross-entropy has no upper bound: for a system that
is wrong and certain, the floor determines it.

Both sides of the wall use this module: the registry declares its measures, scoring applies them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .arrays import Floats, Ints

FLOOR = 0.01
"""Smallest probability of a prediction in a cross-entropy and a log-loss."""


@dataclass(frozen=True, slots=True)
class LabelShares:
    """Reference: the labels that annotators gave N items, and their distribution.

    counts         int64 (N, K)
    probabilities  float64 (N, K), rows sum to 1: shares of the labels, or the output of a model
    positions      float64 (K,): positions of the categories on the scale; None: no scale
    """

    counts: Ints
    probabilities: Floats
    positions: Floats | None = None


@dataclass(frozen=True, slots=True)
class DistributionScore:
    """A measure with scores (N,) of predictions float64 (N, K); lower is better.

    needs_scale  whether categories must be ordered
    maximum      highest score; inf without one
    """

    of_items: Callable[[LabelShares, Floats], Floats]
    sources: tuple[str, ...]
    symbol: str = ""
    needs_scale: bool = False
    maximum: float = 1.0


def raise_to_floor(probabilities: Floats) -> Floats:
    """Raise every probability to at least `FLOOR` and rescale the rows to sum 1."""
    raised = np.maximum(probabilities, FLOOR)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float64)


def _cross_entropy(reference: LabelShares, q: Floats) -> Floats:
    return np.asarray(-(reference.probabilities * np.log(raise_to_floor(q))).sum(axis=1))


def _manhattan(reference: LabelShares, q: Floats) -> Floats:
    return np.asarray(np.abs(reference.probabilities - q).sum(axis=1))


def _jensen_shannon(reference: LabelShares, q: Floats) -> Floats:
    p = reference.probabilities
    return np.maximum(0.0, entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2)


def _wasserstein(reference: LabelShares, q: Floats) -> Floats:
    if reference.positions is None:
        return np.full(len(q), np.nan)
    order = np.argsort(reference.positions, kind="stable")
    moved = np.cumsum((reference.probabilities - q)[:, order], axis=1)[:, :-1]
    return np.asarray(np.abs(moved) @ np.diff(reference.positions[order]))


def _annotator_error_rate(reference: LabelShares, q: Floats) -> Floats:
    """Error rate when the most likely category is predicted for each annotator; mean over ties."""
    likeliest = q >= q.max(axis=1, keepdims=True) - 1e-9
    alike = (reference.counts * likeliest).sum(axis=1) / likeliest.sum(axis=1)
    return np.asarray(1 - alike / np.maximum(1, reference.counts.sum(axis=1)))


def entropy(p: Floats) -> Floats:
    """Return the entropy of each row in bits, float64 (N,)."""
    return np.asarray(-(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=1))


SINGLE_ANNOTATORS = "annotator_error_rate"

DISTRIBUTION_SCORES = {
    "manhattan": DistributionScore(_manhattan, ("leonardelli2025",), maximum=2.0),
    "cross_entropy": DistributionScore(_cross_entropy, ("uma2021",), maximum=math.inf),
    "jensen_shannon": DistributionScore(_jensen_shannon, ("lin1991", "uma2021"), symbol="JSD"),
    "wasserstein": DistributionScore(
        _wasserstein, ("leonardelli2025",), needs_scale=True, maximum=math.inf
    ),
    SINGLE_ANNOTATORS: DistributionScore(_annotator_error_rate, ("leonardelli2025",)),
}
"""Measures by name, the main one first."""
