"""Intervals of the coefficients of a matrix by one method, and the jackknife, an oracle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from accordeur.metrics.agreement.coefficients import resolve_set_distance
from accordeur.metrics.agreement.distances import Distance
from accordeur.metrics.agreement.interval_methods import (
    bootstrap_intervals,
    intervals_over_units,
    linearized_intervals,
)
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import (
    Over,
    resampling_units,
    values_without_each,
)
from accordeur.metrics.intervals.interval import Interval
from accordeur.metrics.measures import USUAL, coefficient_of
from accordeur.metrics.options import Sampling

Method = Literal["auto", "expanded-percentile"]


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
    """The interval of each measure as the engine chooses it, or of a bootstrap by weights."""
    groups = resampling_units(matrix, over=over)
    sampling = Sampling(n_replicates, level, seed)
    distance = resolve_set_distance(distance, matrix)
    if method == "auto":
        return intervals_over_units(groups, measures=measures, sampling=sampling, distance=distance)
    specs = [coefficient_of(measure) for measure in measures]
    found = bootstrap_intervals(groups, specs, sampling, distance)
    return dict(zip(measures, found, strict=True))


def linearized(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = USUAL,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
) -> dict[str, Interval]:
    """The analytic interval of each measure."""
    specs = [coefficient_of(measure) for measure in measures]
    found = linearized_intervals(
        resampling_units(matrix, over=over), specs, level, resolve_set_distance(distance, matrix)
    )
    return dict(zip(measures, found, strict=True))


def jackknife_error(
    matrix: LabelMatrix, measure: str, *, over: Over = "auto", distance: Distance = "nominal"
) -> float:
    """The delete-one standard error (Efron 1982)."""
    groups = resampling_units(matrix, over=over)
    distance = resolve_set_distance(distance, matrix)
    without = values_without_each(groups, [coefficient_of(measure)], distance)[:, 0]
    times, n = groups.multiplicity, groups.n_units
    mean = (times * without).sum() / n
    return math.sqrt((n - 1) / n * float((times * (without - mean) ** 2).sum()))
