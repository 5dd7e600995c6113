"""Bootstrap over documents for coefficients that are not a plain ratio of sums."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def stream(seed: int, purpose: int) -> np.random.Generator:
    """A generator of its own for each purpose (bootstrap, test), apart from the samples'."""
    return np.random.Generator(
        np.random.Philox(np.random.SeedSequence(seed, spawn_key=(1 << 20, purpose)))
    )


def resampled_documents(
    n_documents: int, n_replicates: int, seed: int, *, width: int = 0
) -> Iterator[NDArray[np.float64]]:
    """How many times each document stands in each resample, in blocks float64 (rows, D).

    Blocks of at most four million numbers, so that 100,000 documents stay under 100 MB; `width` is
    the length of the caller's own rows where they are longer. Nothing below two documents.
    """
    if n_documents < 2:
        return
    rng = stream(seed, 0)
    shares = np.full(n_documents, 1.0 / n_documents)
    rows = max(1, 4_000_000 // max(n_documents, width))
    for first in range(0, n_replicates, rows):
        size = min(rows, n_replicates - first)
        yield rng.multinomial(n_documents, shares, size=size).astype(np.float64)


def resampled_sums(
    columns: NDArray[np.float64], n_replicates: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Sums of each column (D, C) over resampled rows, float64 (n_replicates, C)."""
    n_documents = columns.shape[0]
    sums = np.empty((n_replicates, columns.shape[1]))
    rows = max(1, 4_000_000 // n_documents)
    for first in range(0, n_replicates, rows):
        part = slice(first, min(first + rows, n_replicates))
        drawn = rng.integers(n_documents, size=(part.stop - first, n_documents))
        for c in range(columns.shape[1]):
            sums[part, c] = columns[:, c][drawn].sum(axis=1)
    return sums
