"""Counts per document of a layer of labels: kept in memory, or recomputed from the labels.

The counts of a document have K² cells for each number of labels, even if it uses only a few of
the K categories: with 40 categories, 10⁶ documents would need 38 GB. Above MOST_CELLS cells, only
the sum over documents is kept; counts of single documents are recomputed from the labels, which
take one integer each, and bootstrap intervals resample groups of documents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..metrics.agreement.counts import AgreementCounts, count
from ..metrics.agreement.label_matrix import LabelMatrix
from ..metrics.agreement.resampling_units import Groups, groups_of_counts

MOST_CELLS = 10_000_000  # documents × numbers of labels × pairs of categories: 80 MB
FEWEST_GROUPS, MOST_GROUPS = 30, 1000  # groups of documents to resample in large layers

Ints = NDArray[np.int64]


def fit_in_memory(n_documents: int, n_annotators: int, n_categories: int) -> bool:
    """Whether the counts of every document, kept separately, have at most MOST_CELLS cells."""
    return n_documents * n_annotators * n_categories**2 <= MOST_CELLS


class DocumentCounts(Protocol):
    """Counts of a selection of documents, given by number (`chosen`, int64)."""

    def per_document(self, chosen: Ints) -> AgreementCounts:
        """Return one row of counts per document, in the order of `chosen` (few documents only)."""

    def pooled(self, chosen: Ints) -> AgreementCounts:
        """Return counts in one or more rows, to be added up."""

    def labels(self, chosen: Ints) -> Ints:
        """Return the number of labels of each category, shape (chosen, K)."""

    def resampled_units(self, chosen: Ints) -> Groups:
        """Return the resampling units of an interval: documents, or groups of documents."""


@dataclass(frozen=True, slots=True)
class CountsInMemory:
    """Counts of all documents in memory."""

    counts: AgreementCounts

    def per_document(self, chosen: Ints) -> AgreementCounts:
        return self.counts.documents(chosen)

    pooled = per_document

    def labels(self, chosen: Ints) -> Ints:
        return np.asarray(self.counts.labels[chosen].sum(axis=1))

    def resampled_units(self, chosen: Ints) -> Groups:
        return groups_of_counts(self.counts.documents(chosen))


@dataclass(frozen=True)
class CountsFromLabels:
    """Counts recomputed from the labels on each call; `matrix.documents` is numbered from 0."""

    matrix: LabelMatrix

    def per_document(self, chosen: Ints) -> AgreementCounts:
        return count(self._matrix_of_documents(chosen, np.arange(chosen.size)), by="documents")

    def pooled(self, chosen: Ints) -> AgreementCounts:
        return count(self._matrix_of_documents(chosen, np.zeros(chosen.size, dtype=np.int64)))

    def labels(self, chosen: Ints) -> Ints:
        part = self._matrix_of_documents(chosen, np.arange(chosen.size))
        size = len(self.matrix.tagset)
        rows, columns = np.nonzero(part.codes >= 0)
        assert part.documents is not None  # set by `_matrix_of_documents`
        cells = part.documents[rows] * size + part.codes[rows, columns]
        return np.bincount(cells, minlength=chosen.size * size).reshape(-1, size)

    def resampled_units(self, chosen: Ints) -> Groups:
        n_groups = chosen.size
        if not fit_in_memory(n_groups, self.matrix.n_annotators, len(self.matrix.tagset)):
            fitting = MOST_CELLS // (self.matrix.n_annotators * len(self.matrix.tagset) ** 2)
            n_groups = min(n_groups, max(FEWEST_GROUPS, min(MOST_GROUPS, fitting)))
        part = self._matrix_of_documents(chosen, np.arange(chosen.size) % n_groups)
        groups = groups_of_counts(count(part, by="documents"))
        over = "documents" if n_groups == chosen.size else "groups of documents"
        return replace(groups, over=over)

    def _matrix_of_documents(self, chosen: Ints, numbers: Ints) -> LabelMatrix:
        """Return the items of these documents, with the documents renumbered as `numbers`."""
        order, bounds = self._rows_by_document
        sizes = bounds[chosen + 1] - bounds[chosen]
        before = np.cumsum(sizes) - sizes  # offset of each document's rows in the result
        rows = order[np.arange(sizes.sum()) + np.repeat(bounds[chosen] - before, sizes)]
        documents = np.repeat(numbers, sizes)
        return replace(self.matrix, codes=self.matrix.codes[rows], documents=documents, items=())

    @cached_property
    def _rows_by_document(self) -> tuple[Ints, Ints]:
        """Return the rows of the matrix sorted by document, and the start of each document."""
        documents = self.matrix.documents
        assert documents is not None  # required by the class
        order = np.argsort(documents, kind="stable")
        n_documents = int(documents.max(initial=-1)) + 1
        return order, np.searchsorted(documents[order], np.arange(n_documents + 1))
