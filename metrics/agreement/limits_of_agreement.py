"""Limits of agreement between two annotators' ratings, and repeatability of each annotator.

    limits of agreement   mean difference ± 1.96 standard deviations of the differences
    within-annotator SD   root of the mean variance of an annotator's ratings of the same item
    repeatability         1.96 · √2 · within-annotator SD: two ratings of an item by the same
                          annotator differ by less in 95 % of the cases

Sources: Bland & Altman (1986), The Lancet 327: 307–310; (1999), Statistical Methods in Medical
Research 8: 135–160, sections 2 and 3, for the intervals of the limits and of repeatability.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ..arrays import Floats
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..estimate_detail import Detail
from ..intervals.interval import Interval, close_bounds, symmetric_interval
from ..quantiles import t_quantile, two_sided_normal_quantile
from ..reason import Reason, ReasonCode
from ..signature import How, IntervalMethod, input_hash

WIDTH = two_sided_normal_quantile(0.95)  # ± standard deviations that contain 95 %
REPEATABILITY = WIDTH * math.sqrt(2)


def limits_of_agreement(
    ratings: Floats, annotators: Sequence[str], *, level: float = 0.95
) -> list[Estimate]:
    """Return the mean difference of each two annotators (first − second), with limits in `detail`.

    ratings  (n, A), nan where missing

    All values are in the unit of the ratings. `detail` has the names `first` and `second`, the
    standard deviation `sd` of the differences, the limits `lower` and `upper`, and their intervals
    `lower_low`, `lower_high`, `upper_low`, `upper_high`. Undefined with fewer than three items that
    both rated.
    """
    return [
        _limits_of_pair(ratings[:, a] - ratings[:, b], annotators[a], annotators[b], level)
        for a, b in combinations(range(len(annotators)), 2)
    ]


def _limits_of_pair(differences: Floats, first: str, second: str, level: float) -> Estimate:
    known = differences[np.isfinite(differences)]
    n = known.size
    names = Detail(first=first, second=second)
    how = How(
        measure="mean_difference",
        interval=IntervalMethod("t", "items", level),
        input=input_hash([differences]),
    )
    if n < 3:
        reason = Reason(ReasonCode.FEW_ITEMS, fewest=3)
        return Estimate("mean_difference", math.nan, reason, n_items=n, detail=names)
    mean, sd = float(known.mean()), float(known.std(ddof=1))
    t = t_quantile(n - 1, (1 + level) / 2)
    of_limit = t * sd * math.sqrt(1 / n + WIDTH**2 / (2 * (n - 1)))
    lower, upper = mean - WIDTH * sd, mean + WIDTH * sd
    detail = names | Detail(
        sd=sd,
        lower=lower,
        lower_low=lower - of_limit,
        lower_high=lower + of_limit,
        upper=upper,
        upper_low=upper - of_limit,
        upper_high=upper + of_limit,
    )
    closed = symmetric_interval(
        Interval(
            level=level, method="t", over="items", n_units=n, standard_error=sd / math.sqrt(n)
        ),
        mean,
    )
    if closed.reason is not None:
        detail |= Detail(interval_reason=str(closed.reason))
    return estimate(
        how,
        mean,
        None,
        closed.bounds,
        confidence_level=level,
        n_items=n,
        n_annotators=2,
        detail=detail,
    )


def repeatability(ratings: Sequence[Floats], *, level: float = 0.95) -> Estimate:
    """Return the within-annotator standard deviation, from items rated repeatedly by one annotator.

    ratings  (n, passes) of each annotator, nan where missing

    Values are in the unit of the ratings, with the exact interval of a variance of normal errors.
    `detail` has the repeatability coefficient `repeatability` with its bounds `repeatability_low`
    and `repeatability_high`, and the degrees of freedom `df`. Undefined if no annotator rated an
    item twice.
    """
    from scipy.special import chdtri

    squares, df, n_items, n_annotators = 0.0, 0, 0, 0
    for table in ratings:
        n = np.isfinite(table).sum(axis=1)
        repeated = table[n > 1]
        if not repeated.size:
            continue
        means = np.nanmean(repeated, axis=1, keepdims=True)
        squares += float(np.nansum((repeated - means) ** 2))
        df += int((n[n > 1] - 1).sum())
        n_items += int((n > 1).sum())
        n_annotators += 1
    if not df:
        reason = Reason(ReasonCode.NO_REPEATED_RATING)
        return Estimate("within_annotator_sd", math.nan, reason, interval=NO_INTERVAL)
    sd = math.sqrt(squares / df)
    low, high = (
        math.sqrt(squares / float(chdtri(df, tail))) if squares else 0.0
        for tail in ((1 - level) / 2, (1 + level) / 2)
    )
    (low, high), no_interval = close_bounds(
        (low, high), sd, level=level, n_units=n_items, within=(0.0, math.inf)
    )
    return estimate(
        How(
            measure="within_annotator_sd",
            interval=IntervalMethod("chi-squared", "", level),
            input=input_hash(ratings),
        ),
        sd,
        None,
        (low, high),
        confidence_level=level,
        n_items=n_items,
        n_annotators=n_annotators,
        detail=Detail(
            df=df,
            repeatability=REPEATABILITY * sd,
            repeatability_low=REPEATABILITY * low,
            repeatability_high=REPEATABILITY * high,
            interval_reason=None if no_interval is None else str(no_interval),
        ),
    )
