"""Sums of each row of labels as a sparse matrix, for thousands of items and categories.

A row of A labels has A nonzero marginals out of A·K and A(A − 1) nonzero cells out of thousands:
dense sums of 10,000 items by two annotators in 10,000 categories would take gigabytes. Resamples
are dense.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..arrays import Floats, Ints32
from .weighted_sums import Sums, cells_of_rows

DENSE_UP_TO = 20_000_000  # numbers in the rows' marginals: 160 MB


@dataclass(frozen=True, slots=True)
class SparseSums:
    """Sparse counterpart of `Sums` for G rows of labels; `rows` is a SciPy array (G, F).

    shape  sums of zero rows, which give the shapes for `like`
    """

    rows: Any
    shape: Sums
    n_paired: Floats
    n_labelled: Floats

    @property
    def width(self) -> int:
        """Number of sums in a row."""
        return int(self.rows.shape[1])

    def flat(self) -> Any:
        """Return the sparse rows (G, F); their product with weights (B, G) is dense."""
        return self.rows

    def like(self, rows: Floats) -> Sums:
        return self.shape.like(rows)

    def resampled(self, weights: Floats) -> Sums:
        return self.like(np.asarray(weights @ self.rows))


def sparse_sums_of_rows(codes: Ints32, n_categories: int) -> SparseSums:
    """Sparse version of `sums.sums_of_rows`, without confusions."""
    from scipy.sparse import coo_array

    n_rows, n_annotators = codes.shape
    n_labels = (codes >= 0).sum(axis=1)
    full = (n_labels == n_annotators) & (n_labels > 0)
    alike = full & (codes == codes[:, :1]).all(axis=1)
    cells, row, place = cells_of_rows(codes, n_categories)
    more = np.maximum(n_labels - 1, 1)
    label_row, annotator = np.nonzero(codes >= 0)
    category = codes[label_row, annotator].astype(np.int64)
    own = annotator * n_categories + category
    every = np.arange(n_rows)
    parts = [  # width, rows, columns, values, in the order of the fields of Sums
        (1, every, 0 * every, n_labels >= 2),
        (1, every, 0 * every, n_labels >= 1),
        (cells.size, row, place, 1 / (n_labels * more)[row]),
        (cells.size, row, place, 1 / more[row]),
        (n_categories, label_row, category, (n_labels >= 2)[label_row]),
        (n_categories, label_row, category, 1 / n_labels[label_row]),
        (n_annotators * n_categories, label_row, own, np.ones(own.size)),
        (n_annotators * n_categories, label_row, own, full[label_row]),
        (1, every, 0 * every, full),
        (1, every, 0 * every, alike),
    ]
    starts = np.cumsum([0, *(width for width, *_ in parts)])
    columns = np.concatenate([s + c for s, (_, _, c, _) in zip(starts, parts, strict=False)])
    values = np.concatenate([np.asarray(v, dtype=np.float64) for *_, v in parts])
    rows = np.concatenate([r for _, r, _, _ in parts])
    nothing, of_labels = np.empty((0, n_categories)), np.empty((0, n_annotators, n_categories))
    none = np.empty(0)
    shape = Sums(
        cells, none, none, np.empty((0, cells.size)), np.empty((0, cells.size)), nothing, nothing,
        of_labels, of_labels, none, none,
    )  # fmt: skip
    return SparseSums(
        coo_array((values, (rows, columns)), shape=(n_rows, int(starts[-1]))).tocsr(),
        shape,
        n_paired=(n_labels >= 2).astype(np.float64),
        n_labelled=(n_labels >= 1).astype(np.float64),
    )


def dense_rows(rows: Any) -> Floats:
    """Return some of the flat rows as a dense array."""
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows)
