"""Finn's R (1970): one minus the variance observed within items over that of uniform chance.

The variance within an item is that of the ranks 1..K of its labels (divisor n_i − 1), the expected
one that of the discrete uniform distribution, (K² − 1)/12. A sample variance is half the mean
squared difference over the pairs of labels, so R reads the same sums as the other coefficients.
"""

from __future__ import annotations

import numpy as np

from ..sums import Sums
from .kappa import Disagreements, observed_disagreement
from .spread import Spread, Squares


def finn(sums: Sums, spread: Spread) -> Disagreements:
    """Observed and expected variance, arrays (B,). The distances are not used: R has its own."""
    del spread
    n_categories = sums.n_categories
    ranks = Squares(np.arange(n_categories, dtype=np.float64))
    observed = observed_disagreement(sums, ranks) / 2
    return observed, np.full_like(observed, (n_categories**2 - 1) / 12)
