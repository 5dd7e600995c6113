"""Groups of annotators: comparisons by attribute, and their entries in the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..metrics.agreement.annotator_groups import AttributeComparison, compare_groups
from ..metrics.agreement.distances import Distance
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.agreement.registry import resolve_sets
from ..metrics.options import GroupComparison, Sampling
from ..reports import results as page


def compared_groups(
    matrix: LabelMatrix,
    attributes: Mapping[str, Mapping[str, str]],
    distance: Distance,
    options: GroupComparison,
    sampling: Sampling,
) -> list[AttributeComparison]:
    """Compare the groups of each attribute; `attributes` maps attribute → annotator → value."""
    table = resolve_sets(distance, matrix)
    return [
        compare_groups(
            matrix, attribute, values, distance=table, options=options, sampling=sampling
        )
        for attribute, values in attributes.items()
    ]


def groups_as_results(found: Sequence[AttributeComparison]) -> list[page.AttributeGroups]:
    return [
        page.AttributeGroups(
            attribute=one.attribute,
            groups=[
                page.GroupAgreement(
                    name=group.name,
                    n_annotators=group.n_annotators,
                    within=group.within,
                    between=group.between,
                    normalized=group.normalized,
                    p_value=group.p_value,
                    p_corrected=group.p_corrected,
                    least_p=group.least_p,
                )
                for group in one.groups
            ],
            n_hidden=one.n_hidden,
            n_hidden_annotators=one.n_hidden_annotators,
            n_unknown=one.n_unknown,
        )
        for one in found
    ]
