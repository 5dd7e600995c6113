"""The difference of two coefficients by resampling: paired on the same units, or independent.

Two measures on one campaign, two teams or two versions of the guidelines on the same documents, or
two campaigns that share nothing. Over items the draws are of the posterior over profiles of labels
with twice its pseudo-items (`metrics.agreement.profiles`): with them the type I error stays below
.07 over 10 items (`benchmarks/results/coverage.md`). Over documents they are bootstrap replicates.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..differences import (
    Difference,
    no_difference,
    posterior_difference,
    resampled_difference,
)
from ..measures import specification
from ..reason import Reason, ReasonCode
from . import profiles
from .distances import Distance
from .groups import (
    Groups,
    Over,
    checked,
    coefficient_values,
    groups_of,
    replicates,
    resampling_weights,
)
from .interval import why_no_interval
from .label_matrix import LabelMatrix
from .linearized import unit_groups
from .registry import resolve_sets

Floats = NDArray[np.float64]

STRENGTH = 2.0  # times the pseudo-items of an interval
_PRIOR = f"{STRENGTH * profiles.AGREEING:g}+{STRENGTH * profiles.DISAGREEING:g}"
FEWEST_DOCUMENTS = 8  # with a p-value
_NO_P_VALUE = Reason(ReasonCode.FEW_FOR_P_VALUE, fewest=FEWEST_DOCUMENTS)


def bootstrap_difference(
    first: LabelMatrix,
    second: LabelMatrix | None = None,
    *,
    measures: tuple[str, str],
    n_replicates: int = 1000,
    seed: int,
    paired: bool = True,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
) -> Difference:
    """Measure 1 on `first` minus measure 2 on `second` (or on `first` itself).

    `paired`: both are drawn with the same documents or items each time (`unit_groups`); otherwise
    each campaign is drawn by itself. Over fewer than FEWEST_DOCUMENTS documents there is no
    p-value. Raises MetricsError when a pairing is impossible.
    """
    other = second if second is not None else first
    table = resolve_sets(distance, first)
    if paired:
        one, two = unit_groups(first, second, measures=measures, over=over)
    else:
        one, two = (
            groups_of(matrix, over=over, confusions=checked(measure, matrix).confusions)
            for matrix, measure in zip((first, other), measures, strict=True)
        )
    of_items = one.over == two.over == "items"
    of_profiles = of_items and profiles.serve(one) and profiles.serve(two)
    draw: dict[str, Any] = {"seed": seed, "distance": table}
    if of_profiles:
        draw |= {"n_draws": n_replicates, "strength": STRENGTH}
    else:
        draw |= {"n_replicates": n_replicates}
    if paired and second is None and of_profiles:
        both = profiles.draws(one, measures=measures, **draw)
        drawn = both[:, 0] - both[:, 1]
    elif paired:
        paired_ones = profiles.paired_draws if of_profiles else _paired_replicates
        drawn = paired_ones(one, two, measures=measures, **draw)
    else:
        alone = profiles.draws if of_profiles else replicates
        children = np.random.SeedSequence(seed).generate_state(2)
        first_drawn, second_drawn = (
            alone(groups, measures=[measure], **(draw | {"seed": int(child)}))[:, 0]
            for groups, measure, child in zip((one, two), measures, children, strict=True)
        )
        drawn = first_drawn - second_drawn
    value = _point(one, measures[0], table) - _point(two, measures[1], table)
    defined = drawn[~np.isnan(drawn)]
    n_units = min(one.n_units, two.n_units)
    reason = why_no_interval(n_units, defined.size, value)
    method = profiles.METHOD if of_profiles else "bootstrap"
    options: dict[str, Any] = {
        "level": level,
        "method": f"{method}-{'paired' if paired else 'independent'}",
        "over": f"{one.over} and {two.over}" if one.over != two.over else one.over,
        "n_groups": n_units,
    }
    if reason:
        return no_difference(reason, **options)
    if of_profiles:
        return posterior_difference(value, defined, **options, prior=_PRIOR)
    found = resampled_difference(value, defined, **options)
    if n_units < FEWEST_DOCUMENTS:
        return replace(found, p_value=math.nan, p_reason=_NO_P_VALUE)
    return found


def _paired_replicates(
    one: Groups,
    two: Groups,
    *,
    measures: tuple[str, str],
    n_replicates: int,
    seed: int,
    distance: Distance,
) -> Floats:
    out = []
    flat = [groups.sums.flat() for groups in (one, two)]
    specs = [specification(measure) for measure in measures]
    for weights in resampling_weights(one, n_replicates, seed):
        pair = [
            coefficient_values([spec], groups.sums.like(weights @ rows), distance, groups.tagset)[
                :, 0
            ]
            for groups, rows, spec in zip((one, two), flat, specs, strict=True)
        ]
        out.append(pair[0] - pair[1])
    return np.concatenate(out) if out else np.empty(0)


def _point(groups: Groups, measure: str, distance: Distance) -> float:
    total = groups.sums.resampled(groups.multiplicity[None, :].astype(np.float64))
    specs = [specification(measure)]
    return float(coefficient_values(specs, total, distance, groups.tagset)[0, 0])
