"""Agreement beyond chance, 1 − D_o/D_e, and when chance expects no disagreement."""

from __future__ import annotations

import numpy as np

from .arrays import Floats

NO_DISAGREEMENT = 1e-12
"""Largest expected disagreement that is 0 except for rounding errors, of about 1e-17."""


def beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """Return 1 − D_o/D_e of arrays of one shape; nan where chance expects no disagreement.

    >>> beyond_chance(np.array([0.1, 0.0]), np.array([0.5, 0.0]))
    array([0.8, nan])
    """
    out = np.full(expected.shape, np.nan)
    defined = expected > NO_DISAGREEMENT
    out[defined] = 1 - observed[defined] / expected[defined]
    return out
