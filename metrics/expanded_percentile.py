"""The interval of a bootstrap: percentiles, expanded for few units drawn.

Percentiles of a bootstrap are too narrow for n units (documents, items): resamples vary as n does,
not n - 1, and normal tails are taken where Student's are due. Both are mended by taking wider
percentiles, Φ(∓ √(n/(n - 1)) t) for -t and t the quantiles of Student's distribution with n - 1
degrees of freedom (Hesterberg 2015, "What teachers should know about the bootstrap", The American
Statistician 69(4), "expanded percentile interval"). Over 4, 5, 8 and 30 documents intervals at 95 %
of α, no category being rare, held .86, .92, .95 and .95 of the time in simulation, plain
percentiles .79, .84, .89 and .94 (`benchmarks/coverage.py`). With many units the two are the same.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

METHOD = "bootstrap-expanded-percentile"
"""Its name in signatures."""

ROUNDING = 1e-12


def expanded_percentile(
    replicates: NDArray[np.float64], level: float, n_units: int
) -> tuple[float, float]:
    """The interval at `level` from the finite ones among replicates, float64 (B,).

    n_units  how many documents or items each replicate draws
    (nan, nan) without a finite replicate, or with fewer than two units.
    """
    finite = replicates[np.isfinite(replicates)]
    if not finite.size or n_units < 2:
        return (math.nan, math.nan)
    lower, upper = np.quantile(finite, tails(level, n_units))
    return float(lower), float(upper)


def p_value_of_zero(replicates: NDArray[np.float64], n_units: int) -> float:
    """1 less the level of the interval that ends at 0, from finite replicates (B,); two-sided.

    Of the share of replicates on the other side of 0, (b + 1)/(B + 1) (Davison & Hinkley 1997,
    section 4.2), the quantile is scaled as that of `tails`. At most 1; `n_units` two or more. A
    replicate within `ROUNDING` of 0 is 0: BLAS kernels add in different orders.
    """
    from scipy.special import ndtri, stdtr

    beyond = min(int((replicates <= ROUNDING).sum()), int((replicates >= -ROUNDING).sum()))
    z = min(0.0, float(ndtri((beyond + 1) / (replicates.size + 1))))
    return min(1.0, 2 * float(stdtr(n_units - 1, z * math.sqrt((n_units - 1) / n_units))))


@lru_cache
def tails(level: float, n_units: int) -> tuple[float, float]:
    """The probabilities of the lower and the upper percentile, for two units or more."""
    from scipy.special import ndtr, stdtrit  # slow to import, and one document needs neither

    t = float(stdtrit(n_units - 1, (1 + level) / 2)) * math.sqrt(n_units / (n_units - 1))
    return float(ndtr(-t)), float(ndtr(t))
