"""Options of rankings: the columns of a table of preferences or scores, and the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from ...data.option_names import option
from ...metrics.errors import MetricsError
from ...metrics.options import Option, Sampling

_KNOWN = "Default: a column with a usual name, such as"


def _parse_weights(given: Sequence[str] | None) -> dict[str, float]:
    """Parse TEXT=NUMBER entries. Raises MetricsError for anything else."""
    found = {}
    for text in given or ():
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            name = ""
        if not name:
            raise MetricsError(f"--weights {text!r}: give TEXT=NUMBER, such as major=5")
    return found


@dataclass(frozen=True)
class RankSettings:
    """Columns of the preferences and the model, of the command and of a campaign."""

    query: Annotated[
        str,
        Option(
            "SELECT over the table `source`, a file of one, or the name of a known shape of "
            "preferences (`accordeur look`)."
        ),
    ] = ""
    item: Annotated[
        str | None,
        Option(
            f"Column of the item. {_KNOWN} item, prompt; without, each preference is an item of "
            "its own."
        ),
    ] = None
    annotator: Annotated[
        str | None,
        Option(f"Column of who compares. {_KNOWN} annotator, rater; without: one rater."),
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
    left_length: Annotated[
        str | None,
        Option(
            "Column of the length of what the left system says; with `--right-length`: estimate "
            "the effect of being longer, and remove it."
        ),
    ] = None
    right_length: Annotated[
        str | None, Option("Column of the length of what the other system says.")
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
    weights: Annotated[
        Mapping[str, float],
        Option(
            "With --score: the number of a text of its column, TEXT=NUMBER, such as major=5; may "
            "be repeated. The numbers of all rows of a rater, item and system are then summed, as "
            "of errors (MQM).",
            text=_parse_weights,
        ),
    ] = field(default_factory=dict)
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

    def __post_init__(self) -> None:
        if (self.left_length is None) != (self.right_length is None):
            raise MetricsError(
                f"{option('left_length')} and {option('right_length')} are given together"
            )


@dataclass(frozen=True)
class RankOptions(RankSettings, Sampling):
    """Options for ranking systems from preferences."""


@dataclass(frozen=True)
class RankBar:
    """A condition on a value of a ranking."""

    measure: Annotated[
        Literal["preferred_share", "strength"],
        Option("how often `of` is preferred to `over`, by the model of strengths, or its strength"),
    ]
    of: Annotated[str, Option("the system")]
    over: Annotated[str | None, Option("of a preferred share: the other system")] = None
    at_least: Annotated[float | None, Option("the gate fails below this value")] = None
    at_most: Annotated[float | None, Option("the gate fails above this value")] = None
    on: Annotated[
        Literal["value", "lower bound", "upper bound"],
        Option("what is compared; the value is undecided if its interval contains the threshold"),
    ] = "value"

    def __post_init__(self) -> None:
        if (self.at_least is None) == (self.at_most is None):
            raise ValueError("give either at_least or at_most, as a number")
        if (self.over is None) == (self.measure == "preferred_share"):
            raise ValueError("a preferred share, and nothing else, needs `over`, the other system")
