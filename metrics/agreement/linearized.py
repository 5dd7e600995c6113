"""Analytic standard errors: Gwet's linearised variances, and the paired test built on them.

The influence of an item (or document) on a coefficient is its derivative when that item weighs a
little more. The sum of squared influences estimates the variance; this is the linearisation of
Gwet 2008 and 2014 (chapter 5), here with the derivative taken as a central difference, so
that it holds for every distance and for documents as well as items. Two of Gwet's choices are kept,
so that his published standard errors come out: the number of items with two labels is taken as
fixed, and α is linearised without its 1/n term, over the items with two labels.

The difference of two coefficients on the same items is tested with the differences of their
influences (Gwet 2016, Educational and Psychological Measurement 76(4), 609–637).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..differences import Difference, no_difference
from ..errors import MetricsError
from ..measures import USUAL, specification
from .distances import Distance
from .formulas.coefficient import Coefficient
from .groups import (
    Groups,
    Over,
    at_once,
    checked,
    coefficient_values,
    groups_of,
)
from .interval import Interval, symmetric_interval, why_no_interval
from .label_matrix import LabelMatrix
from .registry import resolve_sets
from .sparse_sums import dense_rows

Floats = NDArray[np.float64]

STEP = 1e-5  # relative weight moved to take a derivative: error of the order of its square


def linearized(
    matrix: LabelMatrix,
    *,
    measures: Sequence[str] = USUAL,
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
) -> dict[str, Interval]:
    """An analytic interval of each measure: value ± t(n − 1) · standard error, cut to [−1, 1]."""
    specs = [checked(measure, matrix) for measure in measures]
    groups = groups_of(matrix, over=over, confusions=any(spec.confusions for spec in specs))
    return linearized_groups(
        groups,
        measures=measures,
        level=level,
        distance=resolve_sets(distance, matrix),
    )


def linearized_groups(
    groups: Groups,
    *,
    measures: Sequence[str],
    level: float = 0.95,
    distance: Distance = "nominal",
) -> dict[str, Interval]:
    """As `linearized`, from resampling units that are already counted (`groups_of_counts`)."""
    specs = [specification(measure) for measure in measures]
    point, influences = influence(groups, specs, distance)
    out = {}
    for j, spec in enumerate(specs):
        reason = why_no_interval(units_used(spec, groups), groups.n_units, float(point[j]))
        n_used = units_used(spec, groups)
        error = math.nan if reason else standard_error(influences[:, j], groups, n_used)
        published = spec.published_variance
        out[spec.name] = symmetric_interval(
            float(point[j]),
            error,
            level,
            "gwet" if published else "infinitesimal-jackknife",
            groups.over,
            n_used,
            reason,
        )
    return out


def units_used(spec: Coefficient, groups: Groups) -> int:
    """How many documents or items a variance rests on: for α, those with two labels on an item."""
    if spec.paired_marginals:
        return int(groups.multiplicity[groups.sums.n_paired > 0].sum())
    return groups.n_units


def influence(
    groups: Groups,
    specs: Sequence[Coefficient],
    distance: Distance = "nominal",
) -> tuple[Floats, Floats]:
    """Values (M,) and the influence of one unit of each kind (G, M), which sum to 0 over units."""
    flat = groups.sums.flat()
    weights = groups.multiplicity.astype(np.float64)
    total = weights @ flat

    def value(rows: Floats) -> Floats:
        return coefficient_values(specs, groups.sums.like(rows), distance, groups.tagset)

    point = value(total[None, :])[0]
    slopes = [np.empty((0, len(specs)))]
    n = groups.n_units
    batch = at_once(groups)
    for start in range(0, flat.shape[0], batch):
        moved = STEP * (n * dense_rows(flat[start : start + batch]) - total)
        slopes.append((value(total + moved) - value(total - moved)) / (2 * STEP * n))
    out = np.concatenate(slopes)
    paired, labelled = groups.sums.n_paired, groups.sums.n_labelled
    n_paired, n_labelled = weights @ paired, weights @ labelled
    n_labels = float(groups.sums.resampled(weights[None]).paired.sum())
    for j, spec in enumerate(specs):
        if spec.paired_marginals:
            out[:, j] *= n_labels / (n_labels - 1) if n_labels > 1 else math.nan
        elif spec.published_variance and n_paired > 0:
            out[:, j] += point[j] * (paired / n_paired - labelled / n_labelled)
    return point, out


def standard_error(influences: Floats, groups: Groups, n: int) -> float:
    """√(n/(n − 1) Σ influence²) over the n units used."""
    return math.sqrt(n / (n - 1) * float((groups.multiplicity * influences**2).sum()))


def paired_difference(
    first: LabelMatrix,
    second: LabelMatrix | None = None,
    *,
    measures: tuple[str, str],
    over: Over = "auto",
    level: float = 0.95,
    distance: Distance = "nominal",
) -> Difference:
    """Gwet's paired t-test: two coefficients on the same items (or documents).

    `second` is another annotation of the same units in the same order (another team, another
    version of the guidelines); None compares the two measures on `first`. For two matrices the
    units are their documents, when both have them, else their items.
    Raises MetricsError when the two do not have the same units.
    """
    one, two = unit_groups(first, second, measures=measures, over=over)
    specs = [checked(measures[0], first), checked(measures[1], second or first)]
    distance = resolve_sets(distance, first)
    point_1, influence_1 = influence(one, specs[:1], distance)
    point_2, influence_2 = influence(two, specs[1:], distance)
    value = float(point_1[0] - point_2[0])
    n = one.n_units
    reason = why_no_interval(n, n, value)
    if reason:
        return no_difference(reason, level=level, method="gwet-paired", over=one.over, n_groups=n)
    from scipy.special import stdtr, stdtrit

    error = standard_error(influence_1[:, 0] - influence_2[:, 0], one, n)
    half = float(stdtrit(n - 1, (1 + level) / 2)) * error
    t = abs(value) / error if error > 0 else (math.inf if value else 0.0)
    return Difference(
        value,
        value - half,
        value + half,
        level,
        float(2 * stdtr(n - 1, -t)),
        error,
        "gwet-paired",
        one.over,
        n,
    )


def unit_groups(
    first: LabelMatrix,
    second: LabelMatrix | None,
    *,
    measures: tuple[str, str],
    over: Over = "auto",
) -> tuple[Groups, Groups]:
    """The resampling units of two matrices, one by one in the same order."""
    both = [first, second if second is not None else first]
    if over == "auto":
        documents = all(matrix.drawn_documents is not None for matrix in both)
        over = "documents" if documents else "items"
    one, two = (
        groups_of(
            matrix,
            over=over,
            confusions=checked(measure, matrix).confusions,
            distinct=False,
        )
        for matrix, measure in zip(both, measures, strict=True)
    )
    if over == "items" and all(matrix.items for matrix in both) and first.items != both[1].items:
        raise MetricsError(
            "a paired comparison needs the same items in the same order, and their names differ: "
            "sort both by item, or compare them as independent campaigns"
        )
    if one.n_units != two.n_units:
        raise MetricsError(
            f"a paired comparison needs the same {over} in both: found {one.n_units} and "
            f"{two.n_units}; compare them as independent campaigns instead"
        )
    return one, two
