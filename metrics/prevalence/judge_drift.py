"""Whether a system errs alike in all parts of a corpus, such as batches or periods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import Floats, Ints
from ..row_order import places, row_order

N_PERMUTATIONS = 999


def judge_drift_p_value(
    system: Ints,
    human: Ints,
    part: Ints,
    *,
    documents: Ints | None = None,
    seed: int = 0,
) -> float:
    """Test whether the humans' labels of each label of a system are the same in all parts.

    system      int (n,): label of the system for each audited item, -1 without
    human      int (n,): label of the humans
    part       int (n,): batch or period of the item
    documents  int (n,): its document, if whole documents were drawn and each is in one part

    The statistic is the sum, over the labels of the system, of Pearson's χ² of parts and human
    labels; 999 permutations of the parts of items with the same label of the system, or of the
    parts of documents, give its distribution. Returns p in [0.001, 1].
    """
    counts = _in_draw_order(_counts(system, human, part))
    rng = np.random.default_rng(seed)
    if documents is None:
        permuted = _tables_with_margins(counts, rng)
    else:
        permuted = _tables_of_documents(system, human, part, documents, rng)
    observed = float(_chi_square(counts))
    reached = sum(int((_chi_square(one) >= observed * (1 - 1e-12)).sum()) for one in permuted)
    return (1 + reached) / (1 + N_PERMUTATIONS)


def _counts(given: Ints, human: Ints, part: Ints) -> Ints:
    """(J, G, K): items by label of the system, part and label of the humans."""
    sides = [np.unique(one, return_inverse=True)[1] for one in (given, part, human)]
    shape = [int(one.max(initial=-1)) + 1 for one in sides]
    counts = np.bincount(np.ravel_multi_index(sides, shape), minlength=int(np.prod(shape)))
    return counts.reshape(shape)


def _in_draw_order(counts: Ints) -> Ints:
    """Return the table (J, G, K) with labels and parts in an order found from the numbers."""
    axes = (np.moveaxis(counts, k, 0).reshape(n, -1) for k, n in enumerate(counts.shape))
    orders = [row_order(np.ones(len(rows), dtype=np.int64), rows) for rows in axes]
    return counts[np.ix_(*orders)]


def _chi_square(counts: Ints) -> Floats:
    """(...): Pearson's χ² of tables (..., J, G, K), each summed over the J labels."""
    rows, columns = counts.sum(axis=-1, keepdims=True), counts.sum(axis=-2, keepdims=True)
    expected = rows * columns / np.maximum(rows.sum(axis=-2, keepdims=True), 1)
    terms = (counts - expected) ** 2 / np.where(expected > 0, expected, 1)
    return np.asarray(terms.sum(axis=(-3, -2, -1)), dtype=np.float64)


def _tables_with_margins(counts: Ints, rng: np.random.Generator) -> Iterator[Ints]:
    """Yield tables (999, J, G, K) of random parts of the items with each label of the system."""
    from scipy.stats import random_table

    found = [
        random_table(table.sum(axis=1), table.sum(axis=0)).rvs(N_PERMUTATIONS, random_state=rng)
        for table in counts
    ]
    yield np.stack(found, axis=1).astype(np.int64)


def _tables_of_documents(
    given: Ints, human: Ints, part: Ints, documents: Ints, rng: np.random.Generator
) -> Iterator[Ints]:
    """Yield tables (J, G, K) of documents in random parts."""
    _, first, home = np.unique(documents, return_index=True, return_inverse=True)
    each = np.ones(first.size, dtype=np.int64)
    tables = _counts(given, human, home).swapaxes(0, 1).reshape(first.size, -1)
    order = row_order(each, tables, _counts(each, part[first], np.arange(first.size))[0])
    for _ in range(N_PERMUTATIONS):
        yield _counts(given, human, rng.permutation(part[first][order])[places(order)][home])
