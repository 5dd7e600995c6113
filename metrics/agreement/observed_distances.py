"""Distances between categories, proposed from confusions of annotators (Fort et al. 2010, 4.2).

They are proposals to compare with the declared distances, and are used only after a person has
written them to the campaign file: applied automatically, they would turn frequent confusions into
agreement.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, shares
from ..errors import MetricsError


def conditional_probabilities(confusion: NDArray[np.generic]) -> Floats:
    """Return P(k | c), float64 (K, K): one annotator says k given that the other says c.

    (n[c, k] + n[k, c]) / (n[c, ·] + n[·, c]) for the confusion matrix of two annotators, or the sum
    of the matrices of all pairs. A row is nan if category c was never used.
    """
    table = np.asarray(confusion, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise MetricsError(f"a confusion matrix must be square; found shape {table.shape}")
    both_ways = table + table.T
    return shares(both_ways)


def proposed_distances(confusion: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Return d_α and d_κω, float64 (K, K) in [0, 1], symmetric with a zero diagonal.

    d_α is the mean and d_κω the product of 1 − P(k|c) and 1 − P(c|k). A category that was never
    used has distance 1 from every other, because no confusion was observed.
    """
    apart = 1 - np.nan_to_num(conditional_probabilities(confusion), nan=0.0)
    of_alpha, of_kappa = (apart + apart.T) / 2, apart * apart.T
    np.fill_diagonal(of_alpha, 0.0)
    np.fill_diagonal(of_kappa, 0.0)
    return of_alpha, of_kappa
