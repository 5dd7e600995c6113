"""Intervals of coefficients over their units, by the kind of sampling.

| sampling | interval |
|---|---|
| bootstrap | central part of a posterior over label profiles (`coefficient_posterior`) |
| the same, of many kinds of unit or many categories | percentiles of a bootstrap |
| the same, of very many units | percentiles from the normal limit of the sums (`normal_limit`) |
| analytic | value ± t · linearised standard error (`linearized_variance`) |
| annotators | the first, widened for new annotators (`annotator_sample`) |

Every random draw comes from NumPy's PCG64 seeded with `seed`: same seed, same interval. Whether
there is an interval and where it ends is decided in `metrics.intervals.interval`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from ..bootstrap import METHOD, percentile_probabilities
from ..intervals.interval import Interval, interval_of_draws, symmetric_interval
from ..measures import coefficient_of
from ..options import Sampling
from ..reason import Reason, ReasonCode
from . import coefficient_posterior as posterior
from .distances import Distance
from .formulas.coefficient import Coefficient
from .linearized_variance import influences_of_units, n_units_used, standard_error
from .normal_limit import METHOD as NORMAL
from .normal_limit import normal_replicates
from .resampling_units import ResamplingUnits, bootstrap_replicates, point_values
from .sums import sums_of_each

MOST_FREQUENCIES = 2_000_000  # of annotators and categories, that are drawn for each replicate


def intervals_over_units(
    groups: ResamplingUnits,
    *,
    measures: Sequence[str],
    sampling: Sampling,
    distance: Distance = "nominal",
) -> dict[str, Interval]:
    """Return the interval of each measure, all from the same draws."""
    specs = [coefficient_of(measure) for measure in measures]
    if sampling.analytic:
        found = linearized_intervals(groups, specs, sampling.confidence_level, distance)
    elif posterior.has_posterior_interval(groups):
        found = posterior_intervals(groups, specs, sampling, distance)
    else:
        found = bootstrap_intervals(groups, specs, sampling, distance)
    return dict(zip(measures, found, strict=True))


def linearized_intervals(
    groups: ResamplingUnits,
    specs: Sequence[Coefficient],
    level: float = 0.95,
    distance: Distance = "nominal",
) -> list[Interval]:
    """Return analytic intervals: value ± t(n − 1) · standard error."""
    point, influences = influences_of_units(groups, specs, distance)
    found = []
    for j, spec in enumerate(specs):
        n = n_units_used(spec, groups)
        settings = Interval(
            level=level,
            method="gwet" if spec.published_variance else "infinitesimal-jackknife",
            over=groups.over,
            standard_error=standard_error(influences[:, j], groups, n),
            n_units=n,
        )
        found.append(
            symmetric_interval(
                settings, float(point[j]), within=spec.range, n_content=n_units_with_content(groups)
            )
        )
    return found


def posterior_intervals(
    groups: ResamplingUnits,
    specs: Sequence[Coefficient],
    sampling: Sampling,
    distance: Distance = "nominal",
) -> list[Interval]:
    """Return central parts of a posterior over profiles of labels or over documents."""
    drawn, shares = posterior.interval_draws(
        groups,
        measures=[spec.name for spec in specs],
        n_draws=sampling.replicates,
        seed=sampling.seed,
        distance=distance,
    )
    point = point_values(groups, specs, distance)
    settings = Interval(
        level=sampling.confidence_level,
        method=posterior.interval_method_name(groups),
        over=groups.over,
        n_units=groups.n_units,
        seed=sampling.seed,
        prior=posterior.PRIOR,
    )
    return [
        interval_of_draws(
            drawn[:, j],
            posterior.tail_probabilities(sampling.confidence_level, groups, float(shares[j])),
            settings,
            float(point[j]),
            within=spec.range,
            n_content=n_units_with_content(groups),
        )
        for j, spec in enumerate(specs)
    ]


def bootstrap_intervals(
    groups: ResamplingUnits,
    specs: Sequence[Coefficient],
    sampling: Sampling,
    distance: Distance = "nominal",
) -> list[Interval]:
    """Return expanded percentile intervals (see `metrics.bootstrap`)."""
    point = point_values(groups, specs, distance)
    limited: dict[str, Floats] = {}
    for spec in specs:
        replicates = normal_replicates(
            groups,
            spec,
            n_replicates=sampling.replicates,
            seed=sampling.seed,
            distance=distance,
        )
        if replicates is not None:
            limited[spec.name] = replicates
    rest = [spec.name for spec in specs if spec.name not in limited]
    too_many, resampled = None, dict[str, Floats]()
    if len(groups.tagset) * groups.kinds.n_annotators > MOST_FREQUENCIES:
        too_many = Reason(ReasonCode.TOO_MANY_FREQUENCIES, n=len(groups.tagset))
        resampled = dict.fromkeys(rest, np.full(sampling.replicates, np.nan))
    elif rest:
        columns = bootstrap_replicates(
            groups,
            measures=rest,
            n_replicates=sampling.replicates,
            seed=sampling.seed,
            distance=distance,
        ).T
        resampled = dict(zip(rest, columns, strict=True))
    return [
        interval_of_draws(
            limited[spec.name] if spec.name in limited else resampled[spec.name],
            percentile_probabilities(sampling.confidence_level, max(groups.n_units, 2)),
            Interval(
                level=sampling.confidence_level,
                method=NORMAL if spec.name in limited else METHOD,
                over=groups.over,
                n_units=groups.n_units,
                seed=sampling.seed,
                reason=too_many if spec.name in resampled else None,
            ),
            float(point[j]),
            within=spec.range,
            n_content=n_units_with_content(groups),
        )
        for j, spec in enumerate(specs)
    ]


def n_units_with_content(groups: ResamplingUnits) -> int:
    """Return the number of documents or items with two labels on an item."""
    return int(groups.multiplicity[sums_of_each(groups.kinds).n_paired > 0].sum())
