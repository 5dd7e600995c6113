"""Planning a campaign: number of documents and annotators for an interval of a required width.

From a pilot with n annotators, the variance of a coefficient over documents, V(a), is estimated for
a = 2..n annotators (delete-one-document jackknife on subsets of annotators). The interval of D
documents by a annotators is then 2 t √(V(a) / D) wide, with Student's t. With `crew`, the
annotators are regarded as a sample from a larger crew: a variance C / a is added
(delete-one-annotator jackknife; Gwet 2014, chapter 5), which does not depend on the number of
documents.

A pilot of n annotators does not determine the effect of more annotators. A mean over pairs of
annotators has V(a) = v0 + v1 / a + v2 / (a (a - 1)), with non-negative terms (Hoeffding 1948), so
V(a) is between V(n), if more annotators change nothing, and V(n) n (n - 1) / (a (a - 1)). Up to 5/3
n annotators a plan gives this range; beyond, it gives none.

Documents are items if the pilot has no documents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..agreement.coefficients import compute_coefficient, resolve_set_distance
from ..agreement.evaluate import labelled_items
from ..agreement.label_matrix import LabelMatrix
from ..agreement.linearized_variance import influences_of_units, n_units_used, standard_error
from ..agreement.resampling_units import resampling_units
from ..arrays import Floats, Ints
from ..bootstrap import check_level, trial_seed
from ..errors import MetricsError
from ..measures import coefficient_of
from ..quantiles import t_quantile, two_sided_normal_quantile

_ALL_SIZES = 12
_MOST_DOCUMENTS = 10**12
_REACH = 5 / 3  # limit on a plan's annotators, relative to its pilot


@dataclass(frozen=True, slots=True)
class PilotVariance:
    """Precision of one coefficient, estimated from a pilot.

    annotators  int64 (P,): sizes from 2 to n
    variance    float64 (P,): V(a) per document
    crew        C, `nan` with fewer than three annotators
    n_documents, items_per_document  size of the pilot
    """

    measure: str
    value: float
    annotators: Ints
    variance: Floats
    crew: float
    n_documents: int
    items_per_document: float

    @property
    def n_annotators(self) -> int:
        return int(self.annotators[-1])

    @property
    def max_annotators(self) -> int:
        """Largest number of annotators for which the pilot gives a range."""
        return math.floor(self.n_annotators * _REACH)

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
        self, documents: int, annotators: int, *, level: float = 0.95, crew: bool = False
    ) -> float:
        """Return the expected width of the interval; at least two documents and two annotators."""
        if documents < 2 or annotators < 2:
            raise MetricsError(
                f"{documents} documents by {annotators} annotators: an interval needs at least two "
                "documents and two annotators"
            )
        variance = self.variance_of(annotators) / documents + self._annotator_variance(
            annotators, crew
        )
        t = t_quantile(documents - 1, (1 + level) / 2)
        return 2 * t * math.sqrt(variance)

    def unrounded_documents_for(
        self, width: float, annotators: int, *, level: float = 0.95, crew: bool = False
    ) -> float | None:
        """`documents_for` without rounding, with normal quantiles; None if impossible."""
        if not width > 0:
            raise MetricsError(f"width is {width}; it must be positive")
        check_level(level)
        room = (width / (2 * two_sided_normal_quantile(level))) ** 2 - self._annotator_variance(
            annotators, crew
        )
        return self.variance_of(annotators) / room if room > 0 else None

    def documents_for(
        self, width: float, annotators: int, *, level: float = 0.95, crew: bool = False
    ) -> int | None:
        """Return the fewest documents (at least two) for an interval of this width, or None.

        None if no number is sufficient, or only one beyond 10¹².
        """
        about = self.unrounded_documents_for(width, annotators, level=level, crew=crew)
        if about is None:
            return None

        def is_enough(documents: int) -> bool:
            return self.width(documents, annotators, level=level, crew=crew) <= width * (1 + 1e-12)

        low, high = 1, max(2, math.ceil(about))  # low is insufficient
        while not is_enough(high):
            low, high = high, 2 * high
            if high > _MOST_DOCUMENTS:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_enough(middle) else (middle, high)
        return high

    def _annotator_variance(self, annotators: int, crew: bool) -> float:
        return self.crew / annotators if crew else 0.0


def pilot_variance(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    distance: str | Floats = "nominal",
    subsets: int = 20,
    study: str = "planning",
) -> PilotVariance:
    """Estimate V(a) of a pilot, from all subsets of a annotators or `subsets` seeded ones.

    Sizes are all numbers up to twelve, beyond in steps of a quarter. Raises MetricsError if no size
    gives a standard error (one document, a single category) or nothing varies, and whatever
    `metrics.agreement.coefficients.compute` raises.
    """
    n = matrix.n_annotators
    if n < 2:
        raise MetricsError(f"a pilot needs at least two annotators; found {n}")
    sizes, variances = [], []
    for a in _subset_sizes(n):
        found = [
            _variance_per_document(matrix.select_annotators(members), measure, distance)
            for members in _subsets_of_annotators(n, a, subsets, study)
        ]
        known = [variance for variance in found if math.isfinite(variance)]
        if known:
            sizes.append(a)
            variances.append(float(np.mean(known)))
    require_variance(variances)
    n_documents = (
        matrix.n_items if matrix.documents is None else int(np.unique(matrix.documents).size)
    )
    annotators, variance = np.array(sizes, dtype=np.int64), np.array(variances)
    return PilotVariance(
        measure=measure,
        value=compute_coefficient(measure, matrix, distance=distance).value,
        annotators=annotators,
        variance=variance,
        crew=_crew_variance(matrix, measure, distance),
        n_documents=n_documents,
        items_per_document=matrix.n_items / n_documents,
    )


def _subset_sizes(n: int) -> list[int]:
    sizes = list(range(2, min(n, _ALL_SIZES) + 1))
    while sizes[-1] < n:
        sizes.append(min(n, math.ceil(sizes[-1] * 1.25)))
    return sizes


def _subsets_of_annotators(n: int, a: int, most: int, study: str) -> list[list[int]]:
    if math.comb(n, a) <= most:
        return [list(members) for members in combinations(range(n), a)]
    rng = np.random.default_rng(trial_seed(study, f"a={a}", 0))
    return [sorted(rng.permutation(n)[:a].tolist()) for _ in range(most)]


def _variance_per_document(
    matrix: LabelMatrix,
    measure: str,
    distance: str | Floats,
) -> float:
    groups, spec = resampling_units(labelled_items(matrix)), coefficient_of(measure)
    _, influences = influences_of_units(groups, [spec], resolve_set_distance(distance, matrix))
    n = n_units_used(spec, groups)
    return n * standard_error(influences[:, 0], groups, n) ** 2


def _crew_variance(
    matrix: LabelMatrix,
    measure: str,
    distance: str | Floats,
) -> float:
    """Return C: n times the delete-one-annotator jackknife variance of the coefficient."""
    n = matrix.n_annotators
    if n < 3:
        return math.nan
    without = np.array(
        [
            compute_coefficient(
                measure, matrix.select_annotators([b for b in range(n) if b != a]),
                distance=distance,
            ).value
            for a in range(n)
        ]
    )  # fmt: skip
    return float((n - 1) * ((without - without.mean()) ** 2).sum())


def require_variance(variances: Sequence[float]) -> None:
    """Raise MetricsError for a pilot without a variance, or with variance 0."""
    if not variances:
        raise MetricsError(
            "the pilot gives no standard error: it needs two documents (or items) that have "
            "labels of several categories, or units"
        )
    if not max(variances) > 0:
        raise MetricsError(
            "the coefficient does not vary in the pilot (every annotator agrees, or every "
            "document is alike): such a pilot cannot show how many documents a width needs"
        )


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
    annotators for which the budget is too small for two documents are omitted.
    """
    if not (budget > 0 and cost_per_label > 0 and cost_per_annotator >= 0):
        raise MetricsError("the budget and the cost of a label must be above 0, training 0 or more")
    lines = []
    for a in annotators:
        document = a * pilot.items_per_document * cost_per_label
        documents = math.floor((budget - a * cost_per_annotator) / document + 1e-9)
        if documents >= 2:
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
