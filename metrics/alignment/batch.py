"""Disorders of many continua in one call: chance samples and corpora."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.best_alignment import Objective, best_alignment
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity


@dataclass(frozen=True, slots=True)
class BatchDisorders:
    """What the best alignments of D continua add up to; sums add across continua.

    totals     float64 (D,): sum of unitary disorders of the best alignment
    n_units    int64 (D,): units
    n_unitary  int64 (D,): unitary alignments
    gaps       float64 (D,): proven relative gap, 0 where the alignment is optimal
    """

    totals: NDArray[np.float64]
    n_units: NDArray[np.int64]
    n_unitary: NDArray[np.int64]
    gaps: NDArray[np.float64]

    @property
    def optimal(self) -> NDArray[np.bool_]:
        """bool (D,): whether each alignment is proven to be the best."""
        return self.gaps == 0.0


def batch_disorders(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    categories: NDArray[np.int32],
    owners: NDArray[np.int32],
    offsets: NDArray[np.int64],
    n_annotators: int,
    dissimilarity: Dissimilarity,
    *,
    n_categories: int,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> BatchDisorders:
    """Disorders of D continua given as flat arrays; continuum i is `offsets[i]:offsets[i + 1]`.

    starts, ends, categories, owners  as in `Continuum`, (offsets[-1],)
    offsets      int64 (D + 1,), from 0, not decreasing
    n_categories K, the size of the tagset that `categories` index
    time_limit   seconds for each continuum
    A `pair_function` is not taken here (it needs a `Continuum`): use `best_alignment`.
    """
    n_documents = len(offsets) - 1
    totals = np.zeros(n_documents)
    n_unitary = np.zeros(n_documents, dtype=np.int64)
    gaps = np.zeros(n_documents)
    names = tuple(str(a) for a in range(n_annotators))
    tagset = tuple(str(k) for k in range(n_categories))
    for i in range(n_documents):
        part = slice(offsets[i], offsets[i + 1])
        continuum = Continuum(
            starts[part], ends[part], categories[part], owners[part], names, tagset
        )
        best = best_alignment(continuum, dissimilarity, objective=objective, time_limit=time_limit)
        totals[i], n_unitary[i], gaps[i] = best.total, len(best.disorders), best.gap
    return BatchDisorders(totals, np.diff(offsets), n_unitary, gaps)
