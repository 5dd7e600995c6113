"""Declaration of a measure. The measures themselves are in `metrics.measures`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

Match = Literal["exact", "bounds", "partial", "overlap", "type"]
MATCHES: tuple[Match, ...] = get_args(Match)
"""How a unit of a system matches a unit of the reference."""

CANDIDATE = "candidate"
"""What the measure of a gate on a judge begins with, so that it is never one on agreement."""

Objective = Literal["sum", "mean", "soft"]
OBJECTIVES: tuple[Objective, ...] = get_args(Objective)
"""What is least in an alignment: the sum of the disorders (γ 2015) or their mean (holistic 2011),
each unit in one unitary alignment, or the sum where a unit may be in several (soft)."""


class Family(StrEnum):
    """Side of the wall that a measure is on: chance-corrected measures never score a system."""

    CHANCE_CORRECTED = "chance-corrected agreement"
    DIRECT = "direct comparison"
    STABILITY = "stability of a reference"
    REFERENCE = "error of a reference"
    FORECAST = "forecast of reliability"
    REPLACEMENT = "replacement of an annotator"
    CORPUS = "estimate of a corpus"
    RANKING = "ranking of systems"


class DataKind(StrEnum):
    """Kind of data that a measure compares."""

    ITEMS = "items"
    OBJECTS = "objects"
    UNITS = "units"
    RELATIONS = "relations"
    CHAINS = "chains"
    SEGMENTS = "segments"
    TURNS = "turns"
    RATINGS = "ratings"
    DISTRIBUTIONS = "distributions"
    PAIRS_OF_RATINGS = "pairs of ratings"
    TWO_GROUPS = "labels of two groups of annotators"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure.

    name         its name in options, campaign files, results and messages
    symbol       its symbol in papers; "" for a measure without one
    agreement    kinds of data on which it measures agreement between annotators
    scores       kinds of data on which it scores a system against a reference
    sources      keys of the bibliography in the order of citation; the last has the formula
    variants     prefixes of its name: `exact` adds a value `exact_f`
    gives        values that are computed together with it, itself first
    minimum      its lower bound; -inf without one
    maximum      its upper bound; inf without one
    by_category  whether it has one value per category and no overall value
    anonymous    whether it does not matter who gave a label
    objective    objective of the alignments that it is computed from; None without alignments
    samples_chance  whether chance samples are aligned for it, too
    of_disorder  whether it is 1 − observed / expected disorder of these alignments
    counts_gaps  whether it counts the gaps between the units and the ends of a document
    """

    name: str
    family: Family = Family.CHANCE_CORRECTED
    symbol: str = ""
    agreement: tuple[DataKind, ...] = ()
    scores: tuple[DataKind, ...] = ()
    sources: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    lower_is_better: bool = False
    minimum: float = -math.inf
    maximum: float = 1.0
    by_category: bool = False
    anonymous: bool = False
    objective: Objective | None = None
    samples_chance: bool = False
    of_disorder: bool = False
    counts_gaps: bool = False

    def missing(self, n_annotators: int) -> str:
        """Return which labels a coefficient on items uses if some are missing; else ""."""
        del n_annotators
        return ""

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest value, to which an interval is cut."""
        return (self.minimum, self.maximum)

    @property
    def fewest(self) -> int:
        """Resampled documents or items with content that an interval needs.

        Two documents of units cannot show how much documents differ: with one degree of freedom an
        interval says next to nothing, γ's may end below −10.
        """
        return 3 if DataKind.UNITS in self.agreement else 2

    def __post_init__(self) -> None:
        if not self.gives:
            object.__setattr__(self, "gives", (self.name,))
