"""Declaration of a distance between categories.

The distances themselves are in `distances`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ..arrays import Floats


class Needs(StrEnum):
    """Input that the table of a distance is computed from."""

    CATEGORIES = "categories"  # the number of categories K, an int
    USES = "uses"  # the frequency of each category, float64 (…, K), in the order of the scale
    NUMBERS = "numbers"  # the number that each category stands for, float64 (K,)
    RANKS = "ranks"  # 1..K in the order of the scale
    NUMBERS_OR_RANKS = "numbers or ranks"  # the same, or 1..K for categories without numbers
    NAMES = "names"  # the name of each category, K strings
    SETS = "sets"  # the labels in each set, bool (K, labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryDistance:
    """A distance between categories.

    name      its name in options, campaign files and results
    needs     input of `table`
    table     function that returns the distances, float64 (K, K) or (…, K, K): non-negative,
              symmetric, 0 on the diagonal
    places    function that returns positions on a line, if the distance is the square of their
              difference
    ordered   whether the categories must be in the order of a scale
    circle    whether `name/24` passes the circumference 24 to `table`
    separator  whether `name/.` passes the separator of paths `.` to `table`
    offered   whether commands and campaign files list it
    """

    name: str
    table: Callable[..., Floats]
    needs: Needs
    places: Callable[[Floats], Floats] | None = None
    ordered: bool = False
    circle: bool = False
    separator: bool = False
    offered: bool = True
