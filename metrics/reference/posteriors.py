"""Log scores of categories to posteriors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def normalised(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Posteriors (N, K) of log scores (N, K), and Σ log Σ exp: the log-likelihood."""
    highest = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - highest)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, float((highest + np.log(total)).sum())
