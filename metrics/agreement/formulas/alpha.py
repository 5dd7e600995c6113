"""Krippendorff's α (1980; 2004, chapter 11): any distance, many annotators, missing labels.

    α = 1 − D_o/D_e,  D_o = Σ o_ck δ_ck / n,  D_e = Σ n_c n_k δ_ck / (n (n − 1))

with o the coincidence matrix of the paired labels, n_c its margins and n its sum.
"""

from __future__ import annotations

import numpy as np

from metrics.agreement.formulas.kappa import Disagreements, Floats, divide, expected_under
from metrics.agreement.sums import Sums


def krippendorff(sums: Sums, distance: Floats) -> Disagreements:
    """D_o and D_e, arrays (B,), for a distance table (K, K) or (B, K, K)."""
    coincidences = sums.coincidences
    n_c = coincidences.sum(axis=2)
    n = n_c.sum(axis=1)
    observed = divide((coincidences * distance).sum(axis=(1, 2)), n)
    expected = divide(expected_under(n_c, n_c, distance), n * (n - 1))
    return observed, expected


def paired_margins(sums: Sums) -> Floats:
    """n_c, (B, K): the margins of the coincidence matrix, which the ordinal distance reads."""
    return np.asarray(sums.coincidences.sum(axis=2))
