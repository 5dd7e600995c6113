"""Use of the categories of a layer: counts, confusions, batches, proposed distances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pyarrow as pa

from ...metrics.agreement.counts import AgreementCounts
from ...metrics.agreement.detail import confusion
from ...metrics.agreement.diagnosis.documents import inhomogeneous_batches
from ...metrics.agreement.label_matrix import LabelMatrix
from ...metrics.agreement.observed_distances import conditional_probabilities, proposed_distances
from ...metrics.agreement.weighted_sums import sums_of
from ...metrics.coded_warning import Finding
from ...reports import results as page
from ..document_counts import DocumentCounts
from ..groups import batch_counts, members_by_group
from ..layers import LayerSpec
from ..repairs import repairs_from

MOST_PAIRS = 45  # pairs of annotators with confusion matrices and intervals on the page
MOST_CATEGORIES = 60  # largest matrix on the page
_MOST_DOCUMENTS = 200  # documents of a distribution on the page


def distribution_of(
    layer: LayerSpec,
    whole: AgreementCounts,
    counts: DocumentCounts,
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
        counts=whole.marginals.sum(axis=0).T.tolist(),
        documents=list(names[:shown]),
        document_counts=counts.labels(np.arange(shown)).tolist(),
        **batch_counts(groups, names, counts),
    )


def confusions_of(matrix: LabelMatrix) -> list[page.Confusion]:
    """Return the confusion matrices of up to MOST_PAIRS pairs; [] if the tagset is too large."""
    pairs = list(combinations(range(matrix.n_annotators), 2))[:MOST_PAIRS]
    return [
        page.Confusion(
            row_annotator=matrix.annotators[a],
            column_annotator=matrix.annotators[b],
            matrix=confusion(matrix, a, b).astype(float).tolist(),
        )
        for a, b in pairs
        if len(matrix.tagset) <= MOST_CATEGORIES
    ]


def coincidences_of(counts: AgreementCounts) -> list[list[float]]:
    """Return Krippendorff's coincidence matrix, which determines α; [] if it is too large."""
    if len(counts.tagset) > MOST_CATEGORIES:
        return []
    whole = counts if counts.n_documents == 1 else counts.total()
    n = len(counts.tagset)  # at most MOST_CATEGORIES, so no cell is omitted
    found: list[list[float]] = sums_of(whole).coincidences[0].reshape(n, n).tolist()
    return found


def repairs_of(counts: AgreementCounts, layer: LayerSpec) -> list[page.Repair]:
    """Return the confused categories of all pairs of labels; [] if the tagset is too large."""
    if len(counts.tagset) > MOST_CATEGORIES:
        return []
    pairs = counts.pairs.sum(axis=(0, 1))  # in both orders
    pairs[np.diag_indices(len(pairs))] //= 2
    return repairs_from(layer.name, layer.tagset, pairs)


def findings_on_batches(
    matrix: LabelMatrix, names: Sequence[str], groups: pa.Table
) -> list[Finding]:
    """Return the finding that categories differ between batches, if they do."""
    found = members_by_group(groups, "batch", names)
    if not found or matrix.documents is None:
        return []
    batch_of = np.full(len(names), len(found), dtype=np.int64)
    for number, those in enumerate(found.values()):
        batch_of[those] = number
    finding = inhomogeneous_batches(matrix, batch_of[matrix.documents])
    return [finding] if finding else []


def distances_from_confusions(counts: AgreementCounts) -> dict[str, list[list[float]]]:
    """Return P(column | row) and the distances that it suggests, by the names that the page uses.

    {} with fewer than two categories, or too many for a page, or where nothing is compared.
    """
    pairs = counts.pairs.sum(axis=(0, 1))
    if not 2 <= len(pairs) <= MOST_CATEGORIES or not pairs.any():
        return {}
    of_alpha, of_kappa = proposed_distances(pairs)
    return {
        "probability": conditional_probabilities(pairs).tolist(),
        "d_alpha": of_alpha.tolist(),
        "d_kappa_omega": of_kappa.tolist(),
    }
