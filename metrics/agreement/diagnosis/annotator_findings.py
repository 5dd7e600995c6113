"""Findings on annotators: different label frequencies, an outlier, unshared categories."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ...annotator_checks import annotators_with_own_categories
from ...arrays import Floats, Ints
from ...coded_warning import Finding
from ...measures import coefficient_of
from ..coefficients import compute_coefficient, compute_coefficients, resolve_set_distance
from ..counts import count
from ..distances import Distance
from ..label_matrix import LabelMatrix
from ..resampling_units import point_values, resampling_units_of_counts
from .thresholds_and_shares import (
    Thresholds,
    category_shares_by_annotator,
    same_margins_p_value,
)

_NAMED = 3  # categories listed per annotator


def annotator_bias(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """κ above π: annotators use the categories with different frequencies, and κ rewards it.

    With few labels per annotator, frequencies differ by chance: the χ² test of equal margins must
    be significant, too.
    """
    pi, kappa = compute_coefficients(matrix, measures=("fleiss_kappa", "conger_kappa"))
    counts = count(matrix)
    p_value = same_margins_p_value(counts)
    if not (kappa.value - pi.value >= limits.bias and p_value < limits.bias_p_value):
        return None
    shares = category_shares_by_annotator(counts)
    active = np.nonzero(~np.isnan(shares).any(axis=1))[0]
    apart = np.abs(shares[active, None] - shares[None, active]).sum(axis=2) / 2
    a, b = np.unravel_index(int(apart.argmax()), apart.shape)
    first, second = int(active[a]), int(active[b])
    k = int(np.abs(shares[first] - shares[second]).argmax())
    return Finding(
        "bias",
        {
            "kappa": kappa.value,
            "pi": pi.value,
            "first": matrix.annotators[first],
            "second": matrix.annotators[second],
            "category": matrix.tagset[k],
            "first_share": float(shares[first, k]),
            "second_share": float(shares[second, k]),
            "total_variation": float(apart.max()),
            "p_value": p_value,
        },
    )


def outlier_annotator(
    matrix: LabelMatrix,
    limits: Thresholds,
    *,
    distance: Distance = "nominal",
) -> Finding | None:
    """An annotator without whom the others agree clearly better than without anyone else."""
    if matrix.n_annotators < 3:
        return None
    table = resolve_set_distance(distance, matrix)
    everyone = compute_coefficient("krippendorff_alpha", matrix, distance=table)
    without = _alphas_without_each(matrix, table)
    gains = without - everyone.value
    if np.isnan(gains).all() or math.isnan(everyone.value):
        return None
    order = np.argsort(np.nan_to_num(gains, nan=-2.0))[::-1]
    best, second = int(order[0]), int(order[1])
    if gains[best] < limits.annotator_gain or gains[best] < 2 * max(gains[second], 0.0):
        return None
    own = _mean_pi_with_others(matrix, best)
    return Finding(
        "annotator_apart",
        {
            "annotator": matrix.annotators[best],
            "alpha": everyone.value,
            "alpha_without": float(without[best]),
            "next_gain": float(gains[second]),
            "mean_pi_with_others": own,
        },
    )


def _alphas_without_each(matrix: LabelMatrix, distance: Distance) -> Floats:
    """Values of α without each annotator, (A,); nan where undefined."""
    specs, counts = [coefficient_of("krippendorff_alpha")], count(matrix).total
    groups = (resampling_units_of_counts(counts.without(a)) for a in range(matrix.n_annotators))
    return np.array([point_values(one, specs, distance)[0] for one in groups])


def _mean_pi_with_others(matrix: LabelMatrix, annotator: int) -> float:
    values = [
        compute_coefficient("scott_pi", matrix.select_annotators((annotator, other))).value
        for other in range(matrix.n_annotators)
        if other != annotator
    ]
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan


def annotator_without_shared_category(
    counts: Ints, annotators: Sequence[str], tagset: Sequence[str]
) -> Finding | None:
    """An annotator who shares no category with any other: another tagset, or not an annotator.

    counts  (A, K): how often each annotator used each category, on items or units
    """
    outliers = annotators_with_own_categories(counts)
    if not outliers:
        return None
    a = outliers[0]
    elsewhere = np.delete(counts, a, axis=0).any(axis=0)
    own, others = (
        ", ".join(tagset[k] for k in np.flatnonzero(given).tolist()[:_NAMED])
        for given in (counts[a], elsewhere)
    )
    return Finding(
        "other_categories",
        {
            "annotator": annotators[a],
            "own": own,
            "others": others,
            "n_annotators": len(outliers),
        },
    )
