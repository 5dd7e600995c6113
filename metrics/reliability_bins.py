"""Predicted probabilities beside what came true, in bins: the data of a reliability diagram."""

from __future__ import annotations

import numpy as np

from .arrays import Flags, Floats, Ints
from .intervals.binomial import wilson
from .results import ReliabilityBin

N_BINS = 10


def bin_of_each(predicted: Floats) -> Ints:
    """Return the bin of each probability (n,), tenths from 0 to 1."""
    return np.asarray(np.clip((predicted * N_BINS).astype(np.int64), 0, N_BINS - 1))


def reliability_bins(predicted: Floats, true: Flags, level: float) -> tuple[ReliabilityBin, ...]:
    """Return the bins that contain a prediction.

    predicted, true  (n,): the probability of each event, and whether it happened
    """
    of = bin_of_each(predicted)
    n, sums, hits = (
        np.bincount(of, weights=weights, minlength=N_BINS) for weights in (None, predicted, true)
    )
    limits = wilson(hits.astype(np.float64), np.maximum(n, 1.0), level)
    return tuple(
        ReliabilityBin(
            b / N_BINS,
            (b + 1) / N_BINS,
            int(n[b]),
            float(sums[b] / n[b]),
            float(hits[b] / n[b]),
            (float(limits.lower[b]), float(limits.upper[b])),
        )
        for b in range(N_BINS)
        if n[b]
    )
