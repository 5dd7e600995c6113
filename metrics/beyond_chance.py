"""Agreement beyond chance, 1 − D_o/D_e, and when chance expects no disagreement."""

from __future__ import annotations

import math

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


def share_of_guesses(value: float) -> float:
    """Return 1 − √value, the share of items on which annotators guess; nan outside (0, 1].

    In this model, of coefficients with `chance_from_labels`, annotators guess on a share q of the
    items, independently of each other, by a draw from the distribution of categories, and give the
    correct label on the others. Both labels of an item are correct with probability (1 − q)²;
    otherwise they disagree as often as chance labels, with any distance:
    D_o = (1 − (1 − q)²) D_e, so 1 − D_o / D_e = (1 − q)².

    >>> share_of_guesses(0.64)
    0.2
    """
    return round(1.0 - math.sqrt(value), 12) if 0 < value <= 1 else math.nan
