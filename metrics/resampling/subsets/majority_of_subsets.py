"""Majority of the labels that a random subset of annotators gave, exactly, and sizes of subsets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...agreement.label_matrix import LabelMatrix
from ...arrays import Floats, Ints, distinct_rows
from ...errors import MetricsError
from ...options import SubsetsOf, Ties
from .majority_of_drawn_labels import majority_probabilities_by_size

_BLOCK = 2048  # distinct count vectors processed at once, to limit memory


def majority_of_subsets(
    vectors: Ints,
    *,
    n: int,
    sizes: Ints,
    ties: Ties,
    values: Floats,
    draw: SubsetsOf = "annotators",
    threads: int | None = None,
) -> tuple[Floats, Floats]:
    """Majority label of a random subset, for count vectors (G, K) and Q subset sizes.

    Returns labels float64 (G, Q, K), P(the subset's label is b), and empty float64 (G, Q), P(the
    subset has no label). 1 - Σ labels - empty is the probability of an abstention.
    """
    n_vectors, n_categories = vectors.shape
    # `random` and `abstain` do not depend on the order of the categories: sort the counts.
    order = (
        np.tile(np.arange(n_categories), (n_vectors, 1))
        if ties == "nearest_mean"
        else np.argsort(-vectors, axis=1, kind="stable")
    )
    forms, form_of, _ = distinct_rows(np.take_along_axis(vectors, order, axis=1))
    labels = np.zeros((forms.shape[0], sizes.size, n_categories))
    empty = np.ones((forms.shape[0], sizes.size))
    n_labels = forms.sum(axis=1)
    for first in range(0, forms.shape[0], _BLOCK):
        block = slice(first, first + _BLOCK)
        most = int(min(n_labels[block].max(initial=0), sizes.max(initial=0)))
        shares = majority_probabilities_by_size(
            forms[block], most=most, ties=ties, values=values, threads=threads
        )
        for m in np.unique(n_labels[block]):
            rows = np.nonzero(n_labels[block] == m)[0]
            if m == n:  # every annotator labelled it: k annotators give k labels
                labels[first + rows] = shares[rows][:, sizes]
                empty[first + rows] = 0.0
                continue
            falls = _labels_in_subset(int(m), n=n, sizes=sizes, draw=draw)[:, : most + 1]
            labels[first + rows] = falls @ shares[rows, : falls.shape[1]]
            empty[first + rows] = falls[:, 0]
    by_name = np.empty((n_vectors, sizes.size, n_categories))
    np.put_along_axis(by_name, order[:, None, :], labels[form_of], axis=2)
    return by_name, empty[form_of]


def _labels_in_subset(m: int, *, n: int, sizes: Ints, draw: SubsetsOf) -> Floats:
    """P(j of an item's m labels are in a subset of size k), float64 (Q, m + 1)."""
    if draw == "labels":
        j = np.arange(m + 1)
        return np.where(sizes[:, None] <= m, j == sizes[:, None], j == 0).astype(np.float64)
    log_factorial = np.concatenate(
        [np.zeros(1, np.longdouble), np.cumsum(np.log(np.arange(1, n + 1, dtype=np.longdouble)))]
    )
    k, j = sizes[:, None], np.arange(m + 1)[None, :]
    possible = (j <= k) & (k - j <= n - m)
    inside, outside = np.where(possible, j, 0), np.where(possible, k - j, 0)
    log_ways = (
        log_factorial[m] - log_factorial[inside] - log_factorial[m - inside]
        + log_factorial[n - m] - log_factorial[outside] - log_factorial[n - m - outside]
        - log_factorial[n] + log_factorial[k] + log_factorial[n - k]
    )  # fmt: skip
    return np.where(possible, np.exp(log_ways), 0.0).astype(np.float64)


def max_labels_per_item(matrix: LabelMatrix) -> int:
    """Largest number of labels on any item; at least 1."""
    return max(1, int(matrix.n_labels.max(initial=0)))


def check_sizes(ks: Sequence[int] | None, n: int, *, most_labels: int | None = None) -> Ints:
    """Return subset sizes int64 (Q,), by default 1..n-1 but none above `most_labels`.

    Raises MetricsError for sizes outside 1..n, or n < 2.
    """
    if n < 2:
        raise MetricsError(
            f"subset resampling needs at least two annotators; found {n}. With one annotator "
            "the reference is that annotator"
        )
    largest = n - 1 if most_labels is None else min(n - 1, most_labels)
    usual = range(1, largest + 1)
    sizes = np.asarray(usual if ks is None else ks, dtype=np.int64)
    if sizes.ndim != 1 or sizes.size == 0 or sizes.min() < 1 or sizes.max() > n:
        raise MetricsError(f"ks must be subset sizes between 1 and the {n} annotators; found {ks}")
    return sizes
