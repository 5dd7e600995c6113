"""Groups of annotators, compared by attribute."""

from __future__ import annotations

from collections.abc import Mapping

from ..metrics.agreement.annotator_groups import compare_groups
from ..metrics.agreement.coefficients import resolve_set_distance
from ..metrics.agreement.distances import Distance
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.options import GroupComparison, Sampling
from ..metrics.results import AttributeGroups


def compare_groups_by_attribute(
    matrix: LabelMatrix,
    attributes: Mapping[str, Mapping[str, str]],
    distance: Distance,
    options: GroupComparison,
    sampling: Sampling,
) -> list[AttributeGroups]:
    """Compare the groups of each attribute; `attributes` maps attribute → annotator → value."""
    table = resolve_set_distance(distance, matrix)
    return [
        compare_groups(
            matrix, attribute, values, distance=table, options=options, sampling=sampling
        )
        for attribute, values in attributes.items()
    ]
