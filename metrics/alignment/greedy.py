"""The greedy alignment of Mathet & Widlöcher 2011, Algorithm 1."""

from __future__ import annotations

import numpy as np

from metrics.alignment.best_alignment import Alignment, _alignment, _candidates
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity, pair_costs


def greedy_alignment(
    continuum: Continuum, dissimilarity: Dissimilarity = Dissimilarity()
) -> Alignment:
    """Take unitary alignments by increasing disorder, dropping those that share a unit.

    The approximation that the 2011 paper used for its mean objective; `optimal` is False and
    `gap` is `nan`: compare with `best_alignment(..., objective="mean")`.
    """
    n = continuum.n_annotators
    index = np.arange(continuum.n_units)
    weights = pair_costs(continuum, index[:, None], index[None, :], dissimilarity)
    weights = weights / dissimilarity.delta_empty - 1.0
    tuples = _candidates(continuum, weights, n * (n - 1) / 2.0)
    cost = [sum(weights[a, b] for i, a in enumerate(t) for b in t[:i]) for t in tuples]
    taken: set[int] = set()
    chosen = []
    for _, members in sorted(zip(cost, tuples, strict=True)):
        if taken.isdisjoint(members):
            chosen.append(members)
            taken.update(members)
    units = np.full((len(chosen), n), -1, dtype=np.int32)
    for row, members in enumerate(chosen):
        units[row, continuum.owners[list(members)]] = members
    found = _alignment(continuum, dissimilarity, units, 0.0)
    return Alignment(
        found.units, found.disorders, found.total, found.mean_units, optimal=False, gap=float("nan")
    )
