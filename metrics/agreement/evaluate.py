"""Evaluate coefficients with their intervals, from counts and from the units to resample.

Quick looks, runs and the parts of a campaign are all evaluated here: the same counts give the same
values and the same intervals wherever they were counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..estimate import Estimate
from ..options import Sampling
from .coefficients import add_ac1_if_undefined, coefficient_from_counts, resolve_set_distance
from .counts import ItemCounts, count
from .distances import Distance
from .interval import add_interval
from .interval_methods import bootstrap_counted_units
from .label_matrix import LabelMatrix
from .linearized_variance import linearized_of_counted_units
from .resampling_units import ResamplingUnits, resampling_units


def evaluate(
    counts: ItemCounts,
    groups: ResamplingUnits,
    *,
    measures: Sequence[str],
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """Return coefficients of all counts together, in order, each with its interval.

    If one is undefined because a single category is used, AC1 is added. `distance` must not name a
    distance between sets, which needs the labels (see `resolve_set_distance`).
    """
    estimates = [
        coefficient_from_counts(measure, counts, distance=distance) for measure in measures
    ]
    shown = add_ac1_if_undefined(measures, estimates)
    estimates += [
        coefficient_from_counts(one, counts, distance=distance) for one in shown[len(measures) :]
    ]
    if not sampling.gives_intervals:
        return estimates
    if sampling.analytic:
        intervals = linearized_of_counted_units(
            groups, measures=shown, level=sampling.level, distance=distance
        )
    else:
        intervals = bootstrap_counted_units(
            groups,
            measures=shown,
            **sampling.arguments,
            distance=distance,
        )
    return [add_interval(one, intervals[one.measure]) for one in estimates]


def evaluate_matrix(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str],
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """Apply `evaluate` to a matrix of labels. Raises RoleError for systems and references."""
    matrix.require_humans("Agreement")
    return evaluate(
        count(matrix),
        resampling_units(matrix),
        measures=measures,
        distance=resolve_set_distance(distance, matrix),
        sampling=sampling,
    )
