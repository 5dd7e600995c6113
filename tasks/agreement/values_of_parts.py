"""The main coefficient of labels by category, pair, annotator left out, document and pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...data.store.store import Store
from ...metrics.agreement.breakdown import (
    coefficient_by_category,
    coefficient_by_pair,
    coefficient_by_set_member,
    coefficient_without_each_annotator,
    lowest_documents,
    pairs_with_common_items,
)
from ...metrics.agreement.counts import ItemCounts
from ...metrics.agreement.distances import Distance, compares_numbers
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.estimate import Estimate
from ...metrics.measures import GENERALISED
from ...reports import results as page
from ..layers import LayerSpec
from ..named_estimates import MOST_NAMED_DOCUMENTS, named_estimates
from ..options import ItemSettings
from ..passes import label_values_between_passes
from .categories import MOST_CATEGORIES, MOST_PAIRS

_MOST_PAIRS = 300  # of annotators: all pairs of 25, so that the page's matrix is complete
_MOST_PAIRED = 10_000_000  # items over all pairs, for intervals of more than MOST_PAIRS
_MOST_LEFT_OUT = 45  # annotators left out with an interval; each needs a count of all labels


def fields_by_part(
    matrix: LabelMatrix, settings: ItemSettings, distance: Distance
) -> dict[str, Any]:
    """Compute the main coefficient by category, by pair, and without each annotator.

    Only the pairs with the most common items are included. Values by category are omitted when a
    scale has too many distinct values, that is for measurements.
    """
    main = settings.measures[0]
    together = pairs_with_common_items(matrix)
    shown = sorted(together[:_MOST_PAIRS])
    light = len(shown) <= MOST_PAIRS or len(shown) * matrix.n_items <= _MOST_PAIRED
    by_pair = coefficient_by_pair(
        _pair_measure(main),
        matrix,
        distance=distance,
        sampling=settings.sampling if light else None,
        pairs=shown,
    )
    by_category = coefficient_by_category if matrix.members is None else coefficient_by_set_member
    without_each: list[tuple[str, Estimate]] = []
    if matrix.n_annotators > 2:
        few = matrix.n_annotators <= _MOST_LEFT_OUT
        without_each = coefficient_without_each_annotator(
            main, matrix, distance=distance, sampling=settings.sampling if few else None
        )
    measured = compares_numbers(distance) and len(matrix.tagset) > MOST_CATEGORIES
    return {
        "n_pairs": len(together),
        "per_category": []
        if measured
        else named_estimates(by_category(main, matrix, sampling=settings.sampling)),
        "per_pair": named_estimates(by_pair),
        "leave_one_out": named_estimates(without_each),
    }


def lowest_document_values(
    counts: ItemCounts,
    names: Sequence[str],
    settings: ItemSettings,
    distance: Distance,
) -> list[page.Named]:
    """Compute the main coefficient of the documents with the lowest values; [] for one document."""
    if len(names) < 2:
        return []
    lowest = lowest_documents(
        settings.measures[0],
        counts,
        names=names,
        most=MOST_NAMED_DOCUMENTS,
        distance=distance,
    )
    return named_estimates(lowest)


def values_between_passes(
    store: Store,
    keys: Sequence[str],
    layer: LayerSpec,
    settings: ItemSettings,
    distance: Distance,
) -> list[page.Named]:
    """Compare annotators with their own later passes."""
    found = label_values_between_passes(
        store,
        keys,
        layer,
        measure=settings.measures[0],
        of_two=_pair_measure(settings.measures[0]),
        distance=distance,
        sampling=settings.sampling.for_these_annotators,
    )
    return named_estimates(found)


def _pair_measure(main: str) -> str:
    """Return the pairwise coefficient that the campaign's main coefficient generalises."""
    return {many: two for two, many in GENERALISED.items()}.get(main, main)
