"""Disorders of many documents, observed or virtual, as counts that add.

One row per document: (total, weight), the sum of its unitary disorders and what divides it:

| objective | weight | disorder of a document |
|---|---|---|
| sum, soft | mean number of units per annotator (2015) | total / weight |
| mean | number of unitary alignments (2011) | total / weight |

The disorder of several documents together is Σ total / Σ weight, never a mean of disorders.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from metrics.alignment.best_alignment import Alignment, Objective, best_alignment
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity
from metrics.chance.corpus import Draw, as_continuum


def alignment_counts(alignment: Alignment, objective: Objective) -> tuple[float, float]:
    """(total, weight) of one alignment; see the module's table."""
    weight = alignment.disorders.shape[0] if objective == "mean" else alignment.mean_units
    return alignment.total, float(weight)


def align_all(
    continua: Iterable[Continuum],
    dissimilarity: Dissimilarity,
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> list[Alignment]:
    """The best alignment of each continuum; `time_limit` in seconds for each of them."""
    return [
        best_alignment(c, dissimilarity, objective=objective, time_limit=time_limit)
        for c in continua
    ]


def draw_disorders(
    draws: Iterable[Draw],
    tagset: tuple[str, ...],
    dissimilarity: Dissimilarity,
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
) -> NDArray[np.float64]:
    """(total, weight) of the best alignment of each virtual document; float64 (count, 2)."""
    continua = (as_continuum(draw, tagset) for draw in draws)
    alignments = align_all(continua, dissimilarity, objective=objective, time_limit=time_limit)
    counts = [alignment_counts(alignment, objective) for alignment in alignments]
    return np.array(counts, dtype=np.float64).reshape(-1, 2)
