"""Agreement on objects: values with their intervals, distances of annotators, the worst items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ..agreement.counts import count
from ..agreement.label_matrix import LabelMatrix
from ..arrays import Floats, Ints, divide
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..intervals.interval import Interval, Range, add_interval, close_interval
from ..intervals.new_annotators import annotator_groups_without_each, widen_by_left_out_values
from ..measures import MEASURES, OBJECTS
from ..options import NO_INTERVALS, Sampling
from ..pair_names import pair_name
from ..quantiles import t_quantile
from ..reason import Reason, ReasonCode
from ..signature import How
from .object_distance import ObjectDistance
from .object_pairs import ObjectPairs, object_pairs
from .object_values import (
    DISTANCES,
    METHOD,
    RATIOS,
    Ratio,
    ResampledObjects,
    compute_object_measure,
)

OF_ANNOTATORS = "annotator_distance"
Named = list[tuple[str, Estimate]]
_Measured = Ratio | float | Reason


@dataclass(frozen=True)
class WorstItem:
    """An item, by its number in the matrix, and the mean distance of the objects on it."""

    item: int
    mean_distance: float


@dataclass(frozen=True)
class MeasuredObjects:
    """The objects of a matrix with their distances, to be measured."""

    matrix: LabelMatrix
    distance: ObjectDistance
    pairs: ObjectPairs
    how: How
    sampling: Sampling

    @classmethod
    def from_matrix(
        cls, matrix: LabelMatrix, distance: ObjectDistance, sampling: Sampling
    ) -> MeasuredObjects:
        """Compute the distances.

        Raises RoleError for systems and references, MetricsError for a label that is no object.
        """
        matrix.require_humans("Agreement")
        how = How(
            measure="mean_distance",
            distance=distance.name,
            missing="paired",
            input=count(matrix).fingerprint(),
        )
        pairs = object_pairs(matrix, distance, seed=sampling.seed)
        return cls(matrix, distance, pairs, how, sampling)

    def values(
        self, measures: Sequence[str] = OBJECTS, *, for_new_annotators: bool = False
    ) -> list[Estimate]:
        """Return measures on objects, in order; all but σ and KS have an interval.

        for_new_annotators  whether the intervals hold for new annotators, too
        """
        units = ResampledObjects.from_pairs(self.pairs)
        found = []
        for name in measures:
            if name == OF_ANNOTATORS:
                found += self._of_each_annotator(units)
            else:
                found.append(self._estimate(units, name))
        return self._for_new_annotators(found, units) if for_new_annotators else found

    def values_by_pair(self, measure: str) -> Named:
        """Return a measure of each two annotators alone, named `a – b`."""
        names = self.matrix.annotators
        return [
            (pair_name(names[a], names[b]), self._estimate(self._units_of((a, b)), measure))
            for a, b in combinations(range(len(names)), 2)
        ]

    def values_without_each_annotator(self, measure: str) -> Named:
        """Return a measure without each annotator in turn, by the name of the omitted one."""
        names, everyone = self.matrix.annotators, range(self.matrix.n_annotators)
        return [
            (names[a], self._estimate(self._units_of([b for b in everyone if b != a]), measure))
            for a in everyone
        ]

    @property
    def main_measure(self) -> str:
        """The measure that leads: α, or the mean distance without a distance by chance."""
        return "krippendorff_alpha" if self.distance.compares_items else "mean_distance"

    def value_of_documents(self, documents: Ints, *, with_interval: bool) -> Estimate:
        """Return the main measure on some documents, against the chance of all documents.

        documents  their numbers in the matrix

        Few objects of one document are compared with each other mostly where they are compared on
        an item, too, so that their own chance would hide the disagreement.
        """
        inside = np.isin(np.asarray(self.matrix.documents), documents)
        matrix = replace(
            self.matrix,
            codes=self.matrix.codes[inside],
            documents=np.asarray(self.matrix.documents)[inside],
            items=(),
        )
        sampling = self.sampling if with_interval else NO_INTERVALS
        part = replace(
            self, matrix=matrix, pairs=self.pairs.select_items(inside), sampling=sampling
        )
        units, chance = ResampledObjects.from_pairs(part.pairs), self.pairs.chance
        value, detail = compute_object_measure(units, "mean_distance", self.distance.name), Detail()
        if isinstance(value, Ratio):
            detail |= Detail(observed_disagreement=value.value)
            if chance is not None and not chance.distances.any():
                value = Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT)
            elif chance is not None:
                value = value.divided_by(float(chance.distances.mean()))
                detail |= self._of_chance(chance.distances)
        return part._complete(units, self.main_measure, value, detail)

    def worst_documents(self, names: Sequence[str], n: int) -> Named:
        """Return the main measure of the n documents with the largest mean distances, in order."""
        units = ResampledObjects.from_pairs(self.pairs)
        home = np.asarray(self.matrix.documents)[self.pairs.item]
        total, number = (
            np.bincount(home, weights, len(names)) for weights in (units.distances_to_others, None)
        )
        order = np.argsort(-divide(total, number), kind="stable")[:n].tolist()
        return [
            (names[d], self.value_of_documents(np.array([d]), with_interval=False)) for d in order
        ]

    def worst_items(self, n: int) -> list[WorstItem]:
        """Return the n items whose objects have the largest mean distance, above 0."""
        item, size = self.pairs.item, self.matrix.n_items
        total = np.bincount(item, ResampledObjects.from_pairs(self.pairs).distances_to_others, size)
        means = total / np.maximum(np.bincount(item, minlength=size), 1)
        order = np.argsort(-means, kind="stable")[:n].tolist()
        return [WorstItem(i, float(means[i])) for i in order if means[i] > 0]

    @property
    def _over(self) -> str:
        return "items" if self.matrix.documents_to_resample is None else "documents"

    @property
    def _largest(self) -> float:
        """The largest mean distance there can be."""
        return math.inf if self.distance.largest is None else self.distance.largest

    def _units_of(self, annotators: Sequence[int]) -> ResampledObjects:
        return ResampledObjects.from_pairs(self.pairs.select_annotators(annotators))

    def _of_each_annotator(self, units: ResampledObjects) -> list[Estimate]:
        """Return the mean distance of each annotator to the others."""
        none, found = Reason(ReasonCode.NO_PAIRED_ITEM), []
        for a, name in enumerate(self.matrix.annotators):
            own = self.pairs.annotator == a
            value = units.mean_distance(own) if own.any() else none
            found.append(self._complete(units, OF_ANNOTATORS, value, Detail(annotator=name)))
        return found

    def _estimate(self, units: ResampledObjects, measure: str) -> Estimate:
        value, detail = compute_object_measure(units, measure, self.distance.name), Detail()
        if not isinstance(value, Reason):
            detail |= Detail(observed_disagreement=float(units.distances_to_others.mean()))
            if measure not in DISTANCES and (expected := units.chance_pairs(measure)):
                detail |= self._of_chance(expected.distances)
        return self._complete(units, measure, value, detail)

    def _of_chance(self, distances: Floats) -> Detail:
        """Return the mean distance by chance; of a sample of pairs with its Monte Carlo error."""
        found = Detail(expected_disagreement=float(distances.mean()))
        if not self.pairs.is_sample:
            return found
        error = float(distances.std()) / math.sqrt(distances.size)
        return found | Detail(n_samples=distances.size, expected_standard_error=error)

    def _complete(
        self, units: ResampledObjects, measure: str, value: _Measured, detail: Detail
    ) -> Estimate:
        """Return the estimate of a value with its interval and counts."""
        n_items = int((units.pairs.n_objects_by_item > 0).sum())
        one = estimate(
            self.how.for_measure(measure, samples=detail.n_samples or None),
            math.nan if isinstance(value, Reason) else _number(value, measure),
            value if isinstance(value, Reason) else None,
            n_items=n_items,
            n_annotators=np.unique(units.pairs.annotator).size,
            detail=Detail(
                n_unpaired=self.matrix.n_items - n_items,
                n_labels=int((self.matrix.codes >= 0).sum()),
                n_duplicates=self.matrix.n_duplicates,
            )
            | detail,
        )
        if not self.sampling.replicates or measure not in RATIOS:
            return one
        return add_interval(one, self._interval(units, value, one))

    def _interval(self, units: ResampledObjects, value: _Measured, one: Estimate) -> Interval:
        """Return the interval of a ratio: exp(log ratio ± t(n − 1) · standard error)."""
        level = self.sampling.confidence_level
        n = value.each.shape[0] if isinstance(value, Ratio) else units.n_units
        settings = Interval(level=level, method=METHOD, over=self._over, n_units=n)
        if not isinstance(value, Ratio) or n < 2:
            return close_interval(settings, one.value)
        error = value.log_error()
        if math.isnan(error):
            settings = settings.without_bounds(Reason(ReasonCode.FEW_OBSERVED_DISTANCES))
            return close_interval(settings, one.value)
        half = t_quantile(n - 1, (1 + level) / 2) * error
        low, high = (value.value * math.exp(end) for end in (-half, half))
        if one.measure not in DISTANCES:
            low, high = 1 - high, 1 - low
        found = replace(settings, lower=low, upper=high, standard_error=error * value.value)
        return close_interval(found, one.value, within=self._range_of(one.measure))

    def _range_of(self, measure: str) -> Range:
        lowest, highest = MEASURES[measure].range
        return (lowest, min(highest, self._largest) if measure in DISTANCES else highest)

    def _for_new_annotators(
        self, estimates: Sequence[Estimate], units: ResampledObjects
    ) -> list[Estimate]:
        """Return the estimates with intervals for new annotators in place of their own."""
        rows = []
        for kept in annotator_groups_without_each(np.unique(self.pairs.annotator).tolist()):
            others = self._units_of(kept)
            found = [
                (compute_object_measure(others, one.measure, ""), one.measure)
                for one in estimates
                if one.measure != OF_ANNOTATORS
            ]
            rows.append(
                [math.nan if isinstance(v, Reason) else _number(v, name) for v, name in found]
            )
        widened = [one for one in estimates if one.measure != OF_ANNOTATORS]
        without = np.array(rows, dtype=np.float64).reshape(-1, len(widened))
        return [
            one
            if one.measure == OF_ANNOTATORS
            else widen_by_left_out_values(
                one,
                without[:, widened.index(one)],
                error=one.detail.standard_error,
                n_drawn=units.n_units,
                drawn=self._over,
                within=self._range_of(one.measure),
            )
            for one in estimates
        ]


def _number(value: Ratio | float, measure: str) -> float:
    if not isinstance(value, Ratio):
        return value
    return value.value if measure in DISTANCES else 1 - value.value
