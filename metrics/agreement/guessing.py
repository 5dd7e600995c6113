"""A chance-corrected value as a share of items on which annotators guess."""

from __future__ import annotations

import math

GUESSES_LIKE_CHANCE = ("krippendorff_alpha", "fleiss_kappa", "conger_kappa")
"""Coefficients whose chance is a random draw from the annotators' own categories."""


def share_of_guesses(value: float) -> float:
    """1 − √value: the share of items on which annotators guess, in [0, 1]; nan outside (0, 1].

    Annotators guess on a share q of the items, each independently of the others, by a draw from
    the distribution of categories, and give the right label on the rest. Two labels of an item are
    both right with probability (1 − q)², and otherwise disagree as chance does, with any distance:
    D_o = (1 − (1 − q)²) D_e, so that 1 − D_o / D_e = (1 − q)².

    >>> share_of_guesses(0.64)
    0.2
    """
    return round(1.0 - math.sqrt(value), 12) if 0 < value <= 1 else math.nan
