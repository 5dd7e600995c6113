"""Evaluate coefficients with their intervals, from counts and from the units to resample.

Quick looks, runs and the parts of a campaign are all evaluated here: the same counts give the same
values and the same intervals wherever they were counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..arrays import Flags
from ..estimate import Estimate
from ..intervals.interval import add_interval
from ..options import Sampling
from .annotator_sample import with_intervals_for_new_annotators
from .coefficients import add_ac1_if_undefined, coefficient_from_counts, resolve_set_distance
from .counts import ItemCounts, count
from .distances import Distance
from .interval_methods import intervals_over_units
from .label_matrix import LabelMatrix
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
    estimates = _without_intervals(counts, measures, distance)
    if not sampling.gives_intervals:
        return estimates
    return add_intervals(estimates, counts, groups, distance=distance, sampling=sampling)


def _without_intervals(
    counts: ItemCounts, measures: Sequence[str], distance: Distance
) -> list[Estimate]:
    estimates = [
        coefficient_from_counts(measure, counts, distance=distance) for measure in measures
    ]
    shown = add_ac1_if_undefined(measures, estimates)
    return estimates + [
        coefficient_from_counts(one, counts, distance=distance) for one in shown[len(measures) :]
    ]


def add_intervals(
    estimates: Sequence[Estimate],
    counts: ItemCounts,
    groups: ResamplingUnits,
    *,
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """Return coefficients of all counts together, each with the interval that is requested."""
    intervals = intervals_over_units(
        groups, measures=[one.measure for one in estimates], sampling=sampling, distance=distance
    )
    found = [add_interval(one, intervals[one.measure]) for one in estimates]
    if sampling.for_new_annotators:
        return with_intervals_for_new_annotators(found, counts, groups, distance=distance)
    return found


def evaluate_matrix(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str],
    distance: Distance = "nominal",
    sampling: Sampling,
) -> list[Estimate]:
    """Apply `evaluate` to a matrix of labels. Raises RoleError for systems and references."""
    matrix.require_humans("Agreement")
    counts, distance = count(matrix), resolve_set_distance(distance, matrix)
    estimates = _without_intervals(counts, measures, distance)
    if not sampling.gives_intervals:
        return estimates
    groups = resampling_units(labelled_items(matrix))
    return add_intervals(estimates, counts, groups, distance=distance, sampling=sampling)


def labelled_items(matrix: LabelMatrix) -> LabelMatrix:
    """Return the items with a label: only these are resampled."""
    labelled: Flags = matrix.n_labels > 0
    return matrix if labelled.all() else matrix.select_items(labelled)
