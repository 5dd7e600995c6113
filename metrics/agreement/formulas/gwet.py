"""Gwet's AC1 (2008) and AC2 (2014): chance agreement on the items that are hard to label.

    p_e = (T / (K (K − 1))) Σ p_k (1 − p_k),  T = Σ_ck w_ck,  w = 1 − δ (AC1: identity, T = K)

p_k is the mean over items of n_ik/n_i. When one category takes nearly all labels p_e tends to 0,
where that of π and κ tends to 1: this is the opposite answer to the question of prevalence.
"""

from __future__ import annotations

import numpy as np

from ..sums import Sums
from .kappa import Disagreements, divide, observed_disagreement
from .spread import Spread


def gwet(sums: Sums, spread: Spread) -> Disagreements:
    """D_o and D_e = 1 − p_e, arrays (B,), for distances in [0, 1]; p_e is 0 where K = 1."""
    n_categories = sums.n_categories
    weights = n_categories**2 - np.asarray(spread.total())
    p = divide(sums.shares, sums.n_labelled[:, None])
    hard = (p * (1 - p)).sum(axis=1)
    n_pairs = hard * 0 + max(1, n_categories * (n_categories - 1))
    return observed_disagreement(sums, spread), 1 - divide(weights * hard, n_pairs)
