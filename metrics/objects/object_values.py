"""Values of the measures on objects, and intervals of those that are ratios of mean distances.

α is 1 less the mean distance of objects on one item over the mean distance of any two objects
(Krippendorff 2004, chapter 11, with a distance in place of a table). `alpha_random2` takes the
second mean over objects of different documents. σ and KS compare the two distributions (Braylan,
Alonso & Lease 2022; formulas as in the authors' code, repository `annotationmodeling`):

    σ   share of pairs on one item whose distance is so small that a pair of different items has a
        smaller one with a probability below .05, by a Gaussian kernel density of its distances
    KS  one-sided Kolmogorov–Smirnov statistic, max_d F_within(d) − F_different(d)

Intervals are symmetric around the logarithm of the ratio, whose standard error is that of leaving
out one document (or item) after the other, because mean distances are skewed and few items with a
distance leave a bootstrap without variance. Every sum over pairs is kept by document, so that the
ratio without a document is exact.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Flags, Floats, Ints
from ..reason import Reason, ReasonCode
from .object_pairs import DistancePairs, ObjectPairs

SIGNIFICANT = 0.05  # of σ
DISTANCES = ("mean_distance", "annotator_distance")
RATIOS = ("krippendorff_alpha", "alpha_random2", *DISTANCES)
METHOD = "jackknife-of-log"


@dataclass(frozen=True)
class Ratio:
    """A product of sums over units and of their inverses.

    each    float64 (U, C): what each unit adds to the sums; a pair of two units adds to both
    twice   float64 (C,): what was added twice
    powers  float64 (C,): 1 or −1
    """

    each: Floats
    twice: Floats
    powers: Floats

    @property
    def value(self) -> float:
        return float(np.prod(self._sums**self.powers))

    def log_error(self) -> float:
        """Return the jackknife standard error of the logarithm; nan if it is undefined without one.

        Efron & Tibshirani 1993, equation 11.5.
        """
        n_units = self.each.shape[0]
        without = self._sums - self.each
        if n_units < 2 or (without <= 1e-12 * self._sums).any():
            return math.nan
        logs = np.log(without) @ self.powers
        return math.sqrt((n_units - 1) / n_units * float(((logs - logs.mean()) ** 2).sum()))

    def divided_by(self, number: float) -> Ratio:
        """Divide by a number to which no unit adds."""
        return Ratio(
            np.column_stack([self.each, np.zeros(len(self.each))]),
            np.append(self.twice, -number),
            np.append(self.powers, -1.0),
        )

    @property
    def _sums(self) -> Floats:
        return self.each.sum(axis=0) - self.twice


@dataclass(frozen=True)
class ResampledObjects:
    """Objects by the U units that are resampled.

    unit  int64 (n,): unit of each object
    """

    pairs: ObjectPairs
    unit: Ints
    n_units: int

    @classmethod
    def from_pairs(cls, pairs: ObjectPairs) -> ResampledObjects:
        """Take documents as units; without documents, items."""
        homes, unit = np.unique(pairs.document[pairs.item], return_inverse=True)
        return cls(pairs, unit, homes.size)

    @cached_property
    def distances_to_others(self) -> Floats:
        """Mean distance of each object to the others on its item, (n,); their mean is D_o."""
        within, n = self.pairs.within, self.unit.size
        total = np.bincount(within.first, within.distances, n)
        total += np.bincount(within.second, within.distances, n)
        return total / (self.pairs.n_objects_by_item[self.pairs.item] - 1)

    def chance_pairs(self, measure: str) -> DistancePairs | None:
        """The pairs whose distances a measure expects by chance; None if items are not compared."""
        chance, item = self.pairs.chance, self.pairs.item
        if chance is None or measure == "krippendorff_alpha":
            return chance
        home = self.pairs.document[item] if measure == "alpha_random2" else item
        return chance.where(home[chance.first] != home[chance.second])

    def mean_distance(self, those: Flags | None = None) -> Ratio:
        """The mean of `distances_to_others`, of all objects or of some (n,), over their units."""
        unit, own, n = self.unit, self.distances_to_others, self.n_units
        if those is not None:
            own = own[those]
            homes, unit = np.unique(unit[those], return_inverse=True)
            n = homes.size
        each = [np.bincount(unit, own, n), np.bincount(unit, minlength=n)]
        return Ratio(np.stack(each, axis=1), np.zeros(2), np.array([1.0, -1.0]))

    def disagreement(self, expected: DistancePairs) -> Ratio:
        """D_o / D_e, with the mean distance of some pairs as D_e."""
        observed = self.mean_distance()
        sums = [
            self._sums(expected, one) for one in (np.ones(expected.n_pairs), expected.distances)
        ]
        each = np.column_stack([observed.each, *(one for one, _ in sums)])
        twice = np.concatenate([observed.twice, [number for _, number in sums]])
        return Ratio(each, twice, np.array([1.0, -1.0, 1.0, -1.0]))

    def _sums(self, pairs: DistancePairs, numbers: Floats) -> tuple[Floats, float]:
        """Return the sum of numbers (P,) over the pairs of each unit (U,), and over pairs apart."""
        first, second = self.unit[pairs.first], self.unit[pairs.second]
        apart = first != second
        each = np.zeros(self.n_units)
        each += np.bincount(first, numbers, self.n_units)
        each += np.bincount(second[apart], numbers[apart], self.n_units)
        return each, float(numbers[apart].sum())


def compute_object_measure(
    units: ResampledObjects, measure: str, distance: str
) -> Ratio | float | Reason:
    """Return a ratio, of which α is 1 less it; the value of σ and KS; or why there is no value.

    distance  its name, for the reason
    """
    if not units.pairs.within.n_pairs:
        return Reason(ReasonCode.NO_PAIRED_ITEM)
    if measure in DISTANCES:
        return units.mean_distance()
    expected = units.chance_pairs(measure)
    if expected is None:
        return Reason(ReasonCode.ITEMS_NOT_COMPARED, distance=distance)
    if not expected.n_pairs:
        return Reason(ReasonCode.NO_OTHER_DOCUMENT)
    if not expected.distances.any():
        return Reason(ReasonCode.NO_EXPECTED_DISAGREEMENT)
    if measure in RATIOS:
        return units.disagreement(expected)
    if measure == "ks":
        return ks(units.pairs.within.distances, expected.distances)
    if np.ptp(expected.distances) == 0:
        return Reason(ReasonCode.EXPECTED_DISTANCES_EQUAL)
    return sigma(units.pairs.within.distances, expected.distances)


def sigma(observed: Floats, expected: Floats) -> float:
    """Return the share of observed distances that are significantly smaller than expected ones.

    Both are one-dimensional. The kernel density of the expected distances, which must not all be
    equal, has Scott's bandwidth and is integrated from 0 (Braylan, Alonso & Lease 2022).
    """
    from scipy.special import ndtr

    width = float(expected.std(ddof=1)) * expected.size ** (-1 / 5)
    below_zero = ndtr(-expected / width)
    distinct, n = np.unique(observed, return_counts=True)
    limit = bisect_left(
        distinct, SIGNIFICANT, key=lambda one: (ndtr((one - expected) / width) - below_zero).mean()
    )
    return float(n[:limit].sum() / observed.size)


def ks(observed: Floats, expected: Floats) -> float:
    """Return the one-sided Kolmogorov–Smirnov statistic: how far observed distances are smaller."""
    steps = np.unique(observed)  # the share of observed distances rises at them only
    shares = [
        np.searchsorted(np.sort(one), steps, side="right") / one.size
        for one in (observed, expected)
    ]
    return max(0.0, float((shares[0] - shares[1]).max()))
