"""Options of rankings: the columns of a table of preferences or scores, and the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ...metrics.options import Option, Sampling

_KNOWN = "Default: a column with a usual name, such as"


@dataclass(frozen=True)
class RankOptions(Sampling):
    """Options for ranking systems from preferences."""

    item: Annotated[str | None, Option(f"Column of the item. {_KNOWN} item.")] = None
    rater: Annotated[
        str | None, Option(f"Column of who compares. {_KNOWN} rater; without one: one rater.")
    ] = None
    left: Annotated[
        str | None, Option(f"Column of the system shown first or left. {_KNOWN} left, model_a.")
    ] = None
    right: Annotated[
        str | None, Option(f"Column of the other system. {_KNOWN} right, model_b.")
    ] = None
    outcome: Annotated[
        str | None,
        Option(
            "Column of what is preferred: left, right, tie, both bad (a tie), or the name of the "
            f"system. {_KNOWN} outcome, winner."
        ),
    ] = None
    score: Annotated[
        str | None,
        Option(
            "Column of a score, in a table with a row for each item, rater and system: of two "
            "systems on an item, a rater prefers the one with the higher score (the mean, if it "
            "has several), and equal scores are a tie."
        ),
    ] = None
    system: Annotated[str | None, Option("With --score: column of the system.")] = None
    lower_is_better: Annotated[
        bool, Option("With --score: the lower score is preferred, as of errors.")
    ] = False
    ties: Annotated[
        Literal["davidson", "half"],
        Option(
            "davidson: ties have a probability of their own; half: half a preference of either."
        ),
    ] = "davidson"
    order_effect: Annotated[
        bool, Option("Left is what was shown first: estimate this effect, and remove it.")
    ] = False
