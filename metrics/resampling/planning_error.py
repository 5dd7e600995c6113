"""How sure a plan is: what it would have been without a part of the pilot.

A plan rests on a variance, which a small pilot knows badly: with twenty documents the number that a
width needs may be twice or half of what comes out. The pilot is left out group by group (delete-d
jackknife over documents, or items where it has none; Shao & Tu 1995, section 2.3), the spread taken
on logarithms, as widths and numbers of documents are products of variances.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..agreement.label_matrix import LabelMatrix
from ..bootstrap import trial_seed
from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from .planning import PilotVariance, normal_quantile, pilot_variance

GROUPS = 20


def pilots_left_out(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    distance: str | NDArray[np.float64] = "nominal",
    subsets: int = 20,
    study: str = "planning",
    groups: int = GROUPS,
) -> tuple[PilotVariance, ...]:
    """The pilot without each of `groups` random groups of documents (items) in turn.

    As many as there are documents where they are fewer; a group without which nothing can be
    estimated is left out of the answer. The other arguments are those of `pilot_variance`.
    """
    units = np.arange(matrix.n_items) if matrix.drawn_documents is None else matrix.drawn_documents

    def without(kept: NDArray[np.bool_]) -> PilotVariance:
        return pilot_variance(
            matrix.of_items(kept),
            measure=measure,
            distance=distance,
            subsets=subsets,
            study=study,
        )

    return without_each_group(units, without, study, groups)


def without_each_group(
    units: NDArray[np.int64],
    without: Callable[[NDArray[np.bool_]], PilotVariance],
    study: str,
    groups: int = GROUPS,
) -> tuple[PilotVariance, ...]:
    """What `without` gives of the pilot less each random group of `units`, int64 (N,)."""
    found = np.unique(units)
    rng = np.random.default_rng(trial_seed(study, "groups", 0))
    pilots = []
    for part in np.array_split(rng.permutation(found), min(groups, found.size)):
        try:
            pilots.append(without(~np.isin(units, part)))
        except MetricsError:
            continue
    return tuple(pilots)


def interval_of(
    figure: Callable[[PilotVariance], float | None],
    pilot: PilotVariance,
    left_out: Sequence[PilotVariance],
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    """The interval of a figure of the plan; `nan` where it, or its spread, is not known.

    `figure` is positive; None where no number would do.
    """
    value = figure(pilot)
    known = [one for one in map(figure, left_out) if one is not None and one > 0]
    if not value or len(known) < 2 or len(known) < len(left_out):
        return NO_INTERVAL
    logarithms = np.log(known)
    spread = (len(known) - 1) / len(known) * ((logarithms - logarithms.mean()) ** 2).sum()
    half = normal_quantile(level) * math.sqrt(float(spread))
    return value * math.exp(-half), value * math.exp(half)


def range_beyond(
    figure: Callable[[PilotVariance], float | None],
    annotators: int,
    pilot: PilotVariance,
    left_out: Sequence[PilotVariance],
    *,
    level: float = 0.95,
) -> tuple[float, float]:
    """The range of a figure for more annotators than the pilot has; `nan` where it is not known.

    From the lower end of its interval where each annotator reduces the variance as much as
    possible, to the upper end where more annotators change nothing. `figure` as in `interval_of`.
    """
    low, high = (
        interval_of(
            figure,
            pilot.extrapolated_to(annotators)[k],
            [one.extrapolated_to(annotators)[k] for one in left_out],
            level=level,
        )
        for k in (0, 1)
    )
    return low[0], high[1]
