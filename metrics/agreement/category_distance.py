"""What is declared of a distance between categories. Which there are: `distances`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Needs(StrEnum):
    """What the table of a distance is made from."""

    CATEGORIES = "categories"  # their number K, an int
    USES = "uses"  # how often each is used, float64 (…, K), in the order of the scale
    NUMBERS = "numbers"  # the number each stands for, float64 (K,)
    NUMBERS_OR_RANKS = "numbers or ranks"  # the same, 1..K in the order of the scale without them
    SETS = "sets"  # the labels that each holds, bool (K, labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryDistance:
    """One distance between categories.

    name      as options, campaign files and results write it
    needs     what `table` takes
    table     the distances, float64 (K, K) or (…, K, K): at least 0, symmetric, 0 on the diagonal
    places    of a distance that is the square of a difference: the places on the line that it is of
    ordered   the categories are in the order of a scale
    circle    `name/24` gives `table` the length of a circle, 24, as well
    offered   commands and campaign files list it
    """

    name: str
    table: Callable[..., Floats]
    needs: Needs
    places: Callable[[Floats], Floats] | None = None
    ordered: bool = False
    circle: bool = False
    offered: bool = True
