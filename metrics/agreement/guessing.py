"""Interpretation of a chance-corrected value as the share of items on which annotators guess."""

from __future__ import annotations

import math


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
