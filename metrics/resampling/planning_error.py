"""Uncertainty of a plan, from plans without a part of the pilot.

A plan depends on a variance, which a small pilot estimates badly: with twenty documents, the number
needed for a width may be twice or half the estimate. Groups of the pilot are omitted in turn
(delete-d jackknife over documents, or items without documents; Shao & Tu 1995, section 2.3), and
the spread is computed on logarithms, because widths and numbers of documents are products of
variances. Student's t has as many degrees of freedom as groups but one: with six documents the
normal quantile covered .87, and t .94.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..bootstrap import trial_seed
from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from ..intervals.interval import Interval, symmetric_interval
from ..intervals.new_annotators import jackknife_variance
from .label_pilot import pilot_variance
from .planning import PilotVariance

GROUPS = 20

LeftOut: TypeAlias = Sequence[PilotVariance | None]
"""The pilot without each group of its documents; None where nothing can be estimated without it."""
PlanFigure: TypeAlias = Callable[[PilotVariance], float | None]
"""A positive number of a plan, or None if no number is sufficient."""


def pilots_without_each_group(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    distance: str | Floats = "nominal",
    subsets: int = 20,
    study: str = "planning",
    groups: int = GROUPS,
) -> tuple[PilotVariance | None, ...]:
    """Return the pilot without each of `groups` random groups of documents (items) in turn.

    With fewer documents than `groups`, each document is a group. None stands for a group without
    which nothing can be estimated. The other arguments are those of `pilot_variance`.
    """
    units = (
        np.arange(matrix.n_items)
        if matrix.documents_to_resample is None
        else matrix.documents_to_resample
    )

    def without(kept: Flags) -> PilotVariance:
        return pilot_variance(
            matrix.select_items(kept),
            measure=measure,
            distance=distance,
            subsets=subsets,
            study=study,
        )

    return leave_out_each_group(units, without, study, groups)


def leave_out_each_group(
    units: Ints,
    without: Callable[[Flags], PilotVariance],
    study: str,
    groups: int = GROUPS,
) -> tuple[PilotVariance | None, ...]:
    """Apply `without` to the pilot without each random group of `units`, int64 (N,).

    None stands for a group without which nothing can be estimated.
    """
    found = np.unique(units)
    rng = np.random.default_rng(trial_seed(study, "groups", 0))
    pilots: list[PilotVariance | None] = []
    for part in np.array_split(rng.permutation(found), min(groups, found.size)):
        try:
            pilots.append(without(~np.isin(units, part)))
        except MetricsError:
            pilots.append(None)
    return tuple(pilots)


def interval_of_plan_figure(
    figure: PlanFigure, pilot: PilotVariance, left_out: LeftOut, *, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a figure of the plan; `nan` if the figure or its spread is unknown.

    The spread is unknown if nothing can be estimated without some group, or if no group matters: a
    pilot in which one document alone differs from the others says nothing about the next one.
    """
    value = figure(pilot)
    known = [None if one is None else figure(one) for one in left_out]
    if not value or len(known) < 2:
        return NO_INTERVAL
    logarithms = np.log([one if one else math.nan for one in known])
    error = math.sqrt(jackknife_variance(logarithms))
    settings = Interval(
        level=level,
        method="jackknife",
        over="groups",
        standard_error=error,
        n_units=len(known),
    )
    low, high = symmetric_interval(settings, math.log(value)).bounds
    return math.exp(low), math.exp(high)


def range_beyond_pilot(
    figure: PlanFigure,
    annotators: int,
    pilot: PilotVariance,
    left_out: LeftOut,
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the range of a figure for more annotators than the pilot has; `nan` if it is unknown.

    The range is from the lower bound of its interval if each annotator reduces the variance as much
    as possible, to the upper bound if more annotators change nothing.
    """
    low, high = (
        interval_of_plan_figure(
            figure,
            pilot.extrapolated_to(annotators)[k],
            [None if one is None else one.extrapolated_to(annotators)[k] for one in left_out],
            level=level,
        )
        for k in (0, 1)
    )
    return low[0], high[1]
