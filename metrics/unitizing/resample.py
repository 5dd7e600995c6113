"""Bootstrap over documents for coefficients that are not a plain ratio of sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from metrics.estimate import NO_INTERVAL
from metrics.unitizing.settings import stream


def resampled_sums(n_documents: int, n_bootstrap: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Indices of each resample of the documents, int64 (D,); none below two documents."""
    if n_documents < 2:
        return
    rng = stream(seed, 0)
    for _ in range(n_bootstrap):
        yield rng.integers(n_documents, size=n_documents)


def percentile_interval(
    values: Sequence[float] | NDArray[np.float64], level: float
) -> tuple[float, float]:
    """The central `level` of the finite replicates; `nan` without any."""
    replicates = np.asarray(values, dtype=np.float64)
    replicates = replicates[np.isfinite(replicates)]
    if replicates.size == 0:
        return NO_INTERVAL
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    return float(low), float(high)
