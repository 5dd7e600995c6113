"""Options of the commands on labels: agreement, resampling, ratings and plans."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from ...data.errors import DataError
from ...metrics.objects.object_distance import ObjectDistance
from ...metrics.options import GroupComparison, IntervalKind, Option, Resampling, Sampling
from .distance_options import (
    DISTANCE,
    DISTANCE_OF_LABELS,
    NOMINAL,
    CategoryDistances,
    ChosenDistance,
)
from .measure_names import names_and_distance
from .reading_options import QUEUE


@dataclass(frozen=True)
class LabelOptions(CategoryDistances, IntervalKind, Sampling):
    """Which coefficients on labels; without any all the usual ones, and those of pairs for two."""

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Only these coefficients (commas, or repeated), also with a distance: "
            "gwet_ac2(scale=ordinal). An unknown name lists them all.",
            flag="--measure",
            separated=True,
        ),
    ] = ()
    distance: Annotated[ChosenDistance, DISTANCE_OF_LABELS] = NOMINAL
    complete: Annotated[
        bool,
        Option(
            "Measure only the items that every annotator labelled, as scikit-learn and R's irr do."
        ),
    ] = False
    queue: QUEUE = None

    def __post_init__(self) -> None:
        super().__post_init__()
        names, distance = names_and_distance(self.measures, self.distance)
        object.__setattr__(self, "measures", names)
        object.__setattr__(self, "distance", distance)

    @property
    def objects(self) -> ObjectDistance | None:
        """The distance if it is between objects; None for one between categories."""
        return self.distance.objects

    @property
    def sets(self) -> bool:
        """Whether the distance compares sets of labels."""
        from ...metrics.agreement.distances import SETS

        return self.distance.name in SETS


@dataclass(frozen=True)
class GroupOptions(GroupComparison):
    """Groups of annotators to compare; none without a table of annotator attributes."""

    attributes: Annotated[
        Path | None,
        Option(
            "Table of annotator attributes, with a column `annotator` and a column for each "
            "attribute: also report agreement within and between the groups that they define."
        ),
    ] = None


@dataclass(frozen=True)
class ResampleOptions(CategoryDistances, Sampling, Resampling):
    """Options for the modification rate M(k) and the reliability of k annotators."""

    distance: Annotated[ChosenDistance, DISTANCE] = NOMINAL


def parse_numbers(given: str) -> tuple[int, ...]:
    """Parse `2,3,5` or `2-10` as numbers. Raises DataError for other formats."""
    found: set[int] = set()
    for part in given.split(","):
        first, dash, last = (text.strip() for text in part.partition("-"))
        if not (first.isdecimal() and (last.isdecimal() if dash else not last)):
            raise DataError(f"--annotators {given}: give numbers such as 2,3,5 or 2-10")
        found |= set(range(int(first), int(last or first) + 1))
    return tuple(sorted(found))


@dataclass(frozen=True)
class RatingOptions(Sampling):
    """Options of the study of ratings."""

    annotators: Annotated[
        tuple[int, ...],
        Option("Numbers of annotators to forecast for, such as 1-10.", text=parse_numbers),
    ] = tuple(range(1, 11))


@dataclass(frozen=True)
class PlanOptions(CategoryDistances, IntervalKind):
    """Target of a plan: a coefficient, the width of its interval, and the budget."""

    width: Annotated[float, Option("Width of the interval, from end to end.", ge=0)] = 0.1
    measure: Annotated[
        str | None,
        Option(
            "The coefficient. Default: krippendorff_alpha, and gamma (the only one) of units. An "
            "unknown name lists them all."
        ),
    ] = None
    distance: Annotated[ChosenDistance, DISTANCE] = NOMINAL
    annotators: Annotated[
        tuple[int, ...],
        Option("Numbers of annotators to plan for, such as 2,3,5 or 2-10.", text=parse_numbers),
    ] = tuple(range(2, 11))
    confidence_level: Annotated[
        float, Option("Confidence level of the interval.", gt=0.5, lt=1)
    ] = 0.95
    crowd: Annotated[
        bool, Option("Different annotators label each item: plan for labels per item.")
    ] = False
    budget: Annotated[
        float | None, Option("Budget: show how many documents and which widths it allows.")
    ] = None
    cost_per_label: Annotated[float, Option("Cost of one label.")] = 1.0
    cost_per_annotator: Annotated[float, Option("Cost of training one annotator.")] = 0.0
    null: Annotated[
        float | None,
        Option(
            "Value to be excluded, such as 0.6: show how many documents the interval needs to "
            "exclude it with a probability of --power, if the pilot's value is the true one."
        ),
    ] = None
    difference: Annotated[
        float | None,
        Option(
            "Difference between two campaigns to be found, such as 0.1: show how many documents "
            "each needs."
        ),
    ] = None
    power: Annotated[float, Option("Probability of --null and --difference.", gt=0, lt=1)] = 0.8
    seed: Annotated[int, Option("Seed of every sample.")] = 0

    def __post_init__(self) -> None:
        if self.measure is not None:
            (name,), distance = names_and_distance((self.measure,), self.distance)
            object.__setattr__(self, "measure", name)
            object.__setattr__(self, "distance", distance)
