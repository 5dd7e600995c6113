"""Intervals of coefficients for new annotators of the same pool: annotators are a sample, too.

The usual interval takes the annotators as they are: it says what other items would give. Here the
error of leaving out one annotator after the other (jackknife) is added to the error over items:

    variance = variance over items + (A − 1)/A Σ (value without annotator a − their mean)²

with Student's t by Satterthwaite's degrees of freedom. What annotators and items have in common is
in both terms, so that the interval is wide rather than narrow. Sources: Gwet (2008), British
Journal of Mathematical and Statistical Psychology 61: 29–48, for an unconditional variance as the
sum of both; Efron & Stein (1981), Annals of Statistics 9(3): 586–596, for the jackknife's bias.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..estimate import Estimate
from ..reason import Reason, ReasonCode
from .counts import count
from .distances import Distance
from .interval import Interval, symmetric_interval, with_interval
from .label_matrix import LabelMatrix
from .registry import from_counts, resolve_sets

FEWEST = 3
METHOD = "jackknife-annotators"


def for_new_annotators(
    estimates: Sequence[Estimate], matrix: LabelMatrix, *, distance: Distance = "nominal"
) -> list[Estimate]:
    """The estimates of a matrix with intervals for new annotators in place of those they have.

    An estimate without an interval over items keeps none; with fewer than three annotators there
    is none, and `interval_reason` in the detail says so.
    """
    table = resolve_sets(distance, matrix)
    labelled = np.flatnonzero((matrix.codes >= 0).any(axis=0)).tolist()
    names = [one.measure for one in estimates]
    without = np.full((len(labelled), len(names)), math.nan)
    if len(labelled) >= FEWEST:
        for row, a in enumerate(labelled):
            others = matrix.of_annotators([b for b in labelled if b != a])
            counts = count(others)
            without[row] = [from_counts(name, counts, distance=table).value for name in names]
    return [_widen_for_annotators(one, without[:, m]) for m, one in enumerate(estimates)]


def _widen_for_annotators(one: Estimate, without: NDArray[np.float64]) -> Estimate:
    if math.isnan(one.interval[0]):
        return one
    over_items = float(one.detail.get("standard_error", math.nan))
    n_annotators, of_annotators, reason = without.size, math.nan, None
    if n_annotators < FEWEST or np.isnan(without).any():
        reason = Reason(ReasonCode.FEW_ANNOTATORS_TO_DRAW, fewest=FEWEST)
    else:
        squares = ((without - without.mean()) ** 2).sum()
        of_annotators = float(squares * (n_annotators - 1) / n_annotators)
    total = of_annotators + over_items**2
    df = (
        1
        if reason
        else _satterthwaite_df(of_annotators, n_annotators - 1, over_items**2, one.n_items - 1)
    )
    interval = symmetric_interval(
        one.value, math.sqrt(total), one.level, METHOD, "items and annotators", df + 1, reason
    )
    found = with_interval(one, _with_source_settings(one, interval))
    return replace(
        found, detail={**found.detail, "standard_error_annotators": math.sqrt(of_annotators)}
    )


def _with_source_settings(one: Estimate, interval: Interval) -> Interval:
    """The interval with the draws that the error over items came from."""
    settings = one.signature.settings
    return replace(
        interval,
        n_groups=max(interval.n_groups, 2),
        n_replicates=int(settings.get("replicates", 0)),
        seed=int(settings["seed"]) if "seed" in settings else None,
        prior=settings.get("prior"),
    )


def _satterthwaite_df(first: float, df_first: int, second: float, df_second: int) -> int:
    """Satterthwaite's degrees of freedom of a sum of two variances, at least 1."""
    below = first**2 / max(df_first, 1) + second**2 / max(df_second, 1)
    return max(1, math.floor((first + second) ** 2 / below)) if below > 0 else max(df_first, 1)
