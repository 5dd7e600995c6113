"""What the numbers under a table mean: their scale, which one to report, and what to ask next."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .printing import value_text

if TYPE_CHECKING:
    from ...metrics.estimate import Estimate

_EXPLAIN_GAMMA = {
    "units_found": "found {} (units that the other annotator marked, too)",
    "bounds_of_found": "where {} (overlap of two aligned units)",
    "category_of_found": "what {} (same category)",
}

_ENOUGH = (
    "What is enough depends on the use: `accordeur resample` shows how many majority labels would "
    "change with fewer annotators; `--by category` and `--by pair` show where annotators disagree."
)


def explained_text(explained: Sequence[Estimate]) -> list[str]:
    """Put the values that explain γ in one line: found, where, what."""
    said = [
        _EXPLAIN_GAMMA[one.measure].format(value_text(one.value, one.interval)) for one in explained
    ]
    return ["; ".join(said)] if said else []


def reading_guide(estimates: Sequence[Estimate]) -> list[str]:
    """Say how to read coefficients; nothing where the first value is not corrected for chance."""
    from ...metrics.measures import ITEMS, UNITS
    from ...metrics.wall import is_chance_corrected

    names = [one.measure for one in estimates if math.isfinite(one.value)]
    if not names or not is_chance_corrected(names[0]):
        return []
    scale = "1 is perfect agreement, 0 is agreement by chance"
    if names[0] in UNITS:
        scale += "; observed and expected are disagreement, 0 if annotations are identical"
    if not {*names} <= {*ITEMS} or sum(map(is_chance_corrected, names)) < 2:
        return [f"{scale} (`accordeur measures {names[0]}`)."]
    report = (
        f"{scale}. Report {names[0]} with its interval; the other coefficients differ in what they "
        "take for chance (`accordeur measures NAME`)."
    )
    return [report, _ENOUGH]
