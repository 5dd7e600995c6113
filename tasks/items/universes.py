"""The prevalence study of a campaign: the same coefficients on several choices of items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from metrics.agreement.detail import Sampling
from metrics.agreement.distances import Distance
from metrics.agreement.label_matrix import LabelMatrix
from metrics.agreement.universes import prevalence_study
from reports import results as page
from tasks.estimates import value_of


def universes_of(
    matrix: LabelMatrix,
    *,
    null: str | None,
    patterns: Mapping[str, str],
    measures: Sequence[str],
    distance: Distance,
    sampling: Sampling,
) -> list[page.Universe]:
    """All items, those each pattern finds in `document, item`, and all without the null category.

    [] when the campaign file asks for none. Raises MetricsError for a null outside the tagset.
    """
    if null is None and not patterns:
        return []
    names = [item.replace("\x1f", ", ") for item in matrix.items]
    candidates = {}
    for name, pattern in patterns.items():
        search = re.compile(pattern).search
        candidates[name] = np.array([search(item) is not None for item in names], dtype=np.bool_)
    found = prevalence_study(
        matrix,
        null=null,
        candidates=candidates,
        measures=measures,
        distance=distance,
        sampling=sampling,
    )
    return [
        page.Universe(
            name=one.name,
            n_items=one.n_items,
            tagset=list(one.tagset),
            values=[value_of(estimate) for estimate in one.estimates],
            confusion=None
            if one.confusion is None
            else page.Confusion(
                row_annotator=matrix.annotators[0],
                column_annotator=matrix.annotators[1],
                matrix=one.confusion.astype(float).tolist(),
            ),
        )
        for one in found
    ]
