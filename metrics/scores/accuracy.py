"""Labels of a system against a reference: confusion counts and accuracy.

Codes index the tagset; -1 is no label. An item without a reference label is excluded and counted;
an item that the system did not label counts as wrong (last column of the confusion matrix).

* `count_labels`      counts of each document, by category
* `accuracy`          share of the reference's items that the system labels correctly
* precision, recall, F: `metrics.scores.precision_recall_f` of `counts.categories`
* baselines: `metrics.scores.baseline`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Ints
from ..errors import MetricsError
from ..estimate import Estimate
from ..estimate_detail import Detail
from ..options import NO_INTERVALS, Sampling
from ..reason import Reason, ReasonCode
from ..signature import How, input_hash
from .category_counts import CategoryCounts
from .score_estimates import estimate_of_counts


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """Counts of the labels of one system.

    categories      (D, K) counts of each document (of each item without documents); `found` =
                    `right` = correct labels
    confusion       int64 (K, K + 1): the reference's category in rows, the system's in columns; the
                    last column is "no label"
    n_unreferenced  items excluded because they have no reference label
    input_digest    hash of the codes and documents
    """

    categories: CategoryCounts
    confusion: Ints
    n_unreferenced: int
    input_digest: str

    @property
    def tagset(self) -> tuple[str, ...]:
        return self.categories.tagset

    def __add__(self, other: LabelCounts) -> LabelCounts:
        """Concatenate the documents of both, for adding batches of documents."""
        categories = self.categories + other.categories
        return LabelCounts(
            categories,
            self.confusion + other.confusion,
            self.n_unreferenced + other.n_unreferenced,
            categories.input_digest,
        )


def count_labels(
    reference_codes: ArrayLike,
    system_codes: ArrayLike,
    *,
    tagset: Sequence[str],
    documents: ArrayLike | None = None,
    n_documents: int | None = None,
) -> LabelCounts:
    """Count a system's labels against the reference's.

    reference_codes, system_codes  integers (N,): index into `tagset`, -1 for no label
    documents    integers (N,): index of each item's document; None: items are resampled
    n_documents  number of documents, if the last ones may have no item

    Raises MetricsError for codes outside the tagset or arrays of different lengths.
    """
    reference = _checked_codes(reference_codes, "reference", len(tagset))
    system = _checked_codes(system_codes, "system", len(tagset))
    if reference.shape != system.shape:
        raise MetricsError(
            f"the reference has {reference.size} items and the system {system.size}: give both "
            "the same items in the same order, -1 where there is no label"
        )
    homes = None if documents is None else np.asarray(documents, dtype=np.int64)
    if homes is not None and homes.shape != reference.shape:
        raise MetricsError(f"documents have shape {homes.shape}; expected ({reference.size},)")
    digest = input_hash([reference, system] if homes is None else [reference, system, homes])
    kept = reference >= 0
    reference, system = reference[kept], system[kept]
    rows = np.arange(reference.size) if homes is None else homes[kept]
    n_rows = reference.size if homes is None else int(homes.max(initial=-1)) + 1
    if homes is not None and n_documents is not None:
        if n_documents < n_rows:
            raise MetricsError(f"document index {n_rows - 1} is outside 0..{n_documents - 1}")
        n_rows = n_documents
    width = len(tagset)
    labelled, alike = system >= 0, system == reference
    right = _cross_tabulate(rows[alike], reference[alike], n_rows, width)
    categories = CategoryCounts(
        tuple(tagset),
        reference=_cross_tabulate(rows, reference, n_rows, width),
        system=_cross_tabulate(rows[labelled], system[labelled], n_rows, width),
        found=right,
        right=right,
        match="label",
        rows="documents" if homes is not None else "items",
        input_digest=digest,
    )
    columns = np.where(labelled, system, width)
    confusion = np.bincount(reference * (width + 1) + columns, minlength=width * (width + 1))
    return LabelCounts(
        categories,
        confusion.reshape(width, width + 1),
        n_unreferenced=int((~kept).sum()),
        input_digest=digest,
    )


def accuracy(counts: LabelCounts, sampling: Sampling = NO_INTERVALS) -> Estimate:
    """Return the share of the reference's items that the system labels correctly, in [0, 1].

    The interval is that of a share over documents (over items without documents). The value is nan
    if the reference labels no item.
    """
    rows = accuracy_counts(counts)
    n_correct, n_items = (int(column) for column in rows.sum(axis=0))
    return estimate_of_counts(
        How(measure="accuracy", missing="wrong", input=counts.input_digest),
        rows,
        reason=Reason(ReasonCode.NO_REFERENCE_LABEL),
        n_items=n_items,
        detail=Detail(
            n_correct=n_correct,
            n_unlabelled=int(counts.confusion[:, -1].sum()),
            n_unreferenced=counts.n_unreferenced,
        )
        | counts.categories.row_count,
        rows=counts.categories.rows,
        sampling=sampling,
    )


def accuracy_counts(counts: LabelCounts) -> Ints:
    """(D, 2): correctly labelled items, items of the reference."""
    return np.stack(
        [
            counts.categories.found.sum(axis=1, dtype=np.int64),
            counts.categories.reference.sum(axis=1, dtype=np.int64),
        ],
        axis=1,
    )


def _checked_codes(codes: ArrayLike, who: str, n_categories: int) -> Ints:
    array = np.asarray(codes)
    if array.ndim != 1 or (array.size and not np.issubdtype(array.dtype, np.integer)):
        raise MetricsError(f"{who} codes must be integers (N,), not {array.dtype} {array.shape}")
    if array.size and (array.min() < -1 or array.max() >= n_categories):
        raise MetricsError(
            f"{who} codes must lie in -1..{n_categories - 1}, found "
            f"{int(array.min())}..{int(array.max())}: declare every category"
        )
    return array.astype(np.int64)


def _cross_tabulate(rows: Ints, columns: Ints, n_rows: int, n_columns: int) -> NDArray[np.integer]:
    """Counts (n_rows, n_columns), in the smallest integer type, because rows may be items."""
    counts = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    smallest = np.min_scalar_type(int(counts.max(initial=0)))
    return counts.astype(smallest).reshape(n_rows, n_columns)
