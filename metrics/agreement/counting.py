"""Codes of labels to the integer counts of `counts.AgreementCounts`, by NumPy or compiled.

Shapes: N items, A annotators, D groups of items (documents, or 1), K categories, S sizes.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

KERNEL_FROM = 20_000  # items; below, NumPy alone answers sooner than a compiled kernel loads
ARRAYS = (
    "items",
    "labels",
    "pairs",
    "marginals",
    "complete",
    "n_complete",
    "n_unanimous",
    "n_empty",
)
"""The counts that every matrix has, as `AgreementCounts` documents them."""


def count_codes(
    codes: NDArray[np.int32], group: Ints, n_groups: int, n_categories: int
) -> tuple[Ints, dict[str, Ints]]:
    """Sizes (S,) that items have, and the counts of ARRAYS, each with the groups first.

    codes (N, A): categories, -1 for no label; group (N,): number of each item's group.
    """
    if codes.shape[0] >= KERNEL_FROM:
        return _count_with_kernel(codes, group, n_groups, n_categories)
    return _count_with_numpy(codes, group, n_groups, n_categories)


def _count_with_kernel(
    codes: NDArray[np.int32], group: Ints, n_groups: int, n_categories: int
) -> tuple[Ints, dict[str, Ints]]:
    from metrics.agreement.kernels import count_pairs

    n_annotators = codes.shape[1]
    # One document: a row for every size at first, sooner than finding out which ones there are.
    sizes = np.arange(1, n_annotators + 1)
    if n_groups > 1:
        sizes = np.flatnonzero(np.bincount((codes >= 0).sum(axis=1)))
        sizes = sizes[sizes > 0]
    position = np.zeros(n_annotators + 1, dtype=np.int64)
    position[sizes] = np.arange(sizes.shape[0])
    counted = count_pairs(
        np.ascontiguousarray(codes),
        group.astype(np.int64),
        position,
        n_groups,
        sizes.shape[0],
        n_categories,
    )
    arrays = dict(zip(ARRAYS, counted, strict=True))
    arrays["pairs"] += np.tril(arrays["pairs"], -1).swapaxes(-1, -2)
    seen = arrays["items"].any(axis=0)
    for name in ("items", "labels", "pairs"):
        arrays[name] = arrays[name][:, seen]
    return sizes[seen], arrays


def _count_with_numpy(
    codes: NDArray[np.int32], group: Ints, n_groups: int, n_categories: int
) -> tuple[Ints, dict[str, Ints]]:
    n_items, n_annotators = codes.shape
    present = codes >= 0
    n_labels = present.sum(axis=1)
    sizes = np.unique(n_labels[n_labels > 0]).astype(np.int64)
    n_sizes, n_k = sizes.shape[0], n_categories
    rows, columns = np.nonzero(present)
    values = codes[rows, columns].astype(np.int64)
    table = np.bincount(rows * n_k + values, minlength=n_items * n_k).reshape(n_items, n_k)
    size_of = np.searchsorted(sizes, n_labels)
    items = np.zeros((n_groups, n_sizes), dtype=np.int64)
    pairs = np.zeros((n_groups, n_sizes, n_k, n_k), dtype=np.int64)
    labels = np.zeros((n_groups, n_sizes, n_k), dtype=np.int64)
    labelled = np.nonzero(n_labels > 0)[0]
    block = group[labelled] * max(1, n_sizes) + size_of[labelled]
    order = np.argsort(block, kind="stable")
    block, labelled = block[order], labelled[order]
    bounds = [*np.nonzero(np.diff(block, prepend=-1))[0].tolist(), block.shape[0]]
    for start, end in pairwise(bounds):
        g, s = divmod(int(block[start]), n_sizes)
        some = table[labelled[start:end]]
        items[g, s] = end - start
        labels[g, s] = some.sum(axis=0)
        pairs[g, s] = some.T @ some - np.diag(labels[g, s])
    marginals = np.bincount(
        (group[rows] * n_annotators + columns) * n_k + values,
        minlength=n_groups * n_annotators * n_k,
    ).reshape(n_groups, n_annotators, n_k)
    full = (n_labels == n_annotators) & (n_labels > 0)
    complete = np.bincount(
        ((group[full, None] * n_annotators + np.arange(n_annotators)) * n_k + codes[full]).ravel(),
        minlength=n_groups * n_annotators * n_k,
    ).reshape(n_groups, n_annotators, n_k)
    unanimous = full & (table.max(axis=1, initial=0) == n_labels)
    return sizes, {
        "items": items,
        "labels": labels,
        "pairs": pairs,
        "marginals": marginals,
        "complete": complete,
        "n_complete": np.bincount(group[full], minlength=n_groups),
        "n_unanimous": np.bincount(group[unanimous], minlength=n_groups),
        "n_empty": np.bincount(group[n_labels == 0], minlength=n_groups),
    }


def confusions_of(codes: NDArray[np.int32], group: Ints, n_groups: int, n_categories: int) -> Ints:
    """int64 (D, A, A, K, K): items of each group that a called c and b called k; 0 for a = b."""
    n_annotators = codes.shape[1]
    shape = (n_annotators, n_annotators, n_groups, n_categories, n_categories)
    out = np.zeros(shape, dtype=np.int64)
    for a in range(n_annotators):
        for b in range(a + 1, n_annotators):
            both = (codes[:, a] >= 0) & (codes[:, b] >= 0)
            cell = (group[both] * n_categories + codes[both, a]) * n_categories + codes[both, b]
            table = np.bincount(cell, minlength=n_groups * n_categories**2)
            out[a, b] = table.reshape(n_groups, n_categories, n_categories)
            out[b, a] = out[a, b].swapaxes(1, 2)
    return np.ascontiguousarray(out.transpose(2, 0, 1, 3, 4))
