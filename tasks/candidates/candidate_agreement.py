"""Coefficients between a system and each human: the system as a candidate annotator.

The wall between agreement and validity stands: agreement is that of the humans, and a system never
enters it. Here, the labels of one system and of the humans make a matrix for this purpose alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...metrics.agreement.distances import Distance
from ...metrics.agreement.label_matrix import HUMAN, LabelMatrix
from ...metrics.agreement.one_with_each import one_with_each
from ...metrics.options import Sampling
from ...reports.results.judges import Candidate, CandidateMeasure, CandidatePair

NOMINAL = ("cohen_kappa", "krippendorff_alpha", "gwet_ac1")
ORDERED = ("weighted_kappa", "krippendorff_alpha", "gwet_ac2")
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
    humans = [a for a, role in enumerate(matrix.roles) if role == HUMAN]
    found = []
    for system in systems:
        columns = [matrix.annotators.index(system), *humans]
        beside = replace(matrix.select_annotators(columns), roles=())
        values = one_with_each(beside, 0, measures=measures, distance=distance, sampling=sampling)
        found.append(
            Candidate(
                system=system,
                measures=[
                    CandidateMeasure(
                        mean=one.mean,
                        pairs=[
                            CandidatePair(annotator=name, value=value)
                            for name, value in one.pairs.items()
                        ],
                    )
                    for one in values
                ],
            )
        )
    return found
