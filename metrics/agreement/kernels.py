"""Compiled kernel that counts in one pass over the labels, with integers only."""

from __future__ import annotations

import numpy as np

from ..arrays import Ints, Ints32
from ..compiling import njit


@njit(cache=True)
def count_pairs(
    codes: Ints32,
    group: Ints,
    position: Ints,
    n_groups: int,
    n_sizes: int,
    n_categories: int,
) -> tuple[Ints, Ints, Ints, Ints, Ints, Ints, Ints, Ints]:
    """Return the arrays of `AgreementCounts`, in its order.

    codes     int32 (N, A), C-contiguous
    group     int64 (N,): document of each item
    position  int64 (A + 1,): index among the sizes of each number of labels

    The cost of an item is its number of labels plus the square of its number of *distinct* labels,
    so a large tagset costs nothing. The pairs are symmetric: only c ≥ k is filled.
    """
    n_items, n_annotators = codes.shape
    items = np.zeros((n_groups, n_sizes), dtype=np.int64)
    labels = np.zeros((n_groups, n_sizes, n_categories), dtype=np.int64)
    pairs = np.zeros((n_groups, n_sizes, n_categories, n_categories), dtype=np.int64)
    marginals = np.zeros((n_groups, n_annotators, n_categories), dtype=np.int64)
    complete = np.zeros((n_groups, n_annotators, n_categories), dtype=np.int64)
    n_complete = np.zeros(n_groups, dtype=np.int64)
    n_unanimous = np.zeros(n_groups, dtype=np.int64)
    n_empty = np.zeros(n_groups, dtype=np.int64)
    given = np.zeros(n_categories, dtype=np.int64)
    distinct = np.empty(n_annotators, dtype=np.int64)
    for i in range(n_items):
        g = group[i]
        n_labels, n_distinct = 0, 0
        for a in range(n_annotators):
            k = codes[i, a]
            if k < 0:
                continue
            n_labels += 1
            marginals[g, a, k] += 1
            if given[k] == 0:
                distinct[n_distinct] = k
                n_distinct += 1
            given[k] += 1
        if n_labels == 0:
            n_empty[g] += 1
            continue
        s = position[n_labels]
        items[g, s] += 1
        for x in range(n_distinct):
            c = distinct[x]
            n_c = given[c]
            labels[g, s, c] += n_c
            pairs[g, s, c, c] += n_c * (n_c - 1)
            for y in range(x):
                k = distinct[y]
                pairs[g, s, max(c, k), min(c, k)] += n_c * given[k]
        if n_labels == n_annotators:
            n_complete[g] += 1
            if n_distinct == 1:
                n_unanimous[g] += 1
            for a in range(n_annotators):
                complete[g, a, codes[i, a]] += 1
        for x in range(n_distinct):
            given[distinct[x]] = 0
    return items, labels, pairs, marginals, complete, n_complete, n_unanimous, n_empty
