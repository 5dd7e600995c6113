"""Intraclass correlations of ratings: analysis of variance, or REML if ratings are missing.

| Shrout & Fleiss | McGraw & Wong | same raters on every item | reliability of |
|---|---|---|---|
| ICC(1,1), ICC(1,k) | ICC(1), ICC(k) | no | one rating, the mean of k |
| ICC(2,1), ICC(2,k) | ICC(A,1), ICC(A,k) | yes, a sample of raters: absolute agreement | the same |
| ICC(3,1), ICC(3,k) | ICC(C,1), ICC(C,k) | yes, these raters only: consistency | the same |

Sources: Shrout & Fleiss (1979), Psychological Bulletin 86(2): 420–428; McGraw & Wong (1996),
Psychological Methods 1(1): 30–46, table 7 for the intervals of complete ratings. For missing
ratings see `rating_variances`; k is then the harmonic mean of the numbers of ratings per item.

The forms of k ratings follow from those of one rating by the Spearman–Brown formula, which tends to
−∞ at −1/(k − 1). ICC(2,1) of few ratings, or the lower limit of its interval, may be below that:
ICC(2,k) is then undefined, or has no interval because nothing limits it from below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Floats
from ..errors import MetricsError
from ..estimate import NO_INTERVAL, Estimate, Figures, estimate
from ..estimate_detail import Detail
from ..intervals.interval import Range, close_bounds
from ..reason import Reason, ReasonCode
from ..signature import How, IntervalMethod, input_hash
from .rating_variances import N_DRAWS, RatingVariances, rating_variances

# Name in the registry: names in Shrout & Fleiss and in McGraw & Wong.
FORMS = {
    "icc_1_1": ("ICC(1,1)", "ICC(1)"),
    "icc_2_1": ("ICC(2,1)", "ICC(A,1)"),
    "icc_3_1": ("ICC(3,1)", "ICC(C,1)"),
    "icc_1_k": ("ICC(1,k)", "ICC(k)"),
    "icc_2_k": ("ICC(2,k)", "ICC(A,k)"),
    "icc_3_k": ("ICC(3,k)", "ICC(C,k)"),
}

WITHIN: Range = (-math.inf, 1.0)
NEGLIGIBLE = 1e-12  # of the mean square between items: less is no error of ratings


@dataclass(frozen=True, slots=True)
class MeanSquares:
    """Mean squares of n items rated k times; `raters` and `residual` are nan for changing raters.

    between   between items, n − 1 degrees of freedom
    within    between the ratings of an item, n(k − 1) degrees of freedom
    raters    between raters, k − 1 degrees of freedom
    residual  (n − 1)(k − 1) degrees of freedom
    """

    n: int
    k: int
    between: float
    within: float
    raters: float
    residual: float


def mean_squares(ratings: Floats, *, same_raters: bool = True) -> MeanSquares:
    """Analyse complete ratings (n, k). Raises MetricsError below 2 items or 2 ratings each."""
    n, k = ratings.shape
    if n < 2 or k < 2:
        raise MetricsError(f"an ICC needs at least two items with two ratings each, not {n} × {k}")
    if not np.isfinite(ratings).all():
        raise MetricsError("an ICC needs complete ratings, but some are missing")
    ratings = ratings - ratings[0, 0]  # exact; means of ratings far from 0 would lose digits
    items, raters, mean = ratings.mean(axis=1), ratings.mean(axis=0), ratings.mean()
    between = k * float(((items - mean) ** 2).sum()) / (n - 1)
    within = float(((ratings - items[:, None]) ** 2).sum()) / (n * (k - 1))
    if not same_raters:
        return MeanSquares(n, k, between, within, math.nan, math.nan)
    rest = ratings - items[:, None] - raters + mean
    residual = float((rest**2).sum()) / ((n - 1) * (k - 1))
    return MeanSquares(
        n, k, between, within, n * float(((raters - mean) ** 2).sum()) / (k - 1), residual
    )


def intraclass_correlations(
    ratings: Floats,
    *,
    same_raters: bool | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> list[Estimate]:
    """Return the six forms of the ICC, each with its interval.

    ratings      (n, A), nan where missing
    same_raters  whether each column is one rater; else only ICC(1,1) and ICC(1,k) are defined.
                 Default: true, unless every item has the same number of ratings and some are
                 missing

    Complete ratings have exact intervals and, in `detail`, F, its degrees of freedom and p-value.
    With missing ratings, the variances are non-negative estimates of a mixed model (REML), the
    intervals of ICC(1,·) and ICC(3,·) are exact, and the intervals of ICC(2,·) are generalised,
    from draws of `seed`; `detail` has the variances and k. `detail` always has both names of the
    form. Undefined, with a reason, if all ratings are equal or no item has two. `interval_reason`
    in `detail` says why a value has no interval.
    """
    given = np.isfinite(ratings)
    ratings = ratings[given.any(axis=1)][:, given.any(axis=0)]
    given = np.isfinite(ratings)
    per_item = given.sum(axis=1)
    if ratings.shape[0] < 2:
        return _undefined_forms(ratings, level, Reason(ReasonCode.FEW_ITEMS, fewest=2))
    if per_item.max() < 2:
        return _undefined_forms(ratings, level, Reason(ReasonCode.NO_PAIRED_ITEM))
    balanced, complete = bool(per_item.min() == per_item.max()), bool(given.all())
    if same_raters is None:
        same_raters = complete or not balanced
    if complete or (balanced and not same_raters):
        table = ratings[given].reshape(per_item.size, -1)
        squares = mean_squares(table, same_raters=same_raters)
        return [_icc_of_form(name, squares, table, level) for name in FORMS]
    crossed = rating_variances(ratings) if same_raters else None
    nested = rating_variances(ratings, same_raters=False)
    counted = _Counted(ratings, same_raters, level, seed)
    found = {
        "1": counted.of_model("1", nested),
        "2": counted.of_model("2", crossed),
        "3": counted.of_model("3", crossed),
    }
    return [found[name[4]][name[-1]] for name in FORMS]


def _undefined_forms(ratings: Floats, level: float, reason: Reason) -> list[Estimate]:
    n, k = ratings.shape
    counts: Figures = {"confidence_level": level, "n_items": n, "n_annotators": k}
    return [Estimate(name, math.nan, reason, **counts) for name in FORMS]


@dataclass(frozen=True, slots=True)
class _Counted:
    """Ratings of which some are missing."""

    ratings: Floats
    same_raters: bool
    level: float
    seed: int

    def of_model(self, model: str, variances: RatingVariances | None) -> dict[str, Estimate]:
        """Return the two forms of a model, by `1` and `k`."""
        reason = _why_undefined(model, variances)
        if variances is None or reason is not None:
            return {unit: self._estimate(model, unit, math.nan, reason=reason) for unit in "1k"}
        consistency, agreement = variances.reliability_of_one_rating
        value = agreement if model == "2" else consistency
        interval, no_interval = NO_INTERVAL, None
        if variances.explains_all_ratings:
            no_interval = Reason(ReasonCode.NO_RESIDUAL)
        elif model == "2":
            interval = variances.agreement_interval(self.level, seed=self.seed)
        else:
            interval = variances.consistency_interval(self.level)
        detail = Detail(
            k=variances.k,
            n_missing=int(np.isnan(self.ratings).sum()),
            variance_items=variances.items,
            variance_annotators=variances.annotators,
            variance_residual=variances.residual,
        )
        found = {}
        for unit, k in (("1", 1.0), ("k", variances.k)):
            of_mean = reliability_of_mean(value, k)
            bounds, reason = close_interval_of_mean(
                interval,
                of_mean,
                k,
                level=self.level,
                n_units=self.ratings.shape[0],
                within=WITHIN,
                reason=no_interval,
            )
            own = detail | _names_in_literature(f"icc_{model}_{unit}")
            if reason is not None:
                own |= Detail(interval_reason=str(reason))
            found[unit] = self._estimate(model, unit, of_mean, interval=bounds, detail=own)
        return found

    def _estimate(self, model: str, unit: str, value: float, **more: Any) -> Estimate:
        name = f"icc_{model}_{unit}"
        generalised = model == "2"
        how = How(
            measure=name,
            missing="reml",
            interval=IntervalMethod("generalised" if generalised else "exact", "", self.level),
            draws=N_DRAWS if generalised else None,
            seed=self.seed if generalised else None,
            input=input_hash([self.ratings, str(self.same_raters)]),
        )
        n, k = self.ratings.shape
        return estimate(how, value, confidence_level=self.level, n_items=n, n_annotators=k, **more)


def _why_undefined(model: str, variances: RatingVariances | None) -> Reason | None:
    if variances is None:
        return Reason(ReasonCode.OTHER_RATERS)
    if variances.sums.squares <= 0:
        return Reason(ReasonCode.NO_VARIANCE)
    if model == "2" and variances.explains_all_ratings and variances.annotators > 1e-12:
        return Reason(ReasonCode.NO_RESIDUAL)
    if variances.items + variances.residual <= 0:
        return Reason(ReasonCode.NO_ESTIMATED_VARIANCE)
    return None


def _names_in_literature(name: str) -> Detail:
    return Detail(shrout_fleiss=FORMS[name][0], mcgraw_wong=FORMS[name][1])


def _icc_of_form(name: str, squares: MeanSquares, ratings: Floats, level: float) -> Estimate:
    from scipy.special import fdtrc

    n, k = squares.n, squares.k
    _, model, unit = name.split("_")
    error = squares.within if model == "1" else squares.residual
    how = How(
        measure=name,
        interval=IntervalMethod("exact", "", level),
        input=input_hash([ratings, str(not math.isnan(squares.residual))]),
    )
    counted: Figures = {"confidence_level": level, "n_items": n, "n_annotators": k}
    reason = None
    if math.isnan(error):
        reason = Reason(ReasonCode.OTHER_RATERS)
    elif squares.between <= 0 and squares.within <= 0:
        reason = Reason(ReasonCode.NO_VARIANCE)
    if reason is not None:
        return estimate(how, math.nan, reason, **counted)
    value, interval = _single_rating(model, squares, error, level)
    n_averaged = k if unit == "k" else 1
    value = reliability_of_mean(value, n_averaged)
    if math.isnan(value):
        reason = Reason(ReasonCode.NO_ESTIMATED_VARIANCE)
        return estimate(how, value, reason, **counted)
    interval, no_interval = close_interval_of_mean(
        interval,
        value,
        n_averaged,
        level=level,
        n_units=n,
        within=WITHIN,
        reason=Reason(ReasonCode.NO_RESIDUAL) if math.isnan(interval[0]) else None,
    )
    df2 = n * (k - 1) if model == "1" else (n - 1) * (k - 1)
    f = squares.between / error if error > 0 else math.inf
    detail = _names_in_literature(name) | Detail(
        f=f, df1=n - 1, df2=df2, p_value=float(fdtrc(n - 1, df2, f))
    )
    if no_interval is not None:
        detail |= Detail(interval_reason=str(no_interval))
    counted["detail"] = detail
    return estimate(how, value, None, interval, **counted)


def _single_rating(
    model: str, squares: MeanSquares, error: float, level: float
) -> tuple[float, tuple[float, float]]:
    """Return the reliability of one rating, and its interval."""
    n, k, between = squares.n, squares.k, squares.between
    if model == "2":
        variance = between + (k - 1) * error + k * (squares.raters - error) / n
    else:
        variance = between + (k - 1) * error
    if variance <= 0:
        return math.nan, NO_INTERVAL
    value = (between - error) / variance
    if model == "2":
        return value, _interval_of_absolute_agreement(value, squares, level)
    df = n * (k - 1) if model == "1" else (n - 1) * (k - 1)
    if error <= NEGLIGIBLE * between:
        return value, NO_INTERVAL
    f = between / error
    low, high = f / _f_quantile(n - 1, df, level), f * _f_quantile(df, n - 1, level)
    return value, ((low - 1) / (low + k - 1), (high - 1) / (high + k - 1))


def _interval_of_absolute_agreement(
    value: float, squares: MeanSquares, level: float
) -> tuple[float, float]:
    """Interval of ICC(2,1), with Satterthwaite's degrees of freedom for raters plus residual.

    There is none where items and raters explain every rating.
    """
    n, k = squares.n, squares.k
    between, raters, error = squares.between, squares.raters, squares.residual
    if error <= NEGLIGIBLE * (between + raters):
        return NO_INTERVAL
    f = raters / error
    rest = n * (1 + (k - 1) * value) - k * value
    above = (k - 1) * (n - 1) * (k * value * f + rest) ** 2
    below = (n - 1) * (k * value * f) ** 2 + rest**2
    df = above / below if below > 0 else 1.0
    upper, lower = _f_quantile(n - 1, df, level), _f_quantile(df, n - 1, level)
    noise = k * raters + (k * n - k - n) * error
    return (
        n * (between - upper * error) / (upper * noise + n * between),
        n * (lower * between - error) / (noise + n * lower * between),
    )


def icc_absolute_agreement(ratings: Floats, level: float) -> tuple[float, tuple[float, float]]:
    """Return ICC(2,1) of complete ratings (n, k), and its interval."""
    squares = mean_squares(ratings)
    return _single_rating("2", squares, squares.residual, level)


def close_interval_of_mean(
    single: tuple[float, float],
    value: float,
    k: float,
    *,
    level: float,
    n_units: int,
    within: Range,
    reason: Reason | None = None,
) -> tuple[tuple[float, float], Reason | None]:
    """Close the interval of the reliability of the mean of k ratings.

    single  interval of the reliability of one rating
    value   reliability of the mean
    reason  why there is no interval of one rating

    Returns the bounds, and the reason why there are none: the lower limit of one rating may allow
    none for the mean (`reliability_of_mean`).
    """
    low, high = (reliability_of_mean(bound, k) for bound in single)
    if reason is None and math.isnan(low):
        reason = Reason(ReasonCode.NO_LOWER_LIMIT_OF_MEANS, k=k)
    return close_bounds(
        (low, high), value, level=level, n_units=n_units, within=within, reason=reason
    )


def reliability_of_mean(single: float, k: float) -> float:
    """Return the reliability of the mean of k ratings, by the Spearman–Brown formula.

    nan at −1/(k − 1) and below, where the means would have no variance.
    """
    variance = 1 + (k - 1) * single
    return k * single / variance if variance > 1e-12 else math.nan


def _f_quantile(first: float, second: float, level: float) -> float:
    from scipy.special import fdtri

    return float(fdtri(first, second, (1 + level) / 2))
