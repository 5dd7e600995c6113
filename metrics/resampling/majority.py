"""Majority labels and their ties: the rules shared by all resampling studies.

The majority of an item is the category with the largest count. Ties are resolved by the same rule
for the reference (all annotators) and for a subset of annotators:

| rule | label of a tie |
|---|---|
| `random` | one of the tied categories at random; every figure is the expected value |
| `nearest_mean` | the tied category nearest the mean of the labels (ordered categories only) |
| `abstain` | no label |

Under `nearest_mean`, two tied categories can be equally near the mean (always, if no other category
was given): one of them is then drawn at random.

Draws for the reference and for a subset are independent: two people who break the same tie at
random may break it differently. So, with `random`, M(n) is not 0 if the reference has ties: it is
the share of the reference that is decided at random.
"""

from __future__ import annotations

from typing import get_args

import numpy as np

from ..arrays import Floats, Ints
from ..errors import MetricsError
from ..options import Ties

TIES: tuple[str, ...] = get_args(Ties)

EQUALLY_NEAR = 1e-9  # of the range of the values; tolerance, because the mean is a quotient


def check_ties(ties: str) -> None:
    """Raise MetricsError unless `ties` is a known rule."""
    if ties not in TIES:
        raise MetricsError(f"ties is {ties!r}; it must be one of {', '.join(TIES)}")


def scale_positions(
    n_categories: int, *, ties: Ties, values: Floats | None, ordered: bool
) -> Floats:
    """Return the position of each category on its scale, (K,): `values`, or the ranks 0..K-1.

    Raises MetricsError for `nearest_mean` on categories neither declared `ordered` nor given
    `values`, because the mean of unordered categories has no meaning.
    """
    check_ties(ties)
    if values is None:
        if ties == "nearest_mean" and not ordered:
            raise MetricsError(
                "ties='nearest_mean' needs ordered categories: it takes the mean of the labels. "
                "Declare the categories ordered (ordered=True), give `values`, or use ties='random'"
            )
        return np.arange(n_categories, dtype=np.float64)
    positions = np.asarray(values, dtype=np.float64)
    if positions.shape != (n_categories,) or not np.isfinite(positions).all():
        raise MetricsError(
            f"values must be {n_categories} finite numbers, one per category; "
            f"found shape {positions.shape}"
        )
    return positions


def majority_shares(counts: Ints, *, ties: Ties, values: Floats) -> Floats:
    """Return the probability that each category is the majority label, (G, K), for counts (G, K).

    A row is all 0 without a label: nothing was counted, or `abstain` met a tie.
    """
    top = counts.max(axis=1, keepdims=True)
    tied = (counts == top) & (top > 0)
    if ties == "nearest_mean":
        n_labels = np.maximum(counts.sum(axis=1, keepdims=True), 1)
        mean = (counts * values).sum(axis=1, keepdims=True) / n_labels
        away = np.where(tied, np.abs(values - mean), np.inf)
        slack = EQUALLY_NEAR * (np.ptp(values) + 1.0)
        tied &= away <= away.min(axis=1, keepdims=True) + slack
    n_tied = tied.sum(axis=1, keepdims=True)
    if ties == "abstain":
        tied &= n_tied == 1
    return tied / np.maximum(n_tied, 1)


def distinct_counts(
    counts: Ints,
) -> tuple[Ints, Ints]:
    """Return the distinct rows of counts (N, K), int64 (G, K), and each item's row number, (N,)."""
    n_categories = counts.shape[1]
    base = int(counts.max(initial=0)) + 1
    if n_categories * np.log2(base) < 63:  # one number per row sorts much faster than rows
        keys = counts @ (np.int64(base) ** np.arange(n_categories, dtype=np.int64))
        _, where, vector_of = np.unique(keys, return_index=True, return_inverse=True)
        return counts[where], vector_of.reshape(-1)
    vectors, vector_of = np.unique(counts, axis=0, return_inverse=True)
    return vectors, vector_of.reshape(-1)
