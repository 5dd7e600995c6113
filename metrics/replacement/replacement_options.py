"""Options for the question whether a system may replace an annotator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, get_args

from ..errors import MetricsError
from ..options import Option
from .judge_comparison import Missing

Alignment = Literal["accuracy", "rmse", "similarity", "exact_f", "type_f", "overlap_f", "disorder"]
OF_UNITS = ("exact_f", "type_f", "overlap_f", "disorder")
Expertise = Literal["expert", "skilled", "crowd"]
EPSILONS: dict[Expertise, float] = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
"""Recommended by Calderon, Reichart & Dror (2025), section 3.3."""
DEFAULT_EPSILON = 0.1  # the smallest recommended value, which assumes nothing about the annotators


def _split_names(given: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in given.split(",") if name.strip())


def _parse_earlier_systems(given: Sequence[str] | None) -> dict[str, str]:
    """Parse SYSTEM=EARLIER entries. Raises MetricsError for anything else."""
    found = {}
    for text in given or ():
        system, mark, earlier = text.partition("=")
        if not (system and mark and earlier):
            raise MetricsError(f"--earlier {text!r}: give SYSTEM=EARLIER, two names in the data")
        found[system] = earlier
    return found


def require_choice(name: str, given: str | None, choices: Sequence[str | None]) -> None:
    """Raise MetricsError unless an option is one of the choices."""
    if given not in choices:
        there_is = ", ".join(one for one in choices if one)
        raise MetricsError(f"{name} is {given!r}: it must be one of {there_is}")


@dataclass(frozen=True)
class PanelOptions:
    """How systems are compared with a panel of annotators, and which runs and orders are known."""

    expertise: Annotated[
        Expertise | None,
        Option("Expertise of the annotators, which sets ε: expert 0.2, skilled 0.15, crowd 0.1."),
    ] = None
    epsilon: Annotated[
        float | None,
        Option(
            "ε: how much worse than an annotator a system may be, because it costs less. "
            "Default: set by the expertise, else 0.1.",
            ge=0,
            lt=1,
        ),
    ] = None
    missing: Annotated[
        Missing,
        Option("Whether items that the system did not label count as lost or are excluded."),
    ] = "lost"
    min_items: Annotated[
        int,
        Option(
            "Minimum number of items that an annotator shares with others; annotators with fewer "
            "are not in the panel.",
            ge=2,
        ),
    ] = 30
    positions: Annotated[
        tuple[str, ...],
        Option(
            "Pairwise items: the two categories that choose the answer shown first, and the answer "
            "shown second, in the first annotation pass, such as A,B. In even passes the answers "
            "were shown in the other order.",
            text=_split_names,
        ),
    ] = ()
    earlier: Annotated[
        Mapping[str, str],
        Option(
            "The earlier run of a system, SYSTEM=EARLIER, where both runs are in the data under "
            "names of their own; may be repeated. Shows the drift from one to the other.",
            text=_parse_earlier_systems,
        ),
    ] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, choices in (
            ("expertise", (None, *get_args(Expertise))),
            ("missing", get_args(Missing)),
        ):
            require_choice(name, getattr(self, name), choices)
        if self.expertise is not None and self.epsilon is not None:
            raise MetricsError("expertise sets ε: give either expertise or epsilon")
        if self.epsilon is not None and not 0 <= self.epsilon < 1:
            raise MetricsError(f"epsilon is {self.epsilon:g}: it must be at least 0 and below 1")
        if len(self.positions) not in (0, 2) or len(set(self.positions)) != len(self.positions):
            raise MetricsError(
                f"positions has {', '.join(self.positions)}: give the two categories that choose "
                "the answer shown first and the answer shown second"
            )

    @property
    def margin(self) -> float:
        """The ε in effect."""
        if self.epsilon is not None:
            return self.epsilon
        return DEFAULT_EPSILON if self.expertise is None else EPSILONS[self.expertise]


@dataclass(frozen=True)
class ReplacementOptions(PanelOptions):
    """Which systems may replace an annotator, and by which criteria."""

    alignment: Annotated[
        Alignment,
        Option(
            "How the fit with the other annotators is measured. Labels: accuracy, rmse (for "
            "numeric labels), or similarity (1 minus the distance between the categories). "
            "Units: exact_f (F of units with the same bounds and category), type_f (of "
            "overlapping units of the same category), overlap_f (of overlapping units), or "
            "disorder (1 minus the disorder of the best alignment, as a share of its maximum)."
        ),
    ] = "accuracy"
    error: Annotated[
        float,
        Option("Maximum probability of a wrong verdict, in each direction.", gt=0, lt=0.5),
    ] = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        require_choice("alignment", self.alignment, get_args(Alignment))
        if not 0 < self.error < 0.5:
            raise MetricsError(f"error is {self.error:g}: it must lie between 0 and 0.5")

    @property
    def of_units(self) -> bool:
        """Whether the alignment compares units."""
        return self.alignment in OF_UNITS

    @property
    def level(self) -> float:
        """Confidence level of the intervals, such that a borderline verdict has a bound at −ε."""
        return 1 - 2 * self.error


def alignment_for(given: Alignment, *, of_units: bool) -> Alignment:
    """Return the given alignment if it is for units (or labels), else the default for these."""
    if (given in OF_UNITS) == of_units:
        return given
    return "exact_f" if of_units else "accuracy"


@dataclass(frozen=True)
class ReplacementSettings(ReplacementOptions):
    """The same options with the resamples for the stability of a verdict."""

    replicates: Annotated[
        int, Option("Resamples for the stability of the verdict; 0: none.", ge=0)
    ] = 1000
    seed: Annotated[int, Option("Seed of every sample.", ge=0)] = 0
