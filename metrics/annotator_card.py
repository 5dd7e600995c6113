"""What the card of an annotator holds: plain classes, measured, stored and shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from .estimate import Estimate
from .intervals.binomial import clopper_pearson_limits
from .pace import Pace

Quantity: TypeAlias = Literal["label", "start", "length"]
LEVEL = 0.04  # familywise, of the test whether annotators differ; 5 % is what is promised
FEWEST = 10  # items of a category that the others decide, for a value with limits
_PATTERN = 3  # places with the same two labels that are worth a sentence


@dataclass(frozen=True, slots=True)
class CardValue:
    """A share or a difference of shares, with its confidence interval; nan without an item."""

    value: float = math.nan
    lower: float = math.nan
    upper: float = math.nan
    n: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        return (self.lower, self.upper)


def is_above(n: int, of_all: int, share: float) -> bool:
    """Whether n are worth a sentence: their one-sided 95 % lower limit is above another share."""
    return n >= _PATTERN and not clopper_pearson_limits(n, of_all, 0.9)[0] <= share


@dataclass(frozen=True, slots=True)
class CardCategory:
    """Items that the others decide to be of a category: how many the annotator decides alike.

    same     its share; without limits below `FEWEST` items
    instead  the other label that the annotator gives most often there; "" for none
    share_of_others  how often the other annotators give it where their others decide the category
    """

    category: str
    same: CardValue
    instead: str = ""
    n_instead: int = 0
    systematic: bool = False
    share_of_others: float = math.nan

    @property
    def is_frequent(self) -> bool:
        """Whether the annotator gives the other label more often than the others do."""
        return self.systematic or is_above(self.n_instead, self.same.n, self.share_of_others)


@dataclass(frozen=True, slots=True)
class CardBatch:
    """Agreement with the others in a batch, and that of the others among themselves."""

    batch: str
    n: int
    agreement: float
    others: float


@dataclass(frozen=True, slots=True)
class CardDirection:
    """How often a label, or a bound or length of a unit, is below or above those of the others.

    n             labels beside two others or more
    below, above  mean share of the others that are above, or below; the rest are equal
    p_value       of the two shares being equal, corrected as that of the difference
    places        of units that lean: some where the others have one value and the annotator another
    """

    of: Quantity
    n: int
    below: float
    above: float
    p_value: float
    places: tuple[CardPlace, ...] = ()

    @property
    def leans(self) -> bool:
        """Whether one of the two is more frequent, and not only by chance."""
        return self.p_value < LEVEL


@dataclass(frozen=True, slots=True)
class CardPlace:
    """An item where the annotator's label is not the decision of the others."""

    document: str
    where: str
    own: str
    decision: str
    n_decided: int
    n_others: int


@dataclass(frozen=True, slots=True)
class AnnotatorCard:
    """One annotator beside the others.

    n_labels    labels on items with another label
    agreement   mean share of the others with the same label
    others      the same of the others among themselves, where there are two at least
    difference  agreement minus that of the others, on the same items
    p_value     of the difference, corrected for the number of annotators and of tests: one,
                one for each direction, and one for the batches if there are several
    decided     share of the items decided by the others that the annotator decides alike
    accuracy    share of the labels that are those of the reference; never part of agreement
    accuracy_of_others  the same of the others, on the same items
    retest      agreement of the annotator's passes, of units the pairwise F; None with one pass
    pace        None without times
    found       of units: share of the units decided by the others that the annotator marked
    alone       of units: share of the annotator's units where the others decide that there is none
    found_of_others, alone_of_others  the same shares of the other annotators
    directions  of ordered categories: the labels; of units: starts and lengths
    p_decline   that agreement with the others does not fall over the batches, corrected as p_value;
                1 where it rises, nan without two batches
    reference_found, reference_exact  of units: share of the reference's units that the annotator
                marked, by an overlap, or with the same bounds and category; never part of agreement
    """

    annotator: str
    n_labels: int
    agreement: CardValue
    others: float
    difference: CardValue
    p_value: float
    decided: CardValue
    categories: tuple[CardCategory, ...] = ()
    accuracy: CardValue = CardValue()
    accuracy_of_others: float = math.nan
    found: CardValue = CardValue()
    alone: CardValue = CardValue()
    batches: tuple[CardBatch, ...] = ()
    places: tuple[CardPlace, ...] = ()
    directions: tuple[CardDirection, ...] = ()
    reference_found: CardValue = CardValue()
    reference_exact: CardValue = CardValue()
    retest: Estimate | None = None
    pace: Pace | None = None
    found_of_others: float = math.nan
    alone_of_others: float = math.nan
    p_decline: float = math.nan

    @property
    def declines(self) -> bool:
        """Whether agreement with the others falls over the batches, and not only by chance."""
        return self.p_decline < LEVEL

    @property
    def differs(self) -> bool:
        """Whether the annotator is different from the others, and not only by chance."""
        return self.p_value < LEVEL

    @property
    def gain(self) -> tuple[float, float, float]:
        """Labels that would agree if the annotator agreed as the others do, and its limits."""
        found = self.difference
        below, least, most = (
            0.0 if math.isnan(one) else max(0.0, -one) * found.n
            for one in (found.value, found.upper, found.lower)
        )
        return below, least, most
