"""Why a value is undefined, in the words that reports print."""

from __future__ import annotations

UNLABELLED_NAME = "(no category)"  # how results name the units without a category

NO_UNIT = "no annotator marked a unit"
ONE_ANNOTATOR = "fewer than two annotators"
NOTHING_IN_COMMON = "no document in common"
NO_CHANCE_DISORDER = "chance achieves disorder 0: every virtual document agrees with itself"
NO_CHANCE_UNIT = "no virtual document holds a unit: the corpus has next to none"
SINGLE_CATEGORY = "single category used"
NO_PAIR = "no two units that stand near each other are aligned"
NOTHING_BUT_UNITS = "units fill every document: no gap to tell them from"
NO_OVERLAP = "no unit of one annotator meets a unit of another"
UNUSED_CATEGORY = "no annotator used the category"
NO_DISAGREEMENT = "no disagreement is possible: the units fill the whole length"


def too_few_units(n: int, fewest: int) -> str:
    """Of a part whose γ would be mostly chance: `n` units where `fewest` are asked for."""
    return f"too few units ({n}): γ of a part needs {fewest}"
