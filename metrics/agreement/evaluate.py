"""Evaluate coefficients with their intervals, from counts and from the units to resample.

Quick looks, runs and the parts of a campaign are all evaluated here: the same counts give the same
values and the same intervals wherever they were counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..estimate import Estimate
from ..options import Sampling
from .counts import ItemCounts, count
from .distances import Distance
from .inference import bootstrap_groups
from .interval import with_interval
from .label_matrix import LabelMatrix
from .linearized import linearized_groups
from .registry import add_ac1_if_undefined, from_counts, resolve_sets
from .resampling_units import Groups, groups_of


def evaluate(
    counts: ItemCounts,
    groups: Groups,
    *,
    measures: Sequence[str],
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """Return coefficients of all counts together, in order, each with its interval.

    If one is undefined because a single category is used, AC1 is added. `distance` must not name a
    distance between sets, which needs the labels (see `resolve_sets`).
    """
    estimates = [from_counts(measure, counts, distance=distance) for measure in measures]
    shown = add_ac1_if_undefined(measures, estimates)
    estimates += [from_counts(one, counts, distance=distance) for one in shown[len(measures) :]]
    if not sampling.gives_intervals:
        return estimates
    if sampling.analytic:
        intervals = linearized_groups(
            groups, measures=shown, level=sampling.level, distance=distance
        )
    else:
        intervals = bootstrap_groups(
            groups,
            measures=shown,
            **sampling.arguments,
            distance=distance,
        )
    return [with_interval(one, intervals[one.measure]) for one in estimates]


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
        groups_of(matrix),
        measures=measures,
        distance=resolve_sets(distance, matrix),
        sampling=sampling,
    )
