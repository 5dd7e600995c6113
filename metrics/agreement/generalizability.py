"""Generalizability theory: variance components of ratings and the reliability of k annotators.

Items are crossed with annotators, with one rating per cell, so the interaction is part of the
residual.

    generalizability coefficient  Eρ²(k) = σ²(items) / (σ²(items) + σ²(residual)/k)
    index of dependability        Φ(k) = σ²(items) / (σ²(items) + (σ²(annotators) + σ²(residual))/k)

Eρ² is for relative decisions (which item is better), Φ for absolute decisions (how good is an
item). Source: Brennan (2001), Generalizability Theory, chapter 2. The variances are REML estimates,
which equal Brennan's analysis of variance if ratings are complete and no estimate is negative.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..errors import MetricsError
from ..estimate import NO_INTERVAL, Estimate, estimate
from ..estimate_detail import Detail
from ..measures import measure_of
from ..reason import Reason, ReasonCode
from ..signature import How, IntervalMethod, input_hash
from .intraclass import close_interval_of_mean, icc_absolute_agreement, reliability_of_mean
from .rating_variances import N_DRAWS, rating_variances


def decision_study(
    ratings: Floats,
    *,
    annotators: Sequence[int],
    level: float = 0.95,
    seed: int = 0,
) -> list[Estimate]:
    """Return Eρ²(k), then Φ(k), for each number k of annotators, with their intervals.

    ratings     (n, A), nan where missing; one column per annotator
    annotators  the numbers k, each at least 1

    Values are in [0, 1]; `detail` has k and the variance components. Values and intervals for k
    annotators are those of a single rating, transformed by the Spearman–Brown formula. For Eρ² the
    interval is exact. For Φ it is the interval of ICC(2,1) where the two are the same number, which
    complete ratings give unless an estimated variance is 0, else generalised, from draws of `seed`.
    There is none, with the `interval_reason` in `detail`, where ICC(2,k) has none. Undefined, with
    a reason, if all ratings are equal, if annotators share no items, or if there is no residual
    variance. Raises MetricsError for k below 1, and for fewer than two items or annotators.
    """
    given = np.isfinite(ratings)
    ratings = ratings[given.any(axis=1)][:, given.any(axis=0)]
    if min(annotators, default=1) < 1:
        raise MetricsError(f"a forecast needs one annotator or more, not {min(annotators)}")
    if min(ratings.shape) < 2:
        raise MetricsError(
            "a generalizability study needs at least two items and two annotators, not "
            f"{ratings.shape[0]} and {ratings.shape[1]}"
        )
    found = rating_variances(ratings)
    reason, detail = None, Detail()
    if found is None:
        reason = Reason(ReasonCode.OTHER_RATERS)
    elif found.sums.squares <= 0:
        reason = Reason(ReasonCode.NO_VARIANCE)
    elif found.explains_all_ratings:
        reason = Reason(ReasonCode.NO_RESIDUAL)
    singles = {"generalizability": math.nan, "dependability": math.nan}
    intervals = dict.fromkeys(singles, NO_INTERVAL)
    kinds = {"generalizability": "exact", "dependability": "generalised"}
    if found is not None and reason is None:
        singles = dict(zip(singles, found.reliability_of_one_rating, strict=True))
        intervals["generalizability"] = found.consistency_interval(level)
        agreement = icc_absolute_agreement(ratings, level) if np.isfinite(ratings).all() else None
        if agreement and math.isclose(agreement[0], singles["dependability"], abs_tol=1e-9):
            intervals["dependability"], kinds["dependability"] = agreement[1], "exact"
        else:
            intervals["dependability"] = found.agreement_interval(level, seed=seed)
        detail = Detail(
            variance_items=found.items,
            variance_annotators=found.annotators,
            variance_residual=found.residual,
        )
    forecasts = []
    for name, single in singles.items():
        drawn = kinds[name] == "generalised"
        for k in annotators:
            value = reliability_of_mean(single, k)
            interval, no_interval = close_interval_of_mean(
                intervals[name],
                value,
                k,
                level=level,
                n_units=ratings.shape[0],
                within=measure_of(name).range,
            )
            how = How(
                measure=name,
                k=k,
                missing="reml",
                interval=IntervalMethod(kinds[name], "", level),
                draws=N_DRAWS if drawn else None,
                seed=seed if drawn else None,
                input=input_hash([ratings]),
            )
            own = Detail(k=k) | detail
            if reason is None and no_interval is not None:
                own |= Detail(interval_reason=str(no_interval))
            forecasts.append(
                estimate(
                    how,
                    value,
                    reason,
                    interval,
                    confidence_level=level,
                    n_items=ratings.shape[0],
                    n_annotators=ratings.shape[1],
                    detail=own,
                )
            )
    return forecasts
