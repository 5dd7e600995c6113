"""Use of the categories of a layer: counts, confusions, batches, proposed distances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa

from ...metrics.agreement.breakdown import confusion_of_pair
from ...metrics.agreement.counts import ItemCounts
from ...metrics.agreement.diagnosis.document_findings import inhomogeneous_batches
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.observed_distances import conditional_probabilities, proposed_distances
from ...metrics.coded_warning import Finding
from ...metrics.results import Confusion
from ...reports import results as page
from ..batches_and_periods import batch_counts, documents_by_group
from ..confused_categories import confused_pairs
from ..layers import LayerSpec

MOST_PAIRS = 45  # pairs of annotators with confusion matrices and intervals on the page
MOST_CATEGORIES = 60  # largest matrix on the page
_MOST_DOCUMENTS = 200  # documents of a distribution on the page


def category_distribution(
    layer: LayerSpec,
    counts: ItemCounts,
    names: Sequence[str],
    groups: pa.Table,
) -> page.Distribution:
    """Count labels by category and annotator, document (if there are few) and batch."""
    shown = len(names) if len(names) <= _MOST_DOCUMENTS else 0
    return page.Distribution(
        layer=layer.name,
        kind="items",
        tagset=list(layer.tagset),
        annotators=list(layer.humans),
        counts=counts.marginals.T.tolist(),
        documents=list(names[:shown]),
        document_counts=counts.select_resampling_units(range(shown))
        .category_counts_by_resampling_unit()
        .tolist(),
        **batch_counts(groups, names, counts),
    )


def confusion_matrices(matrix: LabelMatrix) -> list[Confusion]:
    """Return the confusion matrices of up to MOST_PAIRS pairs; [] if the tagset is too large."""
    pairs = list(combinations(range(matrix.n_annotators), 2))[:MOST_PAIRS]
    return [
        confusion_of_pair(matrix, a, b) for a, b in pairs if len(matrix.tagset) <= MOST_CATEGORIES
    ]


def coincidence_matrix(counts: ItemCounts) -> list[list[float]]:
    """Return Krippendorff's coincidence matrix, which determines α; [] if it is too large."""
    if len(counts.tagset) > MOST_CATEGORIES:
        return []
    return counts.coincidences.tolist()  # type: ignore[no-any-return]  # NumPy's lists


def confused_categories_of_labels(counts: ItemCounts, layer: LayerSpec) -> list[page.Repair]:
    """Return the confused categories of all pairs of labels; [] if the tagset is too large."""
    if len(counts.tagset) > MOST_CATEGORIES:
        return []
    pairs = counts.pairs  # in both orders
    pairs[np.diag_indices(len(pairs))] //= 2
    return confused_pairs(layer.name, layer.tagset, pairs)


def findings_on_batches(
    matrix: LabelMatrix, names: Sequence[str], groups: pa.Table
) -> list[Finding]:
    """Return the finding that categories differ between batches, if they do."""
    found = documents_by_group(groups, "batch", names)
    if not found or matrix.documents is None:
        return []
    batch_of = np.full(len(names), len(found), dtype=np.int64)
    for number, those in enumerate(found.values()):
        batch_of[those] = number
    finding = inhomogeneous_batches(matrix, batch_of[matrix.documents])
    return [finding] if finding else []


def distances_from_confusions(counts: ItemCounts) -> dict[str, list[list[float]]]:
    """Return P(column | row) and the distances that it suggests, by the names that the page uses.

    {} with fewer than two categories, or too many for a page, or where nothing is compared.
    """
    if not 2 <= len(counts.tagset) <= MOST_CATEGORIES or counts.n_unpaired == counts.n_items:
        return {}
    pairs = counts.pairs
    of_alpha, of_kappa = proposed_distances(pairs)
    return {
        "probability": conditional_probabilities(pairs).tolist(),
        "d_alpha": of_alpha.tolist(),
        "d_kappa_omega": of_kappa.tolist(),
    }
