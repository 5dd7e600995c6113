"""Krippendorff's α (1980; 2004, chapter 11): any distance, many annotators, missing labels.

    α = 1 − D_o/D_e,  D_o = Σ o_ck δ_ck / n,  D_e = Σ n_c n_k δ_ck / (n (n − 1))

with o the coincidence matrix of the paired labels, n_c its margins and n its sum.
"""

from __future__ import annotations

from ..sums import Sums
from .kappa import Disagreements, divide
from .spread import Spread


def krippendorff(sums: Sums, spread: Spread) -> Disagreements:
    """D_o and D_e, arrays (B,)."""
    n_c = sums.paired
    n = n_c.sum(axis=1)
    observed = divide((sums.coincidences * spread.at(sums.cells)).sum(axis=1), n)
    return observed, divide(spread.between(n_c, n_c), n * (n - 1))
