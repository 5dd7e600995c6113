"""Reading grids: the value of an alignment measure as annotations get worse, readable both ways.

Curves of a measure against the magnitude of one degradation, on documents like the user's own
(`perfect_campaign_of`), with the variation of single campaigns; and the inverse reading,
"annotators who omit p % of the units agree this much" (Mathet & Widlöcher 2011, section 6.1).

The measure is any function of a campaign: `lambda continua: gamma(continua, …).value`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ...alignment.continuum import Continuum
from ...arrays import Floats, Ints
from ...bootstrap import check_level, trial_seed
from ...errors import MetricsError
from ...reason import Reason, ReasonCode
from ..trial_means import interval_of_means
from .corpus_shuffling import shuffled_continuum
from .perfect_campaign import PerfectCampaign

Measure: TypeAlias = Callable[[Sequence[Continuum]], float]


@dataclass(frozen=True, slots=True)
class ReadingCurve:
    """The measure at M magnitudes of one degradation, over T trials each.

    mean, sd     float64 (M,); `nan` if no trial has a value
    interval     float64 (M, 2): interval of the mean (`interval_of_means`)
    band         float64 (M, 2): quantiles of single campaigns, at the same level
    n, n_undefined  int64 (M,): trials with and without a value
    """

    degradation: str
    magnitudes: Floats
    mean: Floats
    sd: Floats
    interval: Floats
    band: Floats
    n: Ints
    n_undefined: Ints
    level: float

    @property
    def rises_from(self) -> float:
        """Magnitude of the lowest mean if the curve rises again after it, else `nan`.

        It rises if the interval of a later mean is above the interval of the lowest one: annotators
        who all err in one way agree with each other. A value is read off before it only.
        """
        if not np.isfinite(self.mean).any():
            return math.nan
        lowest = int(np.nanargmin(self.mean))
        rises = bool((self.interval[lowest + 1 :, 0] > self.interval[lowest, 1]).any())
        return float(self.magnitudes[lowest]) if rises else math.nan


@dataclass(frozen=True, slots=True)
class Reading:
    """An observed value read as a magnitude: `nan` with a reason if it is off the curve.

    `interval` has the magnitudes at which a campaign with this value would be in the band; a side
    that is never crossed is the end of the curve.
    """

    degradation: str
    value: float
    magnitude: float
    interval: tuple[float, float]
    reason: Reason | None = None


def grid_trial(
    measure: Measure,
    model: PerfectCampaign,
    degradation: str,
    magnitude: float,
    *,
    trial: int,
    study: str = "reading grid",
    n_documents: int = 1,
    n_annotators: int = 3,
    n_perfect: int = 1,
) -> float:
    """Compute the measure on one degraded campaign, with a seed from (study, cell, trial) only."""
    rng = np.random.default_rng(trial_seed(study, f"{degradation}={magnitude:.6g}", trial))
    continua = [
        shuffled_continuum(
            model, {degradation: magnitude}, n_annotators=n_annotators, n_perfect=n_perfect, rng=rng
        )
        for _ in range(n_documents)
    ]
    return float(measure(continua))


def curve_of_values(
    degradation: str,
    magnitudes: Sequence[float],
    values: Floats,
    *,
    level: float = 0.95,
    mean_level: float | None = None,
) -> ReadingCurve:
    """Compute a curve from values float64 (M, T), `nan` where the measure is undefined.

    mean_level  of the interval of the mean, if not `level`, that of the band
    """
    points = np.asarray(magnitudes, dtype=np.float64)
    if points.size < 2 or (np.diff(points) <= 0).any():
        raise MetricsError("a curve needs at least two magnitudes, in increasing order")
    check_level(level)
    n = np.isfinite(values).sum(axis=1)
    mean, sd = np.full(points.size, np.nan), np.full(points.size, np.nan)
    band = np.full((points.size, 2), np.nan)
    for m in np.nonzero(n)[0]:
        known = values[m][np.isfinite(values[m])]
        mean[m] = known.mean()
        sd[m] = known.std(ddof=1) if known.size > 1 else math.nan
        band[m] = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return ReadingCurve(
        degradation=degradation,
        magnitudes=points,
        mean=mean,
        sd=sd,
        interval=interval_of_means(mean, sd, n, level=mean_level or level),
        band=band,
        n=n,
        n_undefined=values.shape[1] - n,
        level=level,
    )


def read_value(curve: ReadingCurve, value: float) -> Reading:
    """Return the magnitude at which the curve has a value, on its decreasing part."""
    known = np.isfinite(curve.mean) & ~(curve.magnitudes > curve.rises_from)
    points = curve.magnitudes[known]
    if math.isnan(value) or points.size < 2:
        code = ReasonCode.VALUE_UNDEFINED if math.isnan(value) else ReasonCode.NO_CURVE
        return Reading(curve.degradation, value, math.nan, (math.nan, math.nan), Reason(code))
    mean = _decreasing(curve.mean[known], curve.n[known].astype(np.float64))
    low = _decreasing(curve.band[known, 0], curve.n[known].astype(np.float64))
    high = _decreasing(curve.band[known, 1], curve.n[known].astype(np.float64))
    interval = (_crossing(points, low, value), _crossing(points, high, value))
    if value < mean[-1]:
        reason = Reason(ReasonCode.BELOW_CURVE, magnitude=float(points[-1]), lowest=float(mean[-1]))
        return Reading(curve.degradation, value, math.nan, interval, reason)
    return Reading(curve.degradation, value, _crossing(points, mean, value), interval)


def _crossing(points: Floats, curve: Floats, value: float) -> float:
    """Return where a decreasing piecewise linear curve has a value, limited to its ends."""
    if value >= curve[0]:
        return float(points[0])
    if value <= curve[-1]:
        return float(points[-1])
    i = int(np.nonzero(curve >= value)[0][-1])
    share = (curve[i] - value) / (curve[i] - curve[i + 1])
    return float(points[i] + share * (points[i + 1] - points[i]))


def _decreasing(values: Floats, weights: Floats) -> Floats:
    """Nearest decreasing curve, by pooling neighbours that are out of order (Ayer et al. 1955)."""
    blocks: list[list[float]] = []  # value, weight, points
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        blocks.append([value, weight, 1.0])
        while len(blocks) > 1 and blocks[-2][0] < blocks[-1][0]:
            last, before = blocks.pop(), blocks.pop()
            weight_both = before[1] + last[1]
            pooled = (before[0] * before[1] + last[0] * last[1]) / weight_both
            blocks.append([pooled, weight_both, before[2] + last[2]])
    return np.concatenate([np.full(int(n), value) for value, _, n in blocks])
