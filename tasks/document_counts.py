"""Counts of the documents of a layer of labels: held, or made from the labels when asked for.

The counts of a document have K² cells for each number of labels, however few of the K categories it
uses: of 40 categories on 10⁶ documents they would be 38 GB. Where there are more cells than
MOST_CELLS, only their sum is held; those of some documents come from the labels, which are an
integer each, and intervals are drawn over groups of documents.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..metrics.agreement.counts import AgreementCounts, count
from ..metrics.agreement.groups import Groups, groups_of_counts
from ..metrics.agreement.label_matrix import LabelMatrix

MOST_CELLS = 10_000_000  # documents × numbers of labels × pairs of categories: 80 MB
FEWEST_GROUPS, MOST_GROUPS = 30, 1000  # of documents, drawn again where single ones are too many

Ints = NDArray[np.int64]


def fit_in_memory(n_documents: int, n_annotators: int, n_categories: int) -> bool:
    """Whether the counts of so many documents are few enough to be held, each document's apart."""
    return n_documents * n_annotators * n_categories**2 <= MOST_CELLS


class DocumentCounts(Protocol):
    """Counts of some of the documents, by their numbers (`chosen`, int64)."""

    def per_document(self, chosen: Ints) -> AgreementCounts:
        """A row each, in that order: to be asked for few at once."""

    def pooled(self, chosen: Ints) -> AgreementCounts:
        """In one row or several, to be added."""

    def labels(self, chosen: Ints) -> Ints:
        """Labels of each category, (chosen, K)."""

    def resampled_units(self, chosen: Ints) -> Groups:
        """What is drawn again for an interval: the documents, or groups of them."""


@dataclass(frozen=True, slots=True)
class CountsInMemory:
    """All documents' counts in memory."""

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
    """Counted from the labels each time; `matrix` has documents numbered from 0."""

    matrix: LabelMatrix

    def per_document(self, chosen: Ints) -> AgreementCounts:
        return count(self._matrix_of_documents(chosen, np.arange(chosen.size)), by="documents")

    def pooled(self, chosen: Ints) -> AgreementCounts:
        return count(self._matrix_of_documents(chosen, np.zeros(chosen.size, dtype=np.int64)))

    def labels(self, chosen: Ints) -> Ints:
        part = self._matrix_of_documents(chosen, np.arange(chosen.size))
        size = len(self.matrix.tagset)
        rows, columns = np.nonzero(part.codes >= 0)
        assert part.documents is not None  # given by `_matrix_of_documents`
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
        """The items of these documents, which get other numbers."""
        order, bounds = self._rows_by_document
        sizes = bounds[chosen + 1] - bounds[chosen]
        before = np.cumsum(sizes) - sizes  # rows of those that stand before, in what is made here
        rows = order[np.arange(sizes.sum()) + np.repeat(bounds[chosen] - before, sizes)]
        documents = np.repeat(numbers, sizes)
        return replace(self.matrix, codes=self.matrix.codes[rows], documents=documents, items=())

    @cached_property
    def _rows_by_document(self) -> tuple[Ints, Ints]:
        """Rows of the matrix, document after document, and where each document's begin."""
        documents = self.matrix.documents
        assert documents is not None  # as said above
        order = np.argsort(documents, kind="stable")
        n_documents = int(documents.max(initial=-1)) + 1
        return order, np.searchsorted(documents[order], np.arange(n_documents + 1))
