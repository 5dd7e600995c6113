"""The G index (Holley & Guilford 1964): 2 p_o − 1, as if each label were right half of the time."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.agreement.formulas.coefficient import (
    Coefficient,
    Disagreements,
    observed_disagreement,
)
from accordeur.metrics.agreement.formulas.spread import Spread
from accordeur.metrics.agreement.sums import Sums


def half(sums: Sums, spread: Spread) -> Disagreements:
    """D_o, and D_e = 1/2 whatever the categories are."""
    observed = observed_disagreement(sums, spread)
    return observed, np.full_like(observed, 0.5)


G_INDEX = Coefficient(name="g_index", symbol="G", disagreements=half, anonymous=True)
