"""Groups of annotators, compared by attribute."""

from __future__ import annotations

from collections.abc import Mapping

from ..metrics.agreement.annotator_groups import compare_groups
from ..metrics.agreement.distances import Distance
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.agreement.registry import resolve_sets
from ..metrics.options import GroupComparison, Sampling
from ..metrics.results import AttributeGroups


def compared_groups(
    matrix: LabelMatrix,
    attributes: Mapping[str, Mapping[str, str]],
    distance: Distance,
    options: GroupComparison,
    sampling: Sampling,
) -> list[AttributeGroups]:
    """Compare the groups of each attribute; `attributes` maps attribute → annotator → value."""
    table = resolve_sets(distance, matrix)
    return [
        compare_groups(
            matrix, attribute, values, distance=table, options=options, sampling=sampling
        )
        for attribute, values in attributes.items()
    ]
