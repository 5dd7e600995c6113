"""Disorders of many documents, observed or virtual, as counts that add.

Each document is one row (total, weight): the sum of its unitary disorders and the divisor.

| objective | weight | disorder of a document |
|---|---|---|
| sum, soft | mean number of units per annotator (2015) | total / weight |
| mean | number of unitary alignments (2011) | total / weight |

The disorder of several documents is Σ total / Σ weight, never a mean of disorders.
"""

from __future__ import annotations

import numpy as np

from ..alignment.batch import batch_disorders
from ..alignment.best_alignment import Alignment, best_alignment
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..measure import Objective
from .virtual_documents import VirtualDocuments, as_continuum


def alignment_counts(alignment: Alignment, objective: Objective) -> tuple[float, float, float]:
    """Return (total, weight, gap) of one alignment; see the table of the module."""
    weight = alignment.disorders.shape[0] if objective == "mean" else alignment.mean_units
    return alignment.total, float(weight), 0.0 if alignment.optimal else alignment.gap


def disorders_of_draws(
    draws: VirtualDocuments,
    tagset: tuple[str, ...],
    dissimilarity: Dissimilarity,
    *,
    objective: Objective = "sum",
    time_limit: float | None = None,
    threads: int = 1,
) -> Floats:
    """Return (total, weight, gap) of the best alignment of each document; float64 (count, 3).

    threads     number of threads for the alignment
    time_limit  in seconds for each document

    `gap` is the proven relative gap, 0 for an optimal alignment.
    """
    if dissimilarity.pair_function is not None:  # it takes one Continuum at a time
        rows = [
            alignment_counts(
                best_alignment(
                    as_continuum(draw, tagset),
                    dissimilarity,
                    objective=objective,
                    time_limit=time_limit,
                ),
                objective,
            )
            for draw in draws
        ]
        return np.array(rows, dtype=np.float64)
    counts = batch_disorders(
        draws.starts,
        draws.ends,
        draws.categories,
        draws.owners,
        draws.offsets,
        draws.n_annotators,
        dissimilarity,
        n_categories=len(tagset),
        objective=objective,
        time_limit=time_limit,
        threads=threads,
    )
    weights = counts.n_unitary if objective == "mean" else counts.n_units / draws.n_annotators
    return np.column_stack([counts.totals, weights.astype(np.float64), counts.gaps])
