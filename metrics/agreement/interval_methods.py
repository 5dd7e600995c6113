"""Uncertainty of a coefficient: posterior over items, bootstrap over documents, jackknife.

Gwet's analytic variances are in `linearized`, differences of coefficients in `difference`.

Every random draw comes from NumPy's PCG64 seeded with `seed`: same seed, same interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from ..arrays import Floats, Ints
from ..bootstrap import ROUNDING
from ..bootstrap import percentile_probabilities as expanded_tails
from ..measures import USUAL, coefficient_of
from ..reason import Reason, ReasonCode
from . import coefficient_posterior as posterior
from .coefficients import resolve_set_distance
from .distances import Distance
from .formulas.coefficient import Coefficient
from .interval import Interval, symmetric_interval, why_no_interval
from .label_matrix import LabelMatrix
from .normal_limit import METHOD as NORMAL
from .normal_limit import normal_replicates
from .resampling_units import (
    Over,
    ResamplingUnits,
    applicable_coefficient,
    bootstrap_replicates,
    point_values,
    resampling_units,
    values_without_each,
)

MOST_FREQUENCIES = 2_000_000  # of annotators and categories, that are drawn for each replicate

Method = Literal["auto", "dirichlet-profiles", "expanded-percentile", "percentile", "basic", "bca"]


def bootstrap(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = USUAL,
    n_replicates: int = 1000,
    seed: int,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
    method: Method = "auto",
) -> dict[str, Interval]:
    """Return an interval for each measure, from the same resamples of documents or profile draws.

    method  `auto` is `dirichlet-profiles` up to a number of profiles and categories (see
            `metrics.agreement.coefficient_posterior`), else `expanded-percentile` (see
            `metrics.bootstrap`), over very many units from the normal limit of the sums
            (`normal_limit`); `percentile` and `basic` are in Davison & Hinkley 1997, chapter 5;
            `bca` in Efron 1987, with the acceleration from the jackknife

    Raises RoleError for systems and references.
    """
    for measure in measures:
        applicable_coefficient(measure, matrix)
    groups = resampling_units(matrix, over=over)
    return bootstrap_counted_units(
        groups,
        measures=measures,
        n_replicates=n_replicates,
        seed=seed,
        level=level,
        distance=resolve_set_distance(distance, matrix),
        method=method,
    )


def bootstrap_counted_units(
    groups: ResamplingUnits,
    *,
    measures: Sequence[str],
    n_replicates: int = 1000,
    seed: int,
    level: float = 0.95,
    distance: Distance = "nominal",
    method: Method = "auto",
) -> dict[str, Interval]:
    """Apply `bootstrap` to units that are already counted (`resampling_units_of_counts`)."""
    specs = [coefficient_of(measure) for measure in measures]
    if method == "dirichlet-profiles" or (
        method == "auto" and posterior.has_posterior_interval(groups)
    ):
        return _bootstrap_from_profiles(groups, specs, n_replicates, seed, level, distance)
    drawn: dict[str, Floats] = {}
    options: dict[str, Any] = {"n_replicates": n_replicates, "seed": seed, "distance": distance}
    for spec in specs if method == "auto" else ():
        found = normal_replicates(groups, spec, **options)
        if found is not None:
            drawn[spec.name] = found
    of_sums, too_many = set(drawn), set[str]()
    by_weights = [spec.name for spec in specs if spec.name not in drawn]
    if len(groups.tagset) * groups.kinds.n_annotators > MOST_FREQUENCIES:
        undrawn = np.full(n_replicates, np.nan)
        drawn |= dict.fromkeys(by_weights, undrawn)
        too_many, by_weights = set(by_weights), []
    method = "expanded-percentile" if method == "auto" else method
    if by_weights:
        columns = bootstrap_replicates(groups, measures=by_weights, **options).T
        drawn |= dict(zip(by_weights, columns, strict=True))
    point = point_values(groups, specs, distance)
    left_out = None
    if method == "bca":
        left_out = values_without_each(groups, specs, distance)
    out = {}
    for j, spec in enumerate(specs):
        defined = drawn[spec.name][~np.isnan(drawn[spec.name])]
        reason = why_no_interval(groups.n_units, defined.size, float(point[j]))
        if spec.name in too_many:
            reason = Reason(ReasonCode.TOO_MANY_FREQUENCIES, n=len(groups.tagset))
        lower = upper = error = math.nan
        if not reason:
            tails = np.array([(1 - level) / 2, (1 + level) / 2])
            if method == "expanded-percentile":
                tails = np.array(expanded_tails(level, groups.n_units))
            if left_out is not None:
                tails = _bca_tails(
                    tails, defined, float(point[j]), left_out[:, j], groups.multiplicity
                )
            lower, upper = (float(bound) for bound in np.quantile(defined, tails))
            if method == "basic":
                lower, upper = 2 * float(point[j]) - upper, 2 * float(point[j]) - lower
            error = float(defined.std(ddof=1))
        out[spec.name] = Interval(
            lower,
            upper,
            level,
            NORMAL if spec.name in of_sums else f"bootstrap-{method}",
            groups.over,
            error,
            groups.n_units,
            n_replicates=n_replicates,
            n_undefined=n_replicates - defined.size,
            seed=seed,
            reason=reason,
        )
    return out


def _bootstrap_from_profiles(
    groups: ResamplingUnits,
    specs: Sequence[Coefficient],
    n_replicates: int,
    seed: int,
    level: float,
    distance: Distance,
) -> dict[str, Interval]:
    """Posterior intervals over profiles, extended to contain the value, and 1 if nothing disagrees.

    Where a single category is used there are draws from the posterior but no value, and
    `add_interval` adds no bounds.
    """
    drawn, shares = posterior.interval_draws(
        groups,
        measures=[spec.name for spec in specs],
        n_draws=n_replicates,
        seed=seed,
        distance=distance,
    )
    point = point_values(groups, specs, distance)
    out = {}
    for j, spec in enumerate(specs):
        defined = drawn[~np.isnan(drawn[:, j]), j]
        value = float(point[j])
        n_defined = defined.size if posterior.has_paired_labels(groups) else 0
        reason = why_no_interval(groups.n_units, n_defined, value if n_defined < 2 else 1.0)
        lower = upper = error = math.nan
        if not reason:
            tails = posterior.tail_probabilities(level, groups, float(shares[j]))
            lower, upper = (float(bound) for bound in np.quantile(defined, tails))
            lower = min(lower, value) if math.isfinite(value) else lower
            upper = max(upper, value) if math.isfinite(value) else 1.0  # no disagreement
            error = float(defined.std(ddof=1))
        out[spec.name] = Interval(
            lower,
            upper,
            level,
            posterior.interval_method_name(groups),
            groups.over,
            error,
            groups.n_units,
            n_replicates=n_replicates,
            n_undefined=n_replicates - defined.size,
            seed=seed,
            reason=reason,
            prior=posterior.PRIOR,
        )
    return out


def jackknife(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = USUAL,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
) -> dict[str, Interval]:
    """Delete-one-document (or item) intervals: estimate ± t · standard error (Efron 1982)."""
    specs = [applicable_coefficient(measure, matrix) for measure in measures]
    groups = resampling_units(matrix, over=over)
    distance = resolve_set_distance(distance, matrix)
    left_out = values_without_each(groups, specs, distance)
    point = point_values(groups, specs, distance)
    out = {}
    for j, spec in enumerate(specs):
        usable = ~np.isnan(left_out[:, j])
        n = int(groups.multiplicity[usable].sum())
        reason = why_no_interval(groups.n_units, n, float(point[j]))
        error = math.nan
        if not reason:
            kept = groups.multiplicity[usable]
            mean = float((left_out[usable, j] * kept).sum() / n)
            spread = float((kept * (left_out[usable, j] - mean) ** 2).sum())
            error = math.sqrt((n - 1) / n * spread)
        out[spec.name] = symmetric_interval(
            float(point[j]), error, level, "jackknife", groups.over, groups.n_units, reason
        )
    return out


def _bca_tails(
    tails: Floats, drawn: Floats, point: float, left_out: Floats, multiplicity: Ints
) -> Floats:
    """Tail probabilities after the correction for bias and acceleration (Efron 1987)."""
    from scipy.special import ndtr, ndtri

    equal = np.abs(drawn - point) <= ROUNDING
    below = ((drawn < point) & ~equal).mean() + equal.mean() / 2
    bias = float(ndtri(np.clip(below, 1 / (drawn.size + 1), drawn.size / (drawn.size + 1))))
    usable = ~np.isnan(left_out)
    weights = multiplicity[usable]
    influence = (left_out[usable] * weights).sum() / weights.sum() - left_out[usable]
    squares = (weights * influence**2).sum()
    acceleration = (weights * influence**3).sum() / (6 * squares**1.5) if squares > 0 else 0.0
    z = bias + ndtri(tails)
    return np.asarray(ndtr(bias + z / (1 - acceleration * z)))
