"""Dirichlet-multinomial model of how label distributions vary from item to item.

Labels of an item are drawn from its own distribution, and the distributions of the items from a
Dirichlet with means π and concentration s. π are the shares of all labels, s maximises the
likelihood (Minka 2000, "Estimating a Dirichlet distribution"). With a small s, annotators nearly
always agree on an item; with a large s, labels do not depend on the item.

Both sides of the wall use this module: soft references and the predictions compared with them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats

_LOG_BOUNDS = (-6.0, 9.0)  # log concentration: from unanimous items to items all alike


def fit_dirichlet(counts: NDArray[np.integer]) -> Floats:
    """Fit the parameters s·π, float64 (K,), to label counts (N, K); 0 for unused categories.

    If no item has two labels, s cannot be estimated and is 1.

    >>> fit_dirichlet(np.array([[3, 0], [0, 3], [3, 0], [1, 2]])).round(2)
    array([0.3 , 0.21])
    """
    from scipy.optimize import minimize_scalar
    from scipy.special import gammaln

    n_labels = counts.sum(axis=1)
    shares = counts.sum(axis=0) / max(1, int(n_labels.sum()))
    used = shares > 0
    distinct, times = np.unique(counts[n_labels > 1][:, used], axis=0, return_counts=True)
    if not len(distinct) or used.sum() < 2:
        return shares.astype(np.float64)

    def loss(log_concentration: float) -> float:
        concentration = np.exp(log_concentration)
        prior = concentration * shares[used]
        of_categories = (gammaln(prior + distinct) - gammaln(prior)).sum(axis=1)
        of_items = gammaln(concentration) - gammaln(concentration + distinct.sum(axis=1))
        return -float(times @ (of_categories + of_items))

    found = minimize_scalar(loss, bounds=_LOG_BOUNDS, method="bounded", options={"xatol": 1e-6})
    return np.asarray(np.exp(found.x) * shares, dtype=np.float64)


def posterior_means(counts: NDArray[np.integer], prior: Floats) -> Floats:
    """Predictive distribution of another label per item, (N, K): its labels, shrunk to all."""
    weights = counts + prior
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)
