"""Counts of matches by document and category, which add over documents and batches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import MetricsError
from ..estimate_detail import Detail
from ..signature import input_hash


@dataclass(frozen=True, slots=True)
class CategoryCounts:
    """Counts of D documents by K categories; each an array (D, K), additive over documents.

    reference        units (or labelled items) of the reference, by the reference's category
    system           units (or labelled items) of the system, by the system's category
    found            units of the reference that have a match (½ for a partial match)
    right            units of the system that have a match
    match            how they were matched (see `metrics.scores.unit_match_counts`)
    rows             what a row is, which is resampled: `documents`, or `items` without documents
    input_digest     hash of the input, for signatures

    `found` and `right` have the same sum in every document; they differ by category only if the
    match ignores categories.
    """

    tagset: tuple[str, ...]
    reference: NDArray[np.integer]
    system: NDArray[np.integer]
    found: NDArray[np.integer | np.floating]
    right: NDArray[np.integer | np.floating]
    match: str = "exact"
    rows: str = "documents"
    input_digest: str = ""

    def __post_init__(self) -> None:
        shape = self.reference.shape
        if len(shape) != 2 or shape[1] != len(self.tagset):
            raise MetricsError(f"counts have shape {shape}; expected (D, {len(self.tagset)})")
        for name in ("system", "found", "right"):
            if getattr(self, name).shape != shape:
                raise MetricsError(f"{name} has shape {getattr(self, name).shape}, not {shape}")

    @property
    def n_documents(self) -> int:
        return self.reference.shape[0]

    @property
    def row_count(self) -> Detail:
        """The number of rows, under the name of what a row is."""
        n = self.n_documents
        return Detail(n_documents=n) if self.rows == "documents" else Detail(n_items=n)

    def stacked(self, *, pooled: bool = False) -> NDArray[np.integer | np.floating]:
        """(D, 4, K): found, right, reference, system, the input of `rate_statistic` after summing.

        pooled  (D, 4, 1), all categories together: sufficient for micro averages, and faster
        """
        counts = np.stack([self.found, self.right, self.reference, self.system], axis=1)
        return counts.sum(axis=2, keepdims=True) if pooled else counts

    def __add__(self, other: CategoryCounts) -> CategoryCounts:
        """Concatenate the documents of both."""
        if (self.tagset, self.match, self.rows) != (other.tagset, other.match, other.rows):
            raise MetricsError("counts of different tagsets or matches cannot be combined")
        return CategoryCounts(
            self.tagset,
            np.concatenate([self.reference, other.reference]),
            np.concatenate([self.system, other.system]),
            np.concatenate([self.found, other.found]),
            np.concatenate([self.right, other.right]),
            self.match,
            self.rows,
            input_hash([self.input_digest, other.input_digest]),
        )
