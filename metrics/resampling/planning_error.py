"""Uncertainty of a plan, from plans without a part of the pilot.

A plan depends on a variance, which a small pilot estimates badly: with twenty documents, the number
needed for a width may be twice or half the estimate. Groups of the pilot are omitted in turn
(delete-d jackknife over documents, or items without documents; Shao & Tu 1995, section 2.3), and
the spread is computed on logarithms, because widths and numbers of documents are products of
variances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ..agreement.label_matrix import LabelMatrix
from ..arrays import Flags, Floats, Ints
from ..bootstrap import trial_seed
from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from ..quantiles import two_sided_normal_quantile
from .planning import PilotVariance, pilot_variance

GROUPS = 20


def pilots_without_each_group(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    distance: str | Floats = "nominal",
    subsets: int = 20,
    study: str = "planning",
    groups: int = GROUPS,
) -> tuple[PilotVariance, ...]:
    """Return the pilot without each of `groups` random groups of documents (items) in turn.

    With fewer documents than `groups`, each document is a group. Groups without which nothing can
    be estimated are omitted from the result. The other arguments are those of `pilot_variance`.
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
) -> tuple[PilotVariance, ...]:
    """Apply `without` to the pilot without each random group of `units`, int64 (N,)."""
    found = np.unique(units)
    rng = np.random.default_rng(trial_seed(study, "groups", 0))
    pilots = []
    for part in np.array_split(rng.permutation(found), min(groups, found.size)):
        try:
            pilots.append(without(~np.isin(units, part)))
        except MetricsError:
            continue
    return tuple(pilots)


def interval_of_plan_figure(
    figure: Callable[[PilotVariance], float | None],
    pilot: PilotVariance,
    left_out: Sequence[PilotVariance],
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the interval of a figure of the plan; `nan` if the figure or its spread is unknown.

    `figure` returns a positive number, or None if no number is sufficient.
    """
    value = figure(pilot)
    known = [one for one in map(figure, left_out) if one is not None and one > 0]
    if not value or len(known) < 2 or len(known) < len(left_out):
        return NO_INTERVAL
    logarithms = np.log(known)
    spread = (len(known) - 1) / len(known) * ((logarithms - logarithms.mean()) ** 2).sum()
    half = two_sided_normal_quantile(level) * math.sqrt(float(spread))
    return value * math.exp(-half), value * math.exp(half)


def range_beyond_pilot(
    figure: Callable[[PilotVariance], float | None],
    annotators: int,
    pilot: PilotVariance,
    left_out: Sequence[PilotVariance],
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the range of a figure for more annotators than the pilot has; `nan` if it is unknown.

    The range is from the lower bound of its interval if each annotator reduces the variance as much
    as possible, to the upper bound if more annotators change nothing. `figure` as in
    `interval_of_plan_figure`.
    """
    low, high = (
        interval_of_plan_figure(
            figure,
            pilot.extrapolated_to(annotators)[k],
            [one.extrapolated_to(annotators)[k] for one in left_out],
            level=level,
        )
        for k in (0, 1)
    )
    return low[0], high[1]
