"""Verdict whether a system may replace an annotator: may, may not or undecided.

The advantage of the system over an annotator on an item is 1, 0 or −1 (`comparison`); it is
averaged over items, then over annotators. The system may replace an annotator if a one-sided test
rejects that the mean advantage is −ε or less; it may not if the other one-sided test rejects that
it is −ε or more; otherwise it is undecided. The standard error is the linearised error of a mean of
ratios over the resampling units: documents if there are several, else items.

* the panel: these annotators; items are a sample. Student's t with (units − 1) degrees of freedom,
  transformed for skewness (Hall 1992, Journal of the Royal Statistical Society B 54(1): 221–228).
* new annotators of the same pool: annotators are a sample, too. Student's t on the annotators'
  means with (annotators − 1) degrees of freedom; the error is never less than the panel's.

A verdict is stable if at least 95 % of the resamples of the units give the same verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from ..arrays import Flags, Floats, Ints, divide
from ..bootstrap import distinct_counts, draw_resamples, generator_for_purpose
from ..estimate import Estimate
from ..quantiles import normal_quantile, t_quantile
from ..results import ReplacementDecision
from .alt_test import PASSING_RATE, benjamini_yekutieli, t_p_values

STABLE = 0.95  # share of the resamples with the same verdict
_POWER = 0.8  # power with which the forecast number of units decides
_FARTHEST = 100  # multiple of the units beyond which there is no forecast
_PURPOSE = 26  # key of the stream of random numbers


class Verdict(StrEnum):
    MAY = "may"
    MAY_NOT = "may_not"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class MeanAdvantages:
    """Mean advantages (B,), their standard errors, and the skewness of the means.

    Most items give 0, and few give 1 or −1: with 50 items the mean is so skewed that Student's t
    rejects in one direction twice as often as it should. Hall's transformation corrects this.
    """

    mean: Floats
    error: Floats
    skew: Floats
    df: int

    def interval(self, error: float) -> tuple[Floats, Floats]:
        """Bounds, each of which is exceeded with probability `error`."""
        reach = t_quantile(self.df, 1 - error)
        upper, lower = (self._undo_skew_transform(one) * self.error for one in (-reach, reach))
        return self.mean - lower, self.mean - upper

    def verdicts(self, epsilon: float, error: float) -> Ints:
        """1 for may, −1 for may not, 0 for undecided."""
        lower, upper = self.interval(error)
        return (lower > -epsilon).astype(np.int64) - (upper < -epsilon)

    def t_statistic(self, epsilon: float) -> Floats:
        """Hall's transformation of the t statistic for a mean of −ε."""
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.nan_to_num((self.mean + epsilon) / self.error, posinf=np.inf, neginf=-np.inf)
        finite = np.where(np.isfinite(t), t, 0.0)
        cubic = finite + self.skew * finite**2 / 3 + self.skew**2 * finite**3 / 27 + self.skew / 6
        return np.where(np.isfinite(t), cubic, t)

    def _undo_skew_transform(self, quantile: float) -> Floats:
        skew = np.where(np.abs(self.skew) < 1e-6, 1.0, self.skew)
        root = 3 / skew * (np.cbrt(1 + skew * (quantile - skew / 6)) - 1)
        return np.where(np.abs(self.skew) < 1e-6, quantile, root)


@dataclass(frozen=True, slots=True)
class AdvantageSums:
    """For each kind of resampling unit and annotator: items, advantages, their squares, (G, A).

    multiplicity  (G,): number of units of each kind
    over          documents or items
    """

    n: Floats
    total: Floats
    squares: Floats
    multiplicity: Ints
    over: str

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())

    def means(self, weights: Floats) -> MeanAdvantages:
        """Return the mean advantage in resamples, weights (B, G)."""
        n, total = weights @ self.n, weights @ self.total
        known = n > 0
        means = divide(total, n)
        n_known = known.sum(axis=1)
        mean = divide(np.where(known, means, 0.0).sum(axis=1), n_known)
        share = divide(known.astype(np.float64), n_known[:, None] * n)
        share = np.nan_to_num(share)
        # Contribution of each unit to the error of the mean of ratios, squared and summed.
        parts = share @ self.total.T - (share * np.nan_to_num(means)) @ self.n.T
        n_units = weights.sum(axis=1)
        squares = (weights * parts**2).sum(axis=1)
        skew = divide((weights * parts**3).sum(axis=1), squares**1.5)
        error = np.sqrt(squares * divide(n_units, n_units - 1))
        return MeanAdvantages(mean, error, np.nan_to_num(skew), self.n_units - 1)

    def observed(self) -> MeanAdvantages:
        return self.means(self.multiplicity[None].astype(np.float64))

    def resampled(self, n_replicates: int, seed: int) -> Iterator[Floats]:
        """Yield the weights of the kinds of units in resamples, in blocks (B, G)."""
        if self.n_units > 1 and n_replicates:
            yield from draw_resamples(
                self.multiplicity, n_replicates, generator_for_purpose(seed, _PURPOSE)
            )


def advantage_sums(
    compared: Flags,
    values: NDArray[np.int8] | Floats,
    documents: NDArray[np.integer] | None = None,
    shares: Floats | None = None,
) -> AdvantageSums:
    """Sum values (N, A), which are 0 unless compared, by resampling unit.

    documents  (N,): the resampling units if there are at least two, else items
    shares     (N, A): weights of the values, in [0, 1]; None: 1

    The squares assume values −1, 0 or 1, as the alt-test needs.
    """
    per_item = np.stack([compared.astype(np.int8), values, np.abs(values)], axis=1)  # (N, 3, A)
    per_item = per_item if shares is None else per_item * shares[:, None]
    drawn = compared.any(axis=1)
    per_item, over = per_item[drawn], "items"
    if documents is not None and np.unique(documents[drawn]).size > 1:
        homes, index = np.unique(documents[drawn], return_inverse=True)
        sums = np.zeros((homes.size, *per_item.shape[1:]), np.result_type(per_item, np.int64))
        np.add.at(sums, index, per_item)
        per_item, over = sums, "documents"
    kinds, multiplicity = distinct_counts(per_item)
    n, total, squares = kinds.reshape(len(kinds), *per_item.shape[1:]).swapaxes(0, 1)
    return AdvantageSums(n, total, squares, multiplicity, over)


def decide_for_panel(
    sums: AdvantageSums,
    epsilon: float,
    *,
    error_rate: float = 0.05,
    n_stability_replicates: int = 0,
    seed: int = 0,
) -> ReplacementDecision:
    """Decide for these annotators; undecided if the mean or its error is undefined."""
    observed = sums.observed()
    found = _decision("panel", observed, epsilon, error_rate)
    verdicts = [
        sums.means(weights).verdicts(epsilon, error_rate)
        for weights in sums.resampled(n_stability_replicates, seed)
    ]
    if not verdicts:
        return found
    same = np.concatenate(verdicts) == _SIGNS[found.verdict]
    stability = float(same.mean())
    distance = abs(float(observed.t_statistic(epsilon)[0]))
    if stability >= STABLE:
        more: int | None = 0
    else:
        decided = found.verdict is not Verdict.UNDECIDED
        needed = normal_quantile(1 - error_rate) + normal_quantile(STABLE if decided else _POWER)
        more = _more_units_needed(sums.n_units, distance, needed)
    return replace(found, stability=stability, is_stable=stability >= STABLE, more=more)


def decide_for_new_annotators(
    sums: AdvantageSums, epsilon: float, panel: ReplacementDecision, *, error_rate: float = 0.05
) -> ReplacementDecision:
    """Decide for new annotators of the same pool."""
    weights = sums.multiplicity[None].astype(np.float64)
    means = divide(weights @ sums.total, weights @ sums.n)[0]
    means = means[~np.isnan(means)]
    spread = float(means.std(ddof=1)) if means.size > 1 else math.nan
    of_items = float(sums.observed().error[0])
    standard = max(spread / math.sqrt(max(means.size, 1)), of_items)
    mean, of_annotators, unskewed = (np.array([one]) for one in (panel.mean, standard, 0.0))
    observed = MeanAdvantages(mean, of_annotators, unskewed, means.size - 1)
    found = _decision("new_annotators", observed, epsilon, error_rate)
    if found.verdict is not Verdict.UNDECIDED:
        return replace(found, more=0)
    distance = abs(panel.mean + epsilon)
    return replace(found, more=_more_annotators(means.size, distance, spread, of_items, error_rate))


def alt_test_stability(
    sums: AdvantageSums, epsilon: float, *, passed: bool, n_replicates: int, seed: int
) -> float:
    """Share of resamples with the same alt-test verdict; nan without resamples."""
    same = []
    for weights in sums.resampled(n_replicates, seed):
        totals = (weights @ one for one in (sums.n, sums.total, sums.squares))
        p_values = t_p_values(*totals, epsilon=epsilon)
        rate = divide(
            benjamini_yekutieli(p_values).sum(axis=1, dtype=np.float64),
            (~np.isnan(p_values)).sum(axis=1, dtype=np.float64),
        )
        same.append((rate >= PASSING_RATE) == passed)
    return float(np.concatenate(same).mean()) if same else math.nan


_SIGNS: dict[str, int] = {Verdict.MAY: 1, Verdict.UNDECIDED: 0, Verdict.MAY_NOT: -1}


def _decision(
    over: str, observed: MeanAdvantages, epsilon: float, error: float
) -> ReplacementDecision:
    from scipy.special import stdtr

    mean, undefined = float(observed.mean[0]), (math.nan, math.nan)
    if observed.df < 1 or math.isnan(mean) or math.isnan(observed.error[0]):
        return ReplacementDecision(over, Verdict.UNDECIDED, mean, undefined, math.nan, math.nan)
    sign = int(observed.verdicts(epsilon, error)[0])
    verdict = next(one for one, own in _SIGNS.items() if own == sign)
    lower, upper = observed.interval(error)
    p_may = float(stdtr(observed.df, -observed.t_statistic(epsilon)[0]))
    return ReplacementDecision(
        over, verdict, mean, (float(lower[0]), float(upper[0])), p_may, 1 - p_may
    )


def more_units_for_bar(value: Estimate, bar: float, n_units: int) -> int | None:
    """Return how many more units would decide whether a value meets a bar, with power .8.

    The value is taken to stay, its interval to narrow with the root of the number of units. None
    without an interval, at the bar, and if the number is beyond reach.

    n_units  on which the interval is computed
    """
    distance = abs(value.value - bar)
    error = abs(value.value - value.interval[0 if value.value > bar else 1])
    if not (math.isfinite(error) and error and distance):
        return None
    quantile = normal_quantile((1 + value.confidence_level) / 2)
    needed = quantile + normal_quantile(_POWER)
    return _more_units_needed(n_units, distance * quantile / error, needed)


def _more_units_needed(n_units: int, distance: float, needed: float) -> int | None:
    """Additional units until the distance, in standard errors, reaches `needed`."""
    if distance <= 0:
        return None
    factor = (needed / distance) ** 2
    return None if factor > _FARTHEST else max(1, math.ceil(n_units * (factor - 1)))


def _more_annotators(
    n: int, distance: float, spread: float, of_items: float, error: float
) -> int | None:
    """Additional annotators needed; None if the error over items is too large."""
    for more in range(1, _FARTHEST * n if distance > 0 and math.isfinite(spread) else 0):
        needed = t_quantile(n + more - 1, 1 - error) + normal_quantile(_POWER)
        if distance > needed * max(spread / math.sqrt(n + more), of_items):
            return more
    return None
