"""Weighted sums that the coefficients read, from integer counts, one row per batch element.

A batch element is a campaign, a document, a distinct row of labels, or a bootstrap replicate: every
coefficient is written once, for B elements. All sums are linear in the items, so the sums of a
resample are a matrix product: weights (B, G) times the sums of G groups of items.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from math import prod

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..errors import MetricsError
from .counts import AgreementCounts
from .label_matrix import LabelMatrix

MAX_CELLS = 200_000_000  # 1.6 GB
CELLS_UP_TO = 64  # categories; with more, only the pairs that occur on an item are stored


@dataclass(frozen=True)
class Sums:
    """Sums over items, float64, B batch elements, K categories, A annotators.

    cells         int64 (P,): pairs of categories c·K + k, all or only those that occur
    n_paired      (B,): items with at least two labels
    n_labelled    (B,): items with at least one label
    observed      (B, P): Σ_i n_ic (n_ik − [c = k]) / (n_i (n_i − 1)); sums to n_paired
    coincidences  (B, P): Σ_i n_ic (n_ik − [c = k]) / (n_i − 1); sums to the paired labels
    paired        (B, K): margins of the coincidences
    shares        (B, K): Σ_i n_ik / n_i; sums to n_labelled
    marginals     (B, A, K): labels k of annotator a
    complete      (B, A, K): the same on the items that every annotator labelled
    n_complete    (B,): items that every annotator labelled
    n_unanimous   (B,): complete items on which all labels are the same
    confusions    (B, A, A, K, K) or None: items that a labelled c and b labelled k
    """

    cells: Ints
    n_paired: Floats
    n_labelled: Floats
    observed: Floats
    coincidences: Floats
    paired: Floats
    shares: Floats
    marginals: Floats
    complete: Floats
    n_complete: Floats
    n_unanimous: Floats
    confusions: Floats | None = None

    @property
    def n_categories(self) -> int:
        return self.shares.shape[1]

    @property
    def n_annotators(self) -> int:
        return self.marginals.shape[1]

    @cached_property
    def pooled(self) -> Floats:
        """Labels k of all annotators together, (B, K)."""
        return self.marginals.sum(axis=1)

    @property
    def width(self) -> int:
        """Number of sums in a batch element."""
        return sum(prod(array.shape[1:]) for array in self._arrays_by_name().values())

    def flat(self) -> Floats:
        """Return every sum of a batch element in one row, (B, F), in the order of the fields."""
        batch = self.n_paired.shape[0]
        arrays = self._arrays_by_name().values()
        return np.concatenate([a.reshape(batch, prod(a.shape[1:])) for a in arrays], axis=1)

    def like(self, rows: Floats) -> Sums:
        """Rebuild sums of the same shapes from rows (B, F) as returned by `flat`."""
        out: dict[str, Floats] = {}
        start = 0
        for name, value in self._arrays_by_name().items():
            shape = value.shape[1:]
            stop = start + int(np.prod(shape, dtype=np.int64))
            out[name] = rows[:, start:stop].reshape(rows.shape[0], *shape)
            start = stop
        return Sums(self.cells, **out)

    def resampled(self, weights: Floats) -> Sums:
        """Sums of B resamples; weights (B, G) say how often each of the G groups is drawn."""
        return self.like(weights @ self.flat())

    def total(self) -> Sums:
        """Add the sums of all batch elements (B = 1)."""
        return self.like(self.flat().sum(axis=0, keepdims=True))

    def _arrays_by_name(self) -> dict[str, Floats]:
        values = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        return {name: value for name, value in values.items() if value is not None}


def all_cells(n_categories: int) -> Ints:
    """Return every pair of categories, row by row: int64 (K²,)."""
    return np.arange(n_categories**2, dtype=np.int64)


def sums_of(counts: AgreementCounts) -> Sums:
    """Return the sums of each document of `counts` (B = D)."""
    m = counts.sizes.astype(np.float64)
    more = counts.sizes >= 2
    sizes = m[more]
    n_documents, n_categories = counts.n_documents, len(counts.tagset)
    pairs = counts.pairs[:, more].reshape(n_documents, sizes.size, n_categories**2)
    cells = all_cells(n_categories)
    if n_categories > CELLS_UP_TO:
        cells = np.flatnonzero(pairs.any(axis=(0, 1)))
        pairs = pairs[:, :, cells]
    coincidences = np.einsum("dsp,s->dp", pairs, 1 / (sizes - 1))
    return Sums(
        cells,
        n_paired=counts.items[:, more].sum(axis=1).astype(np.float64),
        n_labelled=counts.items.sum(axis=1).astype(np.float64),
        observed=np.einsum("dsp,s->dp", pairs, 1 / (sizes * (sizes - 1))),
        coincidences=coincidences,
        paired=_margins_of_coincidences(coincidences, cells, n_categories),
        shares=np.einsum("dsk,s->dk", counts.labels, 1 / m),
        marginals=counts.marginals.astype(np.float64),
        complete=counts.complete.astype(np.float64),
        n_complete=counts.n_complete.astype(np.float64),
        n_unanimous=counts.n_unanimous.astype(np.float64),
        confusions=None if counts.confusions is None else counts.confusions.astype(np.float64),
    )


def _margins_of_coincidences(coincidences: Floats, cells: Ints, n_categories: int) -> Floats:
    """Return Σ_k of the coincidences (B, P), whose cells are sorted: (B, K)."""
    if cells.size == n_categories**2:
        table = coincidences.reshape(coincidences.shape[0], n_categories, n_categories)
        return np.asarray(table.sum(axis=2))
    used, first = np.unique(cells // n_categories, return_index=True)
    out = np.zeros((coincidences.shape[0], n_categories))
    if cells.size:
        out[:, used] = np.add.reduceat(coincidences, first, axis=1)
    return out


def sums_of_rows(codes: Ints32, n_categories: int, *, confusions: bool = False) -> Sums:
    """Return the sums of each row of labels (B = N), for codes (N, A)."""
    n_rows, n_annotators = codes.shape
    if confusions and n_rows * (n_annotators * n_categories) ** 2 > MAX_CELLS:
        raise MetricsError(
            f"the tables of all pairs of {n_annotators} annotators on {n_rows} items do not fit "
            "in memory: use conger_kappa instead of hubert_kappa"
        )
    given = codes >= 0
    one_hot = np.zeros((n_rows, n_annotators, n_categories))
    rows, columns = np.nonzero(given)
    one_hot[rows, columns, codes[rows, columns]] = 1.0
    table = one_hot.sum(axis=1)
    n_labels = table.sum(axis=1)
    cells, pairs = _pairs_of_rows(codes, table)
    full = (n_labels == n_annotators) & (n_labels > 0)
    coincidences = pairs / np.maximum(n_labels - 1, 1.0)[:, None]
    return Sums(
        cells,
        n_paired=(n_labels >= 2).astype(np.float64),
        n_labelled=(n_labels >= 1).astype(np.float64),
        observed=coincidences / np.maximum(n_labels, 1.0)[:, None],
        coincidences=coincidences,
        paired=_margins_of_coincidences(coincidences, cells, n_categories),
        shares=table / np.maximum(n_labels, 1.0)[:, None],
        marginals=one_hot,
        complete=one_hot * full[:, None, None],
        n_complete=full.astype(np.float64),
        n_unanimous=(full & (table.max(axis=1, initial=0.0) == n_labels)).astype(np.float64),
        confusions=_row_confusions(one_hot) if confusions else None,
    )


def _pairs_of_rows(codes: Ints32, table: Floats) -> tuple[Ints, Floats]:
    """Return the cells (P,) and the number of ordered pairs of labels per row and cell, (N, P)."""
    n_rows, n_categories = table.shape
    if n_categories <= CELLS_UP_TO:
        pairs = table[:, :, None] * table[:, None, :]
        diagonal = np.arange(n_categories)
        pairs[:, diagonal, diagonal] -= table
        return all_cells(n_categories), pairs.reshape(n_rows, n_categories**2)
    cells, row, place = cells_of_rows(codes, n_categories)
    flat = np.bincount(row * cells.size + place, minlength=n_rows * cells.size)
    return cells, flat.reshape(n_rows, cells.size).astype(np.float64)


def cells_of_rows(codes: Ints32, n_categories: int) -> tuple[Ints, Ints, Ints]:
    """Return the cells in use (P,), and the row and cell of each ordered pair of labels."""
    first, second = codes[:, :, None].astype(np.int64), codes[:, None, :].astype(np.int64)
    both = (first >= 0) & (second >= 0) & ~np.eye(codes.shape[1], dtype=bool)
    row = np.nonzero(both)[0]
    cells, place = np.unique((first * n_categories + second)[both], return_inverse=True)
    return cells, row, place.reshape(-1)


def _row_confusions(one_hot: Floats) -> Floats:
    """Return (N, A, A, K, K): the one cell that each pair of annotators fills on each item."""
    others = ~np.eye(one_hot.shape[1], dtype=bool)[..., None, None]
    return np.asarray(np.einsum("nac,nbk->nabck", one_hot, one_hot) * others)


def distinct_rows(matrix: LabelMatrix) -> tuple[Ints32, Ints]:
    """Return the distinct rows of labels, int32 (G, A), and each item's row number, int64 (N,)."""
    codes = matrix.codes
    base = len(matrix.tagset) + 1
    if codes.shape[1] * np.log2(base) < 62:
        keys = (codes.astype(np.int64) + 1) @ (base ** np.arange(codes.shape[1], dtype=np.int64))
        _, first, row_of = np.unique(keys, return_index=True, return_inverse=True)
        return codes[first], row_of
    rows, row_of = np.unique(codes, axis=0, return_inverse=True)
    return rows, row_of.reshape(-1)
