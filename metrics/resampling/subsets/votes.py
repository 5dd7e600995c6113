"""Kernel: how many items change their label, for each subset of annotators in turn.

Rows are items in a form that forgets what does not matter: the reference category first, the
others in order of appearance, so that items which split the annotators alike are one row with a
weight. One byte per category and row holds the counts; going to the next subset adds one
annotator and takes one away, 32 rows at a time on a machine with AVX2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from metrics.agreement.label_matrix import LabelMatrix
from metrics.resampling.majority import EQUALLY_NEAR, Ties, majority_shares
from metrics.resampling.subsets.revolving_door import advance, unrank

UNITS = 60  # an item in sixtieths: shares of ties of up to 6 categories are whole
_MOST_TIED = 6
_LANES = 64
_RULES = {"random": 0, "abstain": 1, "nearest_mean": 2}
_MISSING = -1


@dataclass(frozen=True, slots=True)
class VoteRows:
    """What the kernels read. R rows (padded), C categories in use per row, n annotators.

    given    uint8 (n, C, R): 1 where the annotator gave the row's c-th category
    weights  int32 (R,): sixtieths of an item the row stands for, 0 for padding
    values   float64 (C, R): position of the row's c-th category (`nearest_mean` only)
    n_items  items with a reference label: Σ weights / 60
    """

    given: NDArray[np.uint8]
    weights: NDArray[np.int32]
    values: NDArray[np.float64]
    rule: int
    slack: float
    missing: bool
    n_annotators: int
    n_items: int


def vote_rows(matrix: LabelMatrix, *, ties: Ties, values: NDArray[np.float64]) -> VoteRows:
    """Rows of a campaign under a tie rule; `values` (K,) as from `category_values`."""
    reference = majority_shares(matrix.counts(), ties=ties, values=values)
    item_of, category_of = np.nonzero(reference)
    parts = np.rint(UNITS * reference[item_of, category_of]).astype(np.int64)
    codes = _reference_first(matrix.codes[item_of], category_of, keep_names=ties == "nearest_mean")
    names = np.full((codes.shape[0], 0), 0)
    if ties == "nearest_mean":  # rows must then also agree on which categories they hold
        names = category_of[:, None]
    keys, row_of = np.unique(np.hstack([codes, names]), axis=0, return_inverse=True)
    weights = np.bincount(row_of.reshape(-1), weights=parts, minlength=keys.shape[0])
    rows = keys[:, : matrix.n_annotators]
    n_used = max(int(rows.max(initial=0)) + 1, 2)
    n_padded = -(-max(rows.shape[0], 1) // _LANES) * _LANES
    given = np.zeros((matrix.n_annotators, n_used, n_padded), np.uint8)
    given[:, 0, rows.shape[0] :] = 1  # padding always agrees
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
        rule=_RULES[ties],
        slack=EQUALLY_NEAR * (float(np.ptp(values)) + 1.0),
        missing=bool((matrix.codes < 0).any()),
        n_annotators=matrix.n_annotators,
        n_items=np.unique(item_of).size,
    )


def _reference_first(
    codes: NDArray[np.int32], category_of: NDArray[np.intp], *, keep_names: bool
) -> NDArray[np.int64]:
    """Codes (R, n) with the reference category as 0, the others shifted or by appearance."""
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


def votes_in_order(
    rows: VoteRows, k: int, *, first: int, count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Modified and compared items of `count` k-subsets from rank `first`, float64 (count,) each."""
    modified, left_out = np.zeros(count), np.zeros(count)
    _walk(
        rows.given, rows.weights, rows.values, rows.rule, rows.slack, rows.missing,
        _scratch(rows), np.zeros(k + 1, np.int64), first, modified, left_out,
    )  # fmt: skip
    return modified, rows.n_items - left_out


def votes_of_subsets(
    rows: VoteRows, subsets: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Modified and compared items of listed subsets int64 (S, k), float64 (S,) each."""
    modified, left_out = np.zeros(subsets.shape[0]), np.zeros(subsets.shape[0])
    _list(
        rows.given, rows.weights, rows.values, rows.rule, rows.slack, rows.missing,
        _scratch(rows), np.ascontiguousarray(subsets, dtype=np.int64), modified, left_out,
    )  # fmt: skip
    return modified, rows.n_items - left_out


def _scratch(rows: VoteRows) -> NDArray[np.uint8]:
    """Counts (C rows), a row set of zeros (C), the largest count, its ties, the open rows."""
    _, n_used, n_rows = rows.given.shape
    return np.zeros((2 * n_used + 3, n_rows), np.uint8)


@njit(cache=True, nogil=True)
def _swap(
    counts: NDArray[np.uint8], enters: NDArray[np.uint8], leaves: NDArray[np.uint8],
    top: NDArray[np.uint8], tied: NDArray[np.uint8],
) -> None:  # fmt: skip
    """counts += enters - leaves; top = largest count, tied = how many categories have it."""
    for c in range(counts.shape[0]):
        count, into, out = counts[c], enters[c], leaves[c]
        if c == 0:
            for i in range(count.shape[0]):
                x = np.uint8(count[i] + into[i] - out[i])
                count[i] = x
                top[i] = x
                tied[i] = np.uint8(1)
        else:
            for i in range(count.shape[0]):
                x = np.uint8(count[i] + into[i] - out[i])
                count[i] = x
                above = x > top[i]
                level = x == top[i]
                tied[i] = np.uint8(1) if above else np.uint8(tied[i] + level)
                top[i] = x if above else top[i]


@njit(cache=True, nogil=True)
def _changed_by_lot(
    reference: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: NDArray[np.int32],
) -> float:  # fmt: skip
    """Σ weight · P(changed) for ties at random: (z - 1)/z of a tie of z ≤ 6, whole in sixtieths."""
    total = np.int64(0)
    for i in range(top.shape[0]):
        z = tied[i]
        part = np.uint8(0)
        part = np.uint8(30) if z == 2 else part
        part = np.uint8(40) if z == 3 else part
        part = np.uint8(45) if z == 4 else part
        part = np.uint8(48) if z == 5 else part
        part = np.uint8(50) if z == 6 else part
        part = np.uint8(60) if reference[i] != top[i] else part
        total += np.int64(part) * np.int64(weights[i])
    return total / UNITS


@njit(cache=True, nogil=True)
def _changed_without_ties(
    reference: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: NDArray[np.int32],
) -> tuple[np.int64, np.int64]:  # fmt: skip
    """Σ weight of rows that change, and of rows that tie: an abstaining subset has no label."""
    changed, without = np.int64(0), np.int64(0)
    for i in range(top.shape[0]):
        alone = tied[i] == 1
        changed += np.int64(weights[i]) if alone and reference[i] != top[i] else np.int64(0)
        without += np.int64(0) if alone else np.int64(weights[i])
    return changed, without


@njit(cache=True, nogil=True)
def _changed_outright(
    reference: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: NDArray[np.int32], open_: NDArray[np.uint8],
) -> np.int64:  # fmt: skip
    """Σ weight of rows that others win; marks in `open_` those the reference is tied on."""
    total = np.int64(0)
    for i in range(top.shape[0]):
        lost = reference[i] != top[i]
        total += np.int64(weights[i]) if lost else np.int64(0)
        open_[i] = np.uint8(0) if lost or tied[i] == 1 or top[i] == 0 else np.uint8(1)
    return total


@njit(cache=True, nogil=True)
def _changed_by_mean(
    counts: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: NDArray[np.int32], values: NDArray[np.float64], open_: NDArray[np.uint8],
    slack: float,
) -> float:  # fmt: skip
    """Σ weight · P(changed) over the open rows: the tie goes to the category nearest the mean."""
    total = 0.0
    for i in range(top.shape[0]):
        if open_[i] == 0:
            continue
        n_labels, sum_ = np.int64(0), 0.0
        for c in range(counts.shape[0]):
            n_labels += np.int64(counts[c, i])
            sum_ += values[c, i] * counts[c, i]
        mean = sum_ / n_labels
        own = abs(values[0, i] - mean)
        nearest, n_near = own, 1
        for c in range(1, counts.shape[0]):
            if counts[c, i] == top[i]:
                away = abs(values[c, i] - mean)
                nearest = min(nearest, away)
                n_near += away <= own + slack
        total += weights[i] if nearest < own - slack else weights[i] * (n_near - 1) / n_near
    return total


@njit(cache=True, nogil=True)
def _changed_by_any_lot(
    tied: NDArray[np.uint8], weights: NDArray[np.int32], open_: NDArray[np.uint8]
) -> float:
    """Σ weight · P(changed) over the open rows, for ties at random among any number."""
    total = 0.0
    for i in range(tied.shape[0]):
        if open_[i] == 1:
            total += weights[i] * (tied[i] - 1) / tied[i]
    return total


@njit(cache=True, nogil=True)
def _empty(top: NDArray[np.uint8], weights: NDArray[np.int32]) -> np.int64:
    total = np.int64(0)
    for i in range(top.shape[0]):
        total += np.int64(weights[i]) if top[i] == 0 else np.int64(0)
    return total


@njit(cache=True, nogil=True)
def _score(
    counts: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: NDArray[np.int32], values: NDArray[np.float64], open_: NDArray[np.uint8], rule: int,
    slack: float, missing: bool,
) -> tuple[float, float]:  # fmt: skip
    """Modified items, and items left out, of the subset whose counts stand there."""
    if rule == 1:
        changed, without = _changed_without_ties(counts[0], top, tied, weights)
        return changed / UNITS, without / UNITS
    left_out = _empty(top, weights) / UNITS if missing else 0.0
    if rule == 0 and counts.shape[0] <= _MOST_TIED:
        modified = _changed_by_lot(counts[0], top, tied, weights)
        if missing:  # an empty row looks like a tie of all its categories
            modified -= left_out * UNITS * (counts.shape[0] - 1) / counts.shape[0]
    else:
        modified = float(_changed_outright(counts[0], top, tied, weights, open_))
        if rule == 2:
            modified += _changed_by_mean(counts, top, tied, weights, values, open_, slack)
        else:
            modified += _changed_by_any_lot(tied, weights, open_)
    return modified / UNITS, left_out


@njit(cache=True, nogil=True)
def _walk(
    given: NDArray[np.uint8], weights: NDArray[np.int32], values: NDArray[np.float64],
    rule: int, slack: float, missing: bool, scratch: NDArray[np.uint8],
    members: NDArray[np.int64], first: int,
    modified: NDArray[np.float64], left_out: NDArray[np.float64],
) -> None:  # fmt: skip
    n_used = given.shape[1]
    counts, none, votes = scratch[:n_used], scratch[n_used : 2 * n_used], scratch[2 * n_used :]
    unrank(first, given.shape[0], members)
    for m in range(members.shape[0] - 1):
        _swap(counts, given[members[m]], none, votes[0], votes[1])
    for r in range(modified.shape[0]):
        if r > 0:
            step = advance(members)
            _swap(counts, given[step & 255], given[step >> 8], votes[0], votes[1])
        modified[r], left_out[r] = _score(
            counts, votes[0], votes[1], weights, values, votes[2], rule, slack, missing
        )


@njit(cache=True, nogil=True)
def _list(
    given: NDArray[np.uint8], weights: NDArray[np.int32], values: NDArray[np.float64],
    rule: int, slack: float, missing: bool, scratch: NDArray[np.uint8],
    subsets: NDArray[np.int64], modified: NDArray[np.float64], left_out: NDArray[np.float64],
) -> None:  # fmt: skip
    n_used = given.shape[1]
    counts, none, votes = scratch[:n_used], scratch[n_used : 2 * n_used], scratch[2 * n_used :]
    for r in range(modified.shape[0]):
        for c in range(counts.shape[0]):
            for i in range(counts.shape[1]):
                counts[c, i] = 0
        for m in range(subsets.shape[1]):
            _swap(counts, given[subsets[r, m]], none, votes[0], votes[1])
        modified[r], left_out[r] = _score(
            counts, votes[0], votes[1], weights, values, votes[2], rule, slack, missing
        )
