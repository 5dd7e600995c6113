"""Kernels: how many items change their label, for each subset of annotators in turn.

One byte per category and row holds the counts. Moving to the next subset adds one annotator and
removes one, 32 rows at a time on a machine with AVX2. Rows are defined in `votes`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats, Ints, Ints32
from ...compiling import njit
from .revolving_door import next_subset, subset_at_rank

UNITS = 60  # an item in sixtieths, so that shares of ties of up to 6 categories are integers
RULES = {"random": 0, "abstain": 1, "nearest_mean": 2}
_MOST_TIED = 6


@njit(cache=True, nogil=True)
def _replace_annotator(
    counts: NDArray[np.uint8], enters: NDArray[np.uint8], leaves: NDArray[np.uint8],
    top: NDArray[np.uint8], tied: NDArray[np.uint8],
) -> None:  # fmt: skip
    """counts += enters - leaves; top = largest count, tied = number of categories with it."""
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
    weights: Ints32,
) -> float:  # fmt: skip
    """Σ weight · P(changed) with random ties: (z - 1)/z for z ≤ 6, an integer in sixtieths."""
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
    weights: Ints32,
) -> tuple[np.int64, np.int64]:  # fmt: skip
    """Σ weight of rows that change, and of tied rows, where an abstaining subset has no label."""
    changed, without = np.int64(0), np.int64(0)
    for i in range(top.shape[0]):
        alone = tied[i] == 1
        changed += np.int64(weights[i]) if alone and reference[i] != top[i] else np.int64(0)
        without += np.int64(0) if alone else np.int64(weights[i])
    return changed, without


@njit(cache=True, nogil=True)
def _changed_outright(
    reference: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: Ints32, open_: NDArray[np.uint8],
) -> np.int64:  # fmt: skip
    """Σ weight of rows won by other categories; `open_` marks rows where the reference is tied."""
    total = np.int64(0)
    for i in range(top.shape[0]):
        lost = reference[i] != top[i]
        total += np.int64(weights[i]) if lost else np.int64(0)
        open_[i] = np.uint8(0) if lost or tied[i] == 1 or top[i] == 0 else np.uint8(1)
    return total


@njit(cache=True, nogil=True)
def _changed_with_mean_tie_rule(
    counts: NDArray[np.uint8], top: NDArray[np.uint8], weights: Ints32, values: Floats,
    open_: NDArray[np.uint8], slack: float,
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
def _changed_by_random_ties(
    tied: NDArray[np.uint8], weights: Ints32, open_: NDArray[np.uint8]
) -> float:
    """Σ weight · P(changed) over the open rows, for random ties of any number of categories."""
    total = 0.0
    for i in range(tied.shape[0]):
        if open_[i] == 1:
            total += weights[i] * (tied[i] - 1) / tied[i]
    return total


@njit(cache=True, nogil=True)
def _weight_of_empty_rows(top: NDArray[np.uint8], weights: Ints32) -> np.int64:
    total = np.int64(0)
    for i in range(top.shape[0]):
        total += np.int64(weights[i]) if top[i] == 0 else np.int64(0)
    return total


@njit(cache=True, nogil=True)
def _score_subset(
    counts: NDArray[np.uint8], top: NDArray[np.uint8], tied: NDArray[np.uint8],
    weights: Ints32, values: Floats, open_: NDArray[np.uint8], rule: int,
    slack: float, missing: bool,
) -> tuple[float, float]:  # fmt: skip
    """Return modified items, and items not compared, of the subset with these counts."""
    if rule == 1:
        changed, without = _changed_without_ties(counts[0], top, tied, weights)
        return changed / UNITS, without / UNITS
    excluded = _weight_of_empty_rows(top, weights) / UNITS if missing else 0.0
    if rule == 0 and counts.shape[0] <= _MOST_TIED:
        modified = _changed_by_lot(counts[0], top, tied, weights)
        if missing:  # an empty row was counted as a tie of all its categories
            modified -= excluded * UNITS * (counts.shape[0] - 1) / counts.shape[0]
    else:
        modified = float(_changed_outright(counts[0], top, tied, weights, open_))
        if rule == 2:
            modified += _changed_with_mean_tie_rule(counts, top, weights, values, open_, slack)
        else:
            modified += _changed_by_random_ties(tied, weights, open_)
    return modified / UNITS, excluded


@njit(cache=True, nogil=True)
def count_changes_in_order(
    given: NDArray[np.uint8], weights: Ints32, values: Floats,
    rule: int, slack: float, missing: bool, scratch: NDArray[np.uint8],
    members: Ints, first: int,
    modified: Floats, excluded: Floats,
) -> None:  # fmt: skip
    n_used = given.shape[1]
    counts, none, votes = scratch[:n_used], scratch[n_used : 2 * n_used], scratch[2 * n_used :]
    subset_at_rank(first, given.shape[0], members)
    for m in range(members.shape[0] - 1):
        _replace_annotator(counts, given[members[m]], none, votes[0], votes[1])
    for r in range(modified.shape[0]):
        if r > 0:
            step = next_subset(members)
            _replace_annotator(counts, given[step & 255], given[step >> 8], votes[0], votes[1])
        modified[r], excluded[r] = _score_subset(
            counts, votes[0], votes[1], weights, values, votes[2], rule, slack, missing
        )


@njit(cache=True, nogil=True)
def count_vote_changes_of_subsets(
    given: NDArray[np.uint8], weights: Ints32, values: Floats,
    rule: int, slack: float, missing: bool, scratch: NDArray[np.uint8],
    subsets: Ints, modified: Floats, excluded: Floats,
) -> None:  # fmt: skip
    """Write the rates of modified and of excluded items of each listed subset (R, k)."""
    n_used = given.shape[1]
    counts, none, votes = scratch[:n_used], scratch[n_used : 2 * n_used], scratch[2 * n_used :]
    for r in range(modified.shape[0]):
        for c in range(counts.shape[0]):
            for i in range(counts.shape[1]):
                counts[c, i] = 0
        for m in range(subsets.shape[1]):
            _replace_annotator(counts, given[subsets[r, m]], none, votes[0], votes[1])
        modified[r], excluded[r] = _score_subset(
            counts, votes[0], votes[1], weights, values, votes[2], rule, slack, missing
        )
