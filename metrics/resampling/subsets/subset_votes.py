"""Number of items that change their label with each subset of annotators.

Rows are items in normalised form: the reference category first, the others in order of appearance,
so that items on which the annotators split alike are one row with a weight. `vote_kernels` iterates
over the subsets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints, Ints32
from ...options import Ties
from ..majority import EQUALLY_NEAR, majority_shares
from .vote_kernels import RULES, UNITS, count_changes_in_order, count_vote_changes_of_subsets

_LANES = 64

_MISSING = -1


@dataclass(frozen=True, slots=True)
class VoteRows:
    """Input of the kernels. R rows (padded), C categories in use per row, n annotators.

    given    uint8 (n, C, R): 1 if the annotator gave the row's c-th category
    weights  int32 (R,): weight of the row in sixtieths of an item, 0 for padding
    values   float64 (C, R): position of the row's c-th category (`nearest_mean` only)
    n_items  items with a reference label: Σ weights / 60
    """

    given: NDArray[np.uint8]
    weights: Ints32
    values: Floats
    rule: int
    slack: float
    missing: bool
    n_annotators: int
    n_items: int


def vote_rows(matrix: LabelMatrix, *, ties: Ties, values: Floats) -> VoteRows:
    """Return the rows of a campaign under a tie rule; `values` (K,) as from `scale_positions`."""
    reference = majority_shares(matrix.counts(), ties=ties, values=values)
    item_of, category_of = np.nonzero(reference)
    parts = np.rint(UNITS * reference[item_of, category_of]).astype(np.int64)
    codes = _reference_first(matrix.codes[item_of], category_of, keep_names=ties == "nearest_mean")
    names = np.full((codes.shape[0], 0), 0)
    if ties == "nearest_mean":  # rows must then also have the same reference category
        names = category_of[:, None]
    keys, row_of = np.unique(np.hstack([codes, names]), axis=0, return_inverse=True)
    weights = np.bincount(row_of.reshape(-1), weights=parts, minlength=keys.shape[0])
    rows = keys[:, : matrix.n_annotators]
    n_used = max(int(rows.max(initial=0)) + 1, 2)
    n_padded = -(-max(rows.shape[0], 1) // _LANES) * _LANES
    given = np.zeros((matrix.n_annotators, n_used, n_padded), np.uint8)
    given[:, 0, rows.shape[0] :] = 1  # padding never changes
    row, annotator = np.nonzero(rows >= 0)
    given[annotator, rows[row, annotator], row] = 1
    positions = np.zeros((n_used, n_padded))
    if ties == "nearest_mean":
        for c in range(n_used):
            positions[c, : rows.shape[0]] = values[
                np.where(c == 0, keys[:, -1], np.where(c <= keys[:, -1], c - 1, c))
            ]
    padded = np.zeros(n_padded, np.int32)
    padded[: rows.shape[0]] = np.rint(weights)
    return VoteRows(
        given=given,
        weights=padded,
        values=positions,
        rule=RULES[ties],
        slack=EQUALLY_NEAR * (float(np.ptp(values)) + 1.0),
        missing=bool((matrix.codes < 0).any()),
        n_annotators=matrix.n_annotators,
        n_items=np.unique(item_of).size,
    )


def _reference_first(codes: Ints32, category_of: NDArray[np.intp], *, keep_names: bool) -> Ints:
    """Recode (R, n) with the reference category as 0, the others shifted or by appearance."""
    renamed = np.where(codes < category_of[:, None], codes + 1, codes).astype(np.int64)
    renamed[codes == category_of[:, None]] = 0
    renamed[codes < 0] = _MISSING
    if keep_names:
        return renamed
    by_appearance = np.where(renamed > 0, 0, renamed)
    named = np.zeros(codes.shape[0], np.int64)
    done = renamed <= 0
    rows = np.arange(codes.shape[0])
    while not done.all():
        first = np.argmin(done, axis=1)
        same = (renamed == renamed[rows, first][:, None]) & ~done
        named += same.any(axis=1)
        by_appearance = np.where(same, named[:, None], by_appearance)
        done |= same
    return by_appearance


def modified_items_in_order(
    rows: VoteRows, k: int, *, first: int, count: int
) -> tuple[Floats, Floats]:
    """Modified and compared items of `count` k-subsets from rank `first`, float64 (count,) each."""
    modified, excluded = np.zeros(count), np.zeros(count)
    count_changes_in_order(
        rows.given, rows.weights, rows.values, rows.rule, rows.slack, rows.missing,
        _work_arrays(rows), np.zeros(k + 1, np.int64), first, modified, excluded,
    )  # fmt: skip
    return modified, rows.n_items - excluded


def modified_items_of_subsets(rows: VoteRows, subsets: Ints) -> tuple[Floats, Floats]:
    """Modified and compared items of a list of subsets int64 (S, k), float64 (S,) each."""
    modified, excluded = np.zeros(subsets.shape[0]), np.zeros(subsets.shape[0])
    count_vote_changes_of_subsets(
        rows.given, rows.weights, rows.values, rows.rule, rows.slack, rows.missing,
        _work_arrays(rows), np.ascontiguousarray(subsets, dtype=np.int64), modified, excluded,
    )  # fmt: skip
    return modified, rows.n_items - excluded


def _work_arrays(rows: VoteRows) -> NDArray[np.uint8]:
    """Allocate counts (C rows), zeros (C), the largest count, its ties, the open rows."""
    _, n_used, n_rows = rows.given.shape
    return np.zeros((2 * n_used + 3, n_rows), np.uint8)
