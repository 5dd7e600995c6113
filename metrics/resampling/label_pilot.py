"""Variance of a coefficient in a pilot of labels, for each number of annotators, and its intervals.

V(a) is linearised, on subsets of annotators; `planning` says what a campaign of a size gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from ..agreement.coefficients import compute_coefficient, resolve_set_distance
from ..agreement.distances import Distance
from ..agreement.evaluate import evaluate_matrix, labelled_items
from ..agreement.label_matrix import LabelMatrix
from ..agreement.linearized_variance import influences_of_units, n_units_used, standard_error
from ..agreement.resampling_units import resampling_units
from ..arrays import Floats
from ..bootstrap import trial_seed
from ..errors import MetricsError
from ..intervals.new_annotators import jackknife_variance
from ..measures import coefficient_of
from ..options import Sampling
from ..quantiles import t_quantile
from .planning import PilotVariance

INTERVALS = 3  # subsets of annotators of a size whose intervals are computed
_ALL_SIZES = 12


def pilot_variance(
    matrix: LabelMatrix,
    *,
    measure: str = "krippendorff_alpha",
    distance: str | Floats = "nominal",
    subsets: int = 20,
    study: str = "planning",
) -> PilotVariance:
    """Estimate V(a) of a pilot, from all subsets of a annotators or `subsets` seeded ones.

    Sizes are all numbers up to twelve, beyond in steps of a quarter. Raises MetricsError if no size
    gives a standard error (one document, a single category) or nothing varies, and whatever
    `metrics.agreement.coefficients.compute` raises.
    """
    n = matrix.n_annotators
    if n < 2:
        raise MetricsError(f"a pilot needs at least two annotators; found {n}")
    sizes, variances = [], []
    for a in _subset_sizes(n):
        found = [
            _variance_per_document(matrix.select_annotators(members), measure, distance)
            for members in _subsets_of_annotators(n, a, subsets, study)
        ]
        known = [variance for variance in found if math.isfinite(variance)]
        if known:
            sizes.append(a)
            variances.append(float(np.mean(known)))
    require_variance(variances)
    n_documents = _n_documents(matrix)
    annotators, variance = np.array(sizes, dtype=np.int64), np.array(variances)
    return PilotVariance(
        measure=measure,
        value=compute_coefficient(measure, matrix, distance=distance).value,
        annotators=annotators,
        variance=variance,
        of_annotators=_variance_of_annotators(matrix, measure, distance),
        n_documents=n_documents,
        items_per_document=matrix.n_items / n_documents,
        within=coefficient_of(measure).range,
        fewest=coefficient_of(measure).fewest,
    )


def scale_to_interval(
    pilot: PilotVariance,
    matrix: LabelMatrix,
    *,
    distance: Distance,
    sampling: Sampling,
    study: str = "planning",
) -> PilotVariance:
    """Return the pilot with how its own intervals differ from the formulas of the plan.

    matrix  the labels of the pilot

    The intervals of each number of annotators are those of all of them, or of INTERVALS subsets.
    """
    n, t = pilot.n_documents, t_quantile(pilot.n_documents - 1, (1 + sampling.confidence_level) / 2)
    ratios = np.ones((2, pilot.annotators.size))
    for p, a in enumerate(pilot.annotators.tolist()):
        known = []
        for members in _subsets_of_annotators(matrix.n_annotators, a, INTERVALS, study):
            part = matrix.select_annotators(members)
            variance = _variance_per_document(part, pilot.measure, distance)
            [one] = evaluate_matrix(
                part, measures=[pilot.measure], distance=distance, sampling=sampling
            )[:1]
            width, error = one.interval[1] - one.interval[0], one.detail.standard_error
            if math.isfinite(width) and variance > 0:
                known.append((width / (2 * t * math.sqrt(variance / n)), n * error**2 / variance))
        if known:
            ratios[:, p] = np.mean(known, axis=0)
    return replace(pilot, stretch=ratios[0], error_ratio=ratios[1])


def _subset_sizes(n: int) -> list[int]:
    sizes = list(range(2, min(n, _ALL_SIZES) + 1))
    while sizes[-1] < n:
        sizes.append(min(n, math.ceil(sizes[-1] * 1.25)))
    return sizes


def _subsets_of_annotators(n: int, a: int, most: int, study: str) -> list[list[int]]:
    if math.comb(n, a) <= most:
        return [list(members) for members in combinations(range(n), a)]
    rng = np.random.default_rng(trial_seed(study, f"a={a}", 0))
    return [sorted(rng.permutation(n)[:a].tolist()) for _ in range(most)]


def _variance_per_document(
    matrix: LabelMatrix,
    measure: str,
    distance: Distance,
) -> float:
    """Return V: the variance of the coefficient times all documents of the pilot.

    Documents that these annotators do not allow to compare count, too: a campaign of as many
    missing labels has as large a share of them.
    """
    groups, spec = resampling_units(labelled_items(matrix)), coefficient_of(measure)
    _, influences = influences_of_units(groups, [spec], resolve_set_distance(distance, matrix))
    error = standard_error(influences[:, 0], groups, n_units_used(spec, groups))
    return _n_documents(matrix) * error**2


def _n_documents(matrix: LabelMatrix) -> int:
    return matrix.n_items if matrix.documents is None else int(np.unique(matrix.documents).size)


def _variance_of_annotators(
    matrix: LabelMatrix,
    measure: str,
    distance: str | Floats,
) -> float:
    """Return C: n times the delete-one-annotator jackknife variance of the coefficient."""
    n = matrix.n_annotators
    if n < 3:
        return math.nan
    without = np.array(
        [
            compute_coefficient(
                measure, matrix.select_annotators([b for b in range(n) if b != a]),
                distance=distance,
            ).value
            for a in range(n)
        ]
    )  # fmt: skip
    return n * jackknife_variance(without)


def require_variance(variances: Sequence[float]) -> None:
    """Raise MetricsError for a pilot without a variance, or with variance 0."""
    if not variances:
        raise MetricsError(
            "the pilot gives no standard error: it needs two documents (or items) that have "
            "labels of several categories, or units"
        )
    if not max(variances) > 0:
        raise MetricsError(
            "the coefficient does not vary in the pilot (every annotator agrees, or every "
            "document is alike): such a pilot cannot show how many documents a width needs"
        )
