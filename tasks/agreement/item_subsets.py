"""The prevalence study of a campaign: the same coefficients on several subsets of items."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...metrics.agreement.diagnosis.category_findings import unused_categories
from ...metrics.agreement.distances import Distance
from ...metrics.agreement.item_subsets import evaluate_item_subsets
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.arrays import Flags
from ...metrics.coded_warning import CodedWarning
from ...metrics.item_name import place_of_item
from ...metrics.options import Sampling
from ...metrics.reason import Reason, ReasonCode
from ...metrics.results import Universe

_FEWEST_ITEMS = 30


def values_on_subsets(
    matrix: LabelMatrix,
    *,
    null: str | None,
    patterns: Mapping[str, str],
    measures: Sequence[str],
    distance: Distance,
    sampling: Sampling,
) -> list[Universe]:
    """Compute values for all items, for each pattern's items, and without the null category.

    Patterns are searched in `document, item`. Returns [] if the campaign file has neither. Raises
    MetricsError for a null category outside the tagset.
    """
    if null is None and not patterns:
        return []
    candidates = _candidates(matrix, patterns)
    found = evaluate_item_subsets(
        matrix,
        null=null,
        candidates=candidates,
        measures=measures,
        distance=distance,
        sampling=sampling,
    )
    no_item = Reason(ReasonCode.NO_ITEM_FITS)
    empty = {name for name, mask in candidates.items() if not mask.any()}
    return [
        replace(one, values=tuple(replace(value, reason=no_item) for value in one.values))
        if one.name in empty
        else one
        for one in found
    ]


def empty_subset_warnings(
    universes: Sequence[Universe],
    matrix: LabelMatrix,
    *,
    layer: str,
    patterns: Mapping[str, str],
) -> list[CodedWarning]:
    """Warn of patterns that match no item, with an example of the text they are searched in."""
    if not matrix.items:
        return []
    return [
        CodedWarning(
            "empty_universe",
            {
                "layer": layer,
                "name": one.name,
                "pattern": patterns[one.name],
                "example": _searched_text(matrix.items[0]),
            },
        )
        for one in universes
        if one.name in patterns and not one.n_items
    ]


def unused_category_warnings(
    matrix: LabelMatrix, *, layer: str, patterns: Mapping[str, str]
) -> list[CodedWarning]:
    """Warn of subsets in which a category of the tagset is unused: S, R and AC1 still count it.

    In smaller subsets, a category may be unused by chance.
    """
    found = []
    for name, mask in _candidates(matrix, patterns).items():
        finding = unused_categories(matrix.select_items(mask))
        if finding is not None and mask.sum() >= _FEWEST_ITEMS:
            figures = {"layer": layer, "name": name, **finding.figures}
            found.append(CodedWarning("unused_in_universe", figures))
    return found


def _candidates(matrix: LabelMatrix, patterns: Mapping[str, str]) -> dict[str, Flags]:
    """Return, by the name of each subset, which items its pattern matches, bool (N,)."""
    names = [_searched_text(item) for item in matrix.items] if patterns else []
    found = {}
    for name, pattern in patterns.items():
        search = re.compile(pattern).search
        found[name] = np.array([search(item) is not None for item in names], dtype=np.bool_)
    return found


def _searched_text(item: str) -> str:
    """Return `document, item`, the text that patterns are searched in."""
    return ", ".join(place_of_item(item))
