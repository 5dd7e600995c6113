"""Analytic standard errors: Gwet's linearised variances.

The influence of an item (or document) on a coefficient is the derivative of the coefficient with
respect to its weight. The sum of squared influences estimates the variance; this is the
linearisation of Gwet 2008 and 2014 (chapter 5). Here the derivative is a central difference, so it
applies to every distance, and to documents as well as items. Two of Gwet's choices are kept to
reproduce his published standard errors: the number of items with two labels is treated as fixed,
and α is linearised without its 1/n term, over the items with two labels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import Floats
from .distances import Distance
from .formulas.coefficient import Coefficient
from .resampling_units import ResamplingUnits, batches_of_unit_kinds, coefficient_values
from .sums import sums_changing_each, sums_of_each

STEP = 1e-5  # relative change of weight for the derivative; the error is of the order of its square


def n_units_used(spec: Coefficient, groups: ResamplingUnits) -> int:
    """Number of documents or items in a variance.

    For α, and for κ of two annotators, only those with two labels on an item.
    """
    if spec.paired_marginals or spec.of_complete_pair(groups.kinds.n_annotators):
        return int(groups.multiplicity[sums_of_each(groups.kinds).n_paired > 0].sum())
    return groups.n_units


def influences_of_units(
    groups: ResamplingUnits,
    specs: Sequence[Coefficient],
    distance: Distance = "nominal",
) -> tuple[Floats, Floats]:
    """Return values (M,) and influences of one unit of each kind (G, M), which sum to 0."""
    weights, n = groups.multiplicity.astype(np.float64), groups.n_units
    whole, each = groups.sums_of_all, sums_of_each(groups.kinds)
    point = coefficient_values(specs, whole, distance, groups.tagset)[0]

    def moved(those: slice, step: float) -> Floats:
        sums = sums_changing_each(whole, those, lambda total, own: total + step * (n * own - total))
        return coefficient_values(specs, sums, distance, groups.tagset)

    slopes = [
        (moved(those, STEP) - moved(those, -STEP)) / (2 * STEP * n)
        for those in batches_of_unit_kinds(groups)
    ]
    out = np.concatenate([np.empty((0, len(specs))), *slopes])
    paired, labelled = each.n_paired, each.n_labelled
    n_paired, n_labelled = weights @ paired, weights @ labelled
    n_labels = float(whole.paired.sum())
    for j, spec in enumerate(specs):
        if spec.paired_marginals:
            out[:, j] *= n_labels / (n_labels - 1) if n_labels > 1 else math.nan
        elif spec.of_complete_pair(groups.kinds.n_annotators):
            continue  # of items with two labels alone, nothing is fixed
        elif spec.published_variance and n_paired > 0:
            out[:, j] += point[j] * (paired / n_paired - labelled / n_labelled)
    return point, out


def standard_error(influences: Floats, groups: ResamplingUnits, n: int) -> float:
    """Return √(n/(n − 1) Σ influence²) over the n units used; nan for fewer than two."""
    if n < 2:
        return math.nan
    return math.sqrt(n / (n - 1) * float((groups.multiplicity * influences**2).sum()))
