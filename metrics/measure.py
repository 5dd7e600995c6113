"""What is declared of a measure. Which measures there are: `metrics.measures`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args

Match = Literal["exact", "bounds", "partial", "overlap", "type"]
MATCHES: tuple[Match, ...] = get_args(Match)
"""How a unit of a system matches one of the reference."""


class Family(StrEnum):
    """Which side of the wall a measure is on: nothing corrected for chance judges a system."""

    CHANCE_CORRECTED = "chance-corrected agreement"
    DIRECT = "direct comparison"
    STABILITY = "stability of a reference"
    FORECAST = "forecast of reliability"
    REPLACEMENT = "replacement of an annotator"


class Of(StrEnum):
    """What is compared."""

    ITEMS = "items"
    UNITS = "units"
    RELATIONS = "relations"
    CHAINS = "chains"
    SEGMENTS = "segments"
    TURNS = "turns"
    RATINGS = "ratings"
    DISTRIBUTIONS = "distributions"
    PAIRS_OF_RATINGS = "pairs of ratings"
    CREWS = "labels of two crews"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One measure.

    name         as options, campaign files, results and messages write it
    symbol       as papers write it; "" for a measure that is called by its name
    agreement    what annotators are compared on with it
    scores       what a system and a reference are compared on with it
    sources      keys of the bibliography in the order of citation; the last is the formula's
    variants     prefixes of its name: `exact` gives `exact_f` a value of its own
    gives        the values that are computed together with it, itself first
    maximum      no value is above it; inf where there is no such bound
    by_category  one value for each category, none for all together
    anonymous    who gave a label does not matter to it
    """

    name: str
    family: Family = Family.CHANCE_CORRECTED
    symbol: str = ""
    agreement: tuple[Of, ...] = ()
    scores: tuple[Of, ...] = ()
    sources: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    lower_is_better: bool = False
    maximum: float = 1.0
    by_category: bool = False
    anonymous: bool = False

    def __post_init__(self) -> None:
        if not self.gives:
            object.__setattr__(self, "gives", (self.name,))
