"""Convert label codes to the integers of `counts.AgreementCounts`, with NumPy or compiled code.

Shapes: N items, A annotators, D groups of items (documents, or 1), K categories, S sizes.
"""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from ..arrays import Ints, Ints32

PRODUCT_UP_TO = 64  # categories; with more, most pairs of categories occur on no item
KERNEL_FROM = 20_000  # items; below, NumPy finishes before a compiled kernel is loaded
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
"""Counts that every matrix has; see `AgreementCounts`."""


def count_codes(
    codes: Ints32, group: Ints, n_groups: int, n_categories: int
) -> tuple[Ints, dict[str, Ints]]:
    """Return the numbers of labels per item (S,) and the counts in ARRAYS, groups first.

    codes  (N, A): categories, -1 for no label
    group  (N,): group number of each item
    """
    if codes.shape[0] >= KERNEL_FROM:
        return _count_with_kernel(codes, group, n_groups, n_categories)
    return _count_with_numpy(codes, group, n_groups, n_categories)


def _count_with_kernel(
    codes: Ints32, group: Ints, n_groups: int, n_categories: int
) -> tuple[Ints, dict[str, Ints]]:
    from .kernels import count_pairs

    n_annotators = codes.shape[1]
    # One document: start with a row for every size, which is faster than finding the sizes in use.
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
    codes: Ints32, group: Ints, n_groups: int, n_categories: int
) -> tuple[Ints, dict[str, Ints]]:
    n_annotators = codes.shape[1]
    present = codes >= 0
    n_labels = present.sum(axis=1)
    sizes = np.unique(n_labels[n_labels > 0]).astype(np.int64)
    n_sizes, n_k = sizes.shape[0], n_categories
    rows, columns = np.nonzero(present)
    values = codes[rows, columns].astype(np.int64)
    block = group * max(1, n_sizes) + np.searchsorted(sizes, n_labels)
    n_blocks = n_groups * n_sizes
    items = np.bincount(block[n_labels > 0], minlength=n_blocks)
    labels = np.bincount(block[rows] * n_k + values, minlength=n_blocks * n_k)
    if n_k <= PRODUCT_UP_TO:
        pairs = _pairs_by_products(codes, block, n_blocks, n_k)
    else:
        pairs = _pairs_one_by_one(codes, block, n_blocks, n_k)
    marginals = np.bincount(
        (group[rows] * n_annotators + columns) * n_k + values,
        minlength=n_groups * n_annotators * n_k,
    ).reshape(n_groups, n_annotators, n_k)
    full = (n_labels == n_annotators) & (n_labels > 0)
    complete = np.bincount(
        ((group[full, None] * n_annotators + np.arange(n_annotators)) * n_k + codes[full]).ravel(),
        minlength=n_groups * n_annotators * n_k,
    ).reshape(n_groups, n_annotators, n_k)
    unanimous = full & (codes == codes[:, :1]).all(axis=1)
    return sizes, {
        "items": items.reshape(n_groups, n_sizes),
        "labels": labels.reshape(n_groups, n_sizes, n_k),
        "pairs": pairs.reshape(n_groups, n_sizes, n_k, n_k),
        "marginals": marginals,
        "complete": complete,
        "n_complete": np.bincount(group[full], minlength=n_groups),
        "n_unanimous": np.bincount(group[unanimous], minlength=n_groups),
        "n_empty": np.bincount(group[n_labels == 0], minlength=n_groups),
    }


def _pairs_by_products(codes: Ints32, block: Ints, n_blocks: int, n_categories: int) -> Ints:
    """Ordered pairs of labels of each block's items, (blocks, K, K), as table' · table."""
    rows, columns = np.nonzero(codes >= 0)
    cells = rows * n_categories + codes[rows, columns]
    table = np.bincount(cells, minlength=codes.shape[0] * n_categories)
    table = table.reshape(codes.shape[0], n_categories)
    pairs = np.zeros((n_blocks, n_categories, n_categories), dtype=np.int64)
    labelled = np.flatnonzero(table.any(axis=1))
    labelled = labelled[np.argsort(block[labelled], kind="stable")]
    bounds = [*np.flatnonzero(np.diff(block[labelled], prepend=-1)).tolist(), labelled.size]
    for start, end in pairwise(bounds):
        some = table[labelled[start:end]]
        pairs[block[labelled[start]]] = some.T @ some - np.diag(some.sum(axis=0))
    return pairs


def _pairs_one_by_one(codes: Ints32, block: Ints, n_blocks: int, n_categories: int) -> Ints:
    """Return the same by pairs of annotators, which is cheaper than K² products for few labels."""
    pairs = np.zeros(n_blocks * n_categories**2, dtype=np.int64)
    for a, b in combinations(range(codes.shape[1]), 2):
        both = np.flatnonzero((codes[:, a] >= 0) & (codes[:, b] >= 0))
        first, second = codes[both, a].astype(np.int64), codes[both, b].astype(np.int64)
        for c, k in ((first, second), (second, first)):
            cells, n = np.unique(
                (block[both] * n_categories + c) * n_categories + k, return_counts=True
            )
            pairs[cells] += n
    return pairs.reshape(n_blocks, n_categories, n_categories)


def confusions_of(codes: Ints32, group: Ints, n_groups: int, n_categories: int) -> Ints:
    """Items of each group labelled c by a and k by b, int64 (D, A, A, K, K); 0 for a = b."""
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
