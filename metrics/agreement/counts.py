"""Additive counts: the sums from which every coefficient on items is computed.

The counts are integers, so they merge exactly: the sum of the counts of two halves of a campaign is
bit for bit the counts of the whole, on any number of workers. Coefficients are computed once, from
the total; a coefficient is never averaged over parts.

Items are counted separately by their number of labels m, because an item weighs 1/(m(m−1)) in the
observed agreement and 1/(m−1) in Krippendorff's coincidences. The counts per m stay integers; the
division comes last.

Shapes: D documents (1 for the whole campaign), S distinct sizes m ≥ 1, K categories, A annotators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..arrays import Ints
from ..errors import MetricsError
from ..signature import input_hash
from .counting import ARRAYS, confusions_of, count_codes
from .label_matrix import LabelMatrix

By = Literal["whole", "documents"]

MAX_CELLS = 500_000_000  # 4 GB of counts


@dataclass(frozen=True, slots=True)
class AgreementCounts:
    """Counts of D documents.

    sizes        int64 (S,), increasing: the numbers of labels per item that occur
    items        int64 (D, S): items with m labels
    labels       int64 (D, S, K): labels k on items with m labels
    pairs        int64 (D, S, K, K): ordered pairs of labels (c, k) by two annotators on one item
    marginals    int64 (D, A, K): labels k of annotator a
    complete     int64 (D, A, K): the same on the items that every annotator labelled
    n_complete   int64 (D,): items that every annotator labelled
    n_unanimous  int64 (D,): complete items on which all labels are the same
    n_empty      int64 (D,): items without a label
    confusions   int64 (D, A, A, K, K) or None: items that a labelled c and b labelled k
    n_duplicates labels excluded because their annotator had already labelled the item
    """

    annotators: tuple[str, ...]
    tagset: tuple[str, ...]
    sizes: Ints
    items: Ints
    labels: Ints
    pairs: Ints
    marginals: Ints
    complete: Ints
    n_complete: Ints
    n_unanimous: Ints
    n_empty: Ints
    confusions: Ints | None = None
    n_duplicates: int = 0

    @property
    def n_documents(self) -> int:
        return self.items.shape[0]

    @property
    def n_items(self) -> int:
        return int(self.items.sum() + self.n_empty.sum())

    @property
    def n_unpaired(self) -> int:
        """Number of items with fewer than two labels, which the observed agreement does not use."""
        return int(self.n_empty.sum() + self.items[:, self.sizes < 2].sum())

    def total(self) -> AgreementCounts:
        """Add the counts of all documents (D = 1)."""
        return self._map_arrays(lambda array: array.sum(axis=0, keepdims=True))

    def documents(self, chosen: Ints) -> AgreementCounts:
        """Return the counts of some of the documents, by their numbers."""
        return self._map_arrays(lambda array: array[chosen])

    def document(self, d: int) -> AgreementCounts:
        """Return the counts of document d alone (D = 1)."""
        return self._map_arrays(lambda array: array[d : d + 1])

    def collapsed(self, groups: Sequence[int], tagset: tuple[str, ...]) -> AgreementCounts:
        """Merge categories: category k becomes `tagset[groups[k]]`.

        Unanimity over merged categories cannot be computed from sums, so the counts of complete
        items, which only Aickin's α reads, are dropped.
        """
        into = np.zeros((len(self.tagset), len(tagset)), dtype=np.int64)
        into[np.arange(len(self.tagset)), list(groups)] = 1
        return replace(
            self,
            tagset=tagset,
            labels=self.labels @ into,
            pairs=into.T @ self.pairs @ into,
            marginals=self.marginals @ into,
            complete=self.complete @ into * 0,
            n_complete=self.n_complete * 0,
            n_unanimous=self.n_unanimous * 0,
            confusions=None if self.confusions is None else into.T @ self.confusions @ into,
        )

    def fingerprint(self) -> str:
        """Hash of the total, which does not depend on how the campaign was split."""
        whole = self.total() if self.n_documents != 1 else self
        return input_hash(
            [
                "\x1f".join(whole.annotators),
                "\x1f".join(whole.tagset),
                *(whole.sizes, whole.items, whole.labels, whole.pairs, whole.marginals),
            ]
        )

    def __add__(self, other: AgreementCounts) -> AgreementCounts:
        """Concatenate the documents of both; see `merge`."""
        return merge([self, other])

    def _map_arrays(self, change: Callable[[Ints], Ints]) -> AgreementCounts:
        """Apply `change` to every array that has a document axis."""
        return AgreementCounts(
            self.annotators,
            self.tagset,
            self.sizes,
            **{name: change(getattr(self, name)) for name in ARRAYS},
            confusions=None if self.confusions is None else change(self.confusions),
            n_duplicates=self.n_duplicates,
        )

    def _on_common_axes(self, annotators: tuple[str, ...], sizes: Ints) -> AgreementCounts:
        """Return the same counts on a wider set of annotators and sizes."""
        if annotators == self.annotators and np.array_equal(sizes, self.sizes):
            return self
        n_documents, n_categories = self.n_documents, len(self.tagset)
        at = np.searchsorted(sizes, self.sizes)
        who = np.array([annotators.index(name) for name in self.annotators], dtype=np.int64)

        def widen(array: Ints, shape: tuple[int, ...], index: Ints) -> Ints:
            out = np.zeros((n_documents, *shape), dtype=np.int64)
            out[:, index] = array
            return out

        n_sizes, n_annotators = sizes.shape[0], len(annotators)
        same = n_annotators == len(self.annotators)
        confusions = None
        if self.confusions is not None:
            confusions = np.zeros(
                (n_documents, n_annotators, n_annotators, n_categories, n_categories), np.int64
            )
            confusions[:, who[:, None], who[None, :]] = self.confusions
        # An item labelled by all annotators of one batch is not complete in a larger team.
        return AgreementCounts(
            annotators,
            self.tagset,
            sizes,
            items=widen(self.items, (n_sizes,), at),
            labels=widen(self.labels, (n_sizes, n_categories), at),
            pairs=widen(self.pairs, (n_sizes, n_categories, n_categories), at),
            marginals=widen(self.marginals, (n_annotators, n_categories), who),
            complete=widen(self.complete * same, (n_annotators, n_categories), who),
            n_complete=self.n_complete * same,
            n_unanimous=self.n_unanimous * same,
            n_empty=self.n_empty,
            confusions=confusions,
            n_duplicates=self.n_duplicates,
        )


def merge(parts: Iterable[AgreementCounts]) -> AgreementCounts:
    """Concatenate the documents of all parts in order, matching annotators by name over one tagset.

    Raises MetricsError without a part, or for different tagsets.
    """
    parts = list(parts)
    if not parts:
        raise MetricsError("no counts to merge: the campaign has no batch")
    tagset = parts[0].tagset
    for part in parts:
        if part.tagset != tagset:
            raise MetricsError(
                f"counts over different tagsets cannot be added: {', '.join(tagset)} and "
                f"{', '.join(part.tagset)}; declare one tagset for the campaign"
            )
    annotators = tuple(dict.fromkeys(name for part in parts for name in part.annotators))
    sizes = np.unique(np.concatenate([part.sizes for part in parts]))
    aligned = [part._on_common_axes(annotators, sizes) for part in parts]
    tables = [part.confusions for part in aligned if part.confusions is not None]
    return AgreementCounts(
        annotators,
        tagset,
        sizes,
        **{name: np.concatenate([getattr(part, name) for part in aligned]) for name in ARRAYS},
        confusions=np.concatenate(tables) if len(tables) == len(parts) else None,
        n_duplicates=sum(part.n_duplicates for part in parts),
    )


def count(matrix: LabelMatrix, *, by: By = "whole", confusions: bool = False) -> AgreementCounts:
    """Count a label matrix, as a whole (D = 1) or by document.

    `confusions` adds the confusion matrix of every pair of annotators (only `hubert_kappa` needs
    it), A²K² integers per document. Raises RoleError for a system or a reference; MetricsError if
    counts by document are requested of a matrix without documents, or if the counts would not fit
    in memory.
    """
    matrix.require_humans("Agreement")
    codes, n_categories = matrix.codes, len(matrix.tagset)
    group, n_groups = np.zeros(matrix.n_items, dtype=np.int64), 1
    if by == "documents":
        if matrix.documents is None:
            raise MetricsError(
                "the items have no documents: count all items together, or give documents"
            )
        names, group = np.unique(matrix.documents, return_inverse=True)
        n_groups = max(1, names.shape[0])
    if n_groups * n_categories**2 > MAX_CELLS:
        raise MetricsError(
            f"{n_categories} categories in {n_groups} documents make more pairs than memory holds: "
            "round the values into fewer classes, or count by batches"
        )
    sizes, arrays = count_codes(codes, group, n_groups, n_categories)
    table = confusions_of(codes, group, n_groups, n_categories) if confusions else None
    return AgreementCounts(
        matrix.annotators,
        matrix.tagset,
        sizes,
        **arrays,
        confusions=table,
        n_duplicates=matrix.n_duplicates,
    )


def count_without_each(matrix: LabelMatrix) -> Iterator[AgreementCounts]:
    """Return the result of `count` without each annotator in turn, in their order.

    Only the items of the omitted annotator are counted again, so the cost stays small even with
    many annotators. Raises RoleError for a system or a reference.
    """
    whole = count(matrix)
    given = matrix.codes >= 0
    n_labels = given.sum(axis=1)
    for a in range(matrix.n_annotators):
        others = [b for b in range(matrix.n_annotators) if b != a]
        own = matrix.of_items(given[:, a])
        # Items that only annotator a left unlabelled are complete now, too
        full = count(matrix.of_items(n_labels - given[:, a] == len(others)).of_annotators(others))
        changed = [
            _without_annotator(whole, a),
            _without_annotator(count(own), a)._map_arrays(np.negative),
            count(own.of_annotators(others)),
        ]
        found = merge(changed).total()
        seen = found.items[0] > 0
        yield replace(
            found,
            sizes=found.sizes[seen],
            items=found.items[:, seen],
            labels=found.labels[:, seen],
            pairs=found.pairs[:, seen],
            complete=full.complete,
            n_complete=full.n_complete,
            n_unanimous=full.n_unanimous,
            n_duplicates=whole.n_duplicates,
        )


def _without_annotator(counts: AgreementCounts, a: int) -> AgreementCounts:
    """Remove one annotator's name and marginals from the counts of all items."""
    return replace(
        counts,
        annotators=counts.annotators[:a] + counts.annotators[a + 1 :],
        marginals=np.delete(counts.marginals, a, axis=1),
        complete=np.delete(counts.complete, a, axis=1),
    )
