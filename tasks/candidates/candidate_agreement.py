"""Coefficients between a system and each human: the system as a candidate annotator.

The wall between agreement and validity stands: agreement is that of the humans, and a system never
enters it. Here, the labels of one system and of the humans make a matrix for this purpose alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.agreement.one_with_each import OneWithEach, one_with_each
from ...metrics.agreement.rating_pairs import in_order_of_values, rating_measures_of_pairs
from ...metrics.arrays import Floats
from ...metrics.estimate import Estimate
from ...metrics.options import Sampling
from ...metrics.pair_names import pair_name
from ...reports.results.judges import Candidate, CandidateMeasure, CandidatePair

OF_MANY = {"cohen_kappa": "light_kappa"}
"""The mean over all pairs of humans, of a coefficient of two annotators."""


def candidate_agreement(
    matrix: LabelMatrix,
    systems: Sequence[str],
    *,
    measures: Sequence[str],
    distance: Distance,
    sampling: Sampling,
) -> list[Candidate]:
    """Compute the coefficients of each system with each human, and their mean.

    matrix  labels of humans and systems, with their roles
    """
    humans = _humans(matrix)
    found = []
    for system in systems:
        beside = _beside(matrix, system, humans)
        values = one_with_each(beside, 0, measures=measures, distance=distance, sampling=sampling)
        found.append(Candidate(system=system, measures=_measures(values)))
    return found


def rating_agreement_of_candidates(
    matrix: LabelMatrix, systems: Sequence[str], values: Floats, sampling: Sampling
) -> list[Candidate]:
    """Compute the correlations, ICC and mean difference of each system with each human.

    matrix  labels of humans and systems, with their roles
    values  float64 (K,): the numbers of the categories
    """
    humans, found = _humans(matrix), []
    for system in systems:
        beside, ascending = in_order_of_values(_beside(matrix, system, humans), values)
        pairs = [(0, a) for a in range(1, beside.n_annotators)]
        measured = rating_measures_of_pairs(
            beside, pairs, beside.annotators[1:], ascending, sampling
        )
        found.append(Candidate(system=system, measures=_measures(measured)))
    return found


def human_ratings(matrix: LabelMatrix, values: Floats, sampling: Sampling) -> list[Estimate]:
    """Compute the mean over all pairs of humans of the same measures, but the mean difference."""
    humans = _humans(matrix)
    alone = replace(matrix.select_annotators(humans), roles=())
    beside, ascending = in_order_of_values(alone, values)
    pairs = list(combinations(range(len(humans)), 2))
    names = [pair_name(beside.annotators[a], beside.annotators[b]) for a, b in pairs]
    found = rating_measures_of_pairs(beside, pairs, names, ascending, sampling) if pairs else []
    return [one.mean for one in found if one.measure != "mean_difference"]


def _humans(matrix: LabelMatrix) -> list[int]:
    return [a for a, role in enumerate(matrix.roles) if role == HUMAN]


def _beside(matrix: LabelMatrix, system: str, humans: Sequence[int]) -> LabelMatrix:
    columns = [matrix.annotators.index(system), *humans]
    return replace(matrix.select_annotators(columns), roles=())


def _measures(found: Sequence[OneWithEach]) -> list[CandidateMeasure]:
    return [
        CandidateMeasure(
            mean=one.mean,
            pairs=[CandidatePair(annotator=name, value=value) for name, value in one.pairs.items()],
        )
        for one in found
    ]
