"""A system's units aligned with a reference's, document by document."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...metrics.alignment.best_alignment import Alignment, best_alignment
from ...metrics.alignment.continuum import Continuum
from ...metrics.alignment.dissimilarity import Dissimilarity
from ...metrics.scoring.units import Units


def alignments_of_two(
    reference: Units,
    system: Units,
    n_documents: int,
    tagset: Sequence[str],
    dissimilarity: Dissimilarity,
) -> list[Alignment]:
    """The best alignment of the two in each of `n_documents` documents."""
    columns = [
        np.concatenate(pair) for pair in zip(reference.arrays(), system.arrays(), strict=True)
    ]
    owners = np.repeat([0, 1], [len(reference), len(system)]).astype(np.int32)
    order = np.argsort(columns[0], kind="stable")
    bounds = np.searchsorted(columns[0][order], np.arange(n_documents + 1))
    found = []
    for first, last in pairwise(bounds.tolist()):
        chosen = order[first:last]
        continuum = Continuum(
            columns[1][chosen].astype(np.float64),
            columns[2][chosen].astype(np.float64),
            columns[3][chosen].astype(np.int32),
            owners[chosen],
            ("reference", "system"),
            tuple(tagset),
        )
        found.append(best_alignment(continuum, dissimilarity))
    return found
