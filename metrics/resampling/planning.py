"""Planning a campaign: number of documents and annotators for an interval of a required width.

From a pilot with n annotators, the variance of a coefficient over documents, V(a), is estimated for
a = 2..n annotators (`label_pilot`, `unit_planning`). The interval of D documents by a
annotators is then 2 t √(V(a) / D) wide, with Student's t. For new annotators, a variance C / a is
added (delete-one-annotator jackknife; `metrics.intervals.new_annotators`), which does not depend on
the number of documents. A campaign is assumed to lack as many labels as its pilot: D counts all
documents, and V(a) is divided by the share of those with labels to compare. The interval of the
pilot itself differs from these formulas, because its prior counts as some items. This difference is
known (`label_pilot.scale_to_interval`) and falls with the number of documents; the plan of a
campaign like the pilot has the width of the pilot's interval.

A pilot of n annotators does not determine the effect of more annotators. A mean over pairs of
annotators has V(a) = v0 + v1 / a + v2 / (a (a - 1)), with non-negative terms (Hoeffding 1948), so
V(a) is between V(n), if more annotators change nothing, and V(n) n (n - 1) / (a (a - 1)). Up to 5/3
n annotators a plan gives this range; beyond, it gives none.

Documents are items if the pilot has no documents.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypedDict

import numpy as np

from ..arrays import Floats, Ints
from ..bootstrap import check_level
from ..errors import MetricsError
from ..intervals.interval import ANY, FEWEST, Range
from ..intervals.new_annotators import satterthwaite_df
from ..measures import GENERALISED
from ..quantiles import t_quantile, two_sided_normal_quantile

_MOST_DOCUMENTS = 10**12
_REACH = 5 / 3  # limit on a plan's annotators, relative to its pilot


class _Kind(TypedDict):
    """The interval that is planned."""

    level: float
    new_annotators: bool


@dataclass(frozen=True, slots=True)
class PilotVariance:
    """Precision of one coefficient, estimated from a pilot.

    annotators  int64 (P,): sizes from 2 to n
    variance    float64 (P,): V(a) per document
    of_annotators  C, `nan` with fewer than three annotators
    n_documents, items_per_document  size of the pilot
    within, fewest  range of the coefficient, and documents that an interval needs
    stretch      float64 (P,): width of the pilot's intervals over those of the formula
    error_ratio  float64 (P,): squared standard errors of these intervals over those of the formula
    """

    measure: str
    value: float
    annotators: Ints
    variance: Floats
    of_annotators: float
    n_documents: int
    items_per_document: float
    within: Range = ANY
    fewest: int = FEWEST
    stretch: Floats = field(default_factory=lambda: np.ones(1))
    error_ratio: Floats = field(default_factory=lambda: np.ones(1))

    @property
    def n_annotators(self) -> int:
        return int(self.annotators[-1])

    @property
    def max_annotators(self) -> int:
        """Largest number of annotators for which the pilot gives a range."""
        return 2 if self.measure in GENERALISED else math.floor(self.n_annotators * _REACH)

    def extrapolated_to(self, annotators: int) -> tuple[PilotVariance, PilotVariance]:
        """Extrapolate to more annotators than the pilot has, in the best and the worst case."""
        n, last = self.n_annotators, float(self.variance[-1])
        at_best = last * n * (n - 1) / (annotators * (annotators - 1))
        best, worst = (
            replace(
                self,
                annotators=np.append(self.annotators, annotators),
                variance=np.append(self.variance, variance),
            )
            for variance in (at_best, last)
        )
        return best, worst

    def variance_of(self, annotators: int) -> float:
        """Return V(a) per document. Raises MetricsError for more annotators than the pilot has."""
        if annotators > self.n_annotators:
            raise MetricsError(
                f"a pilot of {self.n_annotators} annotators gives no variance for {annotators}"
            )
        return float(np.interp(annotators, self.annotators, self.variance))

    def width(
        self, documents: int, annotators: int, *, level: float = 0.95, new_annotators: bool = False
    ) -> float:
        """Return the expected width of the interval; at least `fewest` documents, two annotators.

        new_annotators  whether the interval is for new annotators; it is cut to the range
        """
        if documents < self.fewest or annotators < 2:
            raise MetricsError(
                f"{documents} documents by {annotators} annotators: an interval needs at least "
                f"{self.fewest} documents and 2 annotators"
            )
        of_documents, tail = self.variance_of(annotators) / documents, (1 + level) / 2
        of_pilot = min(1.0, self.n_documents / documents)
        if not new_annotators:
            stretch = 1 + (self._of_size(self.stretch, annotators) - 1) * of_pilot
            return stretch * 2 * t_quantile(documents - 1, tail) * math.sqrt(of_documents)
        of_documents *= 1 + (self._of_size(self.error_ratio, annotators) - 1) * of_pilot
        of_annotators = self.of_annotators / annotators
        df = satterthwaite_df(of_annotators, annotators - 1, of_documents, documents - 1)
        half = t_quantile(df, tail) * math.sqrt(of_annotators + of_documents)
        lowest, highest = self.within
        return min(self.value + half, highest) - max(self.value - half, lowest)

    def unrounded_documents_for(
        self, width: float, annotators: int, *, level: float = 0.95, new_annotators: bool = False
    ) -> float | None:
        """`documents_for` without rounding, with normal quantiles; None if impossible."""
        if not width > 0:
            raise MetricsError(f"width is {width}; it must be positive")
        check_level(level)
        room = (width / (2 * two_sided_normal_quantile(level))) ** 2
        if new_annotators:
            room -= self.of_annotators / annotators
        return self.variance_of(annotators) / room if room > 0 else None

    def documents_for(
        self, width: float, annotators: int, *, level: float = 0.95, new_annotators: bool = False
    ) -> int | None:
        """Return the fewest documents for an interval of this width, or None.

        None if no number is sufficient, or only one beyond 10¹².
        """
        how: _Kind = {"level": level, "new_annotators": new_annotators}
        about = self.unrounded_documents_for(width, annotators, **how)
        if about is None:
            return None

        def is_enough(documents: int) -> bool:
            return self.width(documents, annotators, **how) <= width * (1 + 1e-12)

        return _fewest(is_enough, self.fewest, math.ceil(about))

    def power(
        self,
        effect: float,
        documents: int,
        annotators: int,
        *,
        campaigns: int = 1,
        level: float = 0.95,
        new_annotators: bool = False,
    ) -> float:
        """Return the probability that an interval excludes a value at a distance of `effect`.

        campaigns  2: the interval of the difference of two campaigns of this size, and 0

        By the noncentral t distribution, with the variance at the pilot's own value. At least
        `fewest` documents and two annotators.
        """
        from scipy.special import nctdtr

        variance, df = self.variance_of(annotators) / documents, float(documents - 1)
        if new_annotators:
            of_annotators = self.of_annotators / annotators
            df = satterthwaite_df(of_annotators, annotators - 1, variance, documents - 1)
            variance += of_annotators
        df *= campaigns
        of_pilot = min(1.0, self.n_documents / documents)
        stretch = 1 + (self._of_size(self.stretch, annotators) - 1) * of_pilot
        limit = stretch * t_quantile(df, (1 + level) / 2)
        return float(1 - nctdtr(df, abs(effect) / math.sqrt(campaigns * variance), limit))

    def documents_to_detect(
        self,
        effect: float,
        annotators: int,
        *,
        power: float = 0.8,
        campaigns: int = 1,
        level: float = 0.95,
        new_annotators: bool = False,
    ) -> int | None:
        """Return the fewest documents (of each campaign) with which `power` is reached, or None.

        Raises MetricsError for an effect of 0, or a power outside (0, 1).
        """
        check_level(level)
        if not (effect and 0 < power < 1):
            raise MetricsError(
                f"an effect of {effect:g} with power {power:g}: the effect must differ from 0, and "
                "the power lie between 0 and 1"
            )

        def is_enough(documents: int) -> bool:
            found = self.power(
                effect, documents, annotators,
                campaigns=campaigns, level=level, new_annotators=new_annotators,
            )  # fmt: skip
            return found >= power

        return _fewest(is_enough, self.fewest, self.fewest)

    def _of_size(self, ratios: Floats, annotators: int) -> float:
        """Return a ratio for a number of annotators; beyond the pilot's, that of all of them."""
        if ratios.size < 2:
            return float(ratios[0])
        return float(np.interp(annotators, self.annotators[: ratios.size], ratios))


def _fewest(is_enough: Callable[[int], bool], fewest: int, about: int) -> int | None:
    """Return the smallest number that is enough, at least `fewest`; None beyond 10¹²."""
    low, high = fewest - 1, max(fewest, about)  # low is insufficient
    while not is_enough(high):
        low, high = high, 2 * high
        if high > _MOST_DOCUMENTS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


@dataclass(frozen=True, slots=True)
class BudgetLine:
    """One way to spend a budget: `cost` ≤ budget, and the number of documents."""

    annotators: int
    documents: int
    labels: int
    cost: float


def allocate_budget(
    pilot: PilotVariance,
    budget: float,
    *,
    cost_per_label: float = 1.0,
    cost_per_annotator: float = 0.0,
    annotators: Sequence[int] = tuple(range(2, 11)),
) -> tuple[BudgetLine, ...]:
    """Return the number of documents that a budget buys with each number of annotators.

    A label costs `cost_per_label`, an annotator `cost_per_annotator` once (training). Numbers of
    annotators for which the budget is too small for an interval are omitted.
    """
    if not (budget > 0 and cost_per_label > 0 and cost_per_annotator >= 0):
        raise MetricsError("the budget and the cost of a label must be above 0, training 0 or more")
    lines = []
    for a in annotators:
        document = a * pilot.items_per_document * cost_per_label
        documents = math.floor((budget - a * cost_per_annotator) / document + 1e-9)
        if documents >= pilot.fewest:
            labels = round(documents * a * pilot.items_per_document)
            lines.append(
                BudgetLine(
                    annotators=a,
                    documents=documents,
                    labels=labels,
                    cost=labels * cost_per_label + a * cost_per_annotator,
                )
            )
    return tuple(lines)
