"""Distances between categories, proposed from how annotators confuse them, for a person to review.

The formulas of Fort et al. 2010 (section 4.2) on units. They must not be applied automatically,
because frequent confusions would turn into agreement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..agreement.observed_distances import proposed_distances
from ..alignment.continuum import UNLABELLED_NAME, Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats, divide
from ..chance.corpus import corpus_of_continua
from ..errors import MetricsError
from ..estimate import NO_INTERVAL
from ..measures import measure_of
from ..options import Sampling
from ..results import ProposedDistance
from .category_pairs import category_pairs
from .category_posterior import posterior_interval, posterior_weights, pseudo_pairs
from .gamma_settings import set_mean_length
from .observed import align_documents

Form = Literal["mean", "product"]


@dataclass(frozen=True, slots=True, eq=False)
class CategoryProposal:
    """Category distances proposed from the disagreements of the annotators.

    distances  float64 (K, K) in [0, 1], symmetric, zero diagonal; 1 without data
    pairs      float64 (K, K): weight of the aligned pairs by their categories, symmetric; mixed
               pairs count half in each order (`metrics.units.gamma_cat`)
    seen       the pairs of categories that were confused, the smallest distance first
    unseen     categories without an aligned pair, whose distances have no data
    tagset     K names; the last one is "(no category)" if there are units without a category
    """

    distances: Floats
    pairs: Floats
    seen: tuple[ProposedDistance, ...]
    unseen: tuple[str, ...]
    tagset: tuple[str, ...]


def propose_category_distances(
    continua: Sequence[Continuum],
    dissimilarity: Dissimilarity,
    *,
    form: Form = "mean",
    time_limit: float | None = None,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> CategoryProposal:
    """Propose distances between categories that annotators confuse, with intervals over documents.

    Units are aligned by position alone (beta = 0), so that the current distances do not hide the
    disagreements from which they are derived. With P(c2|c1) the share of the pairs of c1 whose
    other unit is of c2: `mean` is `((1 - P(c2|c1)) + (1 - P(c1|c2)))/2`, `product` is
    `(1 - P(c2|c1))·(1 - P(c1|c2))`. Raises MetricsError for another form, and if position is
    ignored (alpha = 0).
    """
    if form not in ("mean", "product"):
        raise MetricsError(f"the form is {form!r}; choose mean or product")
    if dissimilarity.alpha == 0:
        raise MetricsError(
            "with alpha 0 the units cannot be aligned by position, on which the proposed "
            "distances between categories are based: set alpha above 0"
        )
    corpus = corpus_of_continua(continua, measure="a proposal of category distances")
    blind = replace(set_mean_length(dissimilarity, corpus), beta=0.0, category_distances=None)
    alignments = align_documents(continua, blind, time_limit=time_limit)
    by_document = [
        category_pairs([continuum], [alignment], blind)
        for continuum, alignment in zip(continua, alignments, strict=True)
    ]
    names = [*corpus.tagset, UNLABELLED_NAME]
    without = any(counts.units[0, -1] for counts in by_document)
    size = len(names) if without else len(names) - 1
    pairs = np.zeros((size, size))
    for counts in by_document:
        pairs += counts.pairs[:size, :size]
    distances = proposed_distances(pairs)[0 if form == "mean" else 1]
    first, second = (side.tolist() for side in np.nonzero(np.triu(pairs, 1)))
    mixed = np.array([counts.pairs[first, second] for counts in by_document])
    totals = np.array([counts.weights[0, :size] for counts in by_document])
    intervals = _intervals(mixed, totals, first, second, form, Sampling(n_replicates, level, seed))
    seen = [
        ProposedDistance(
            names[c], names[k], float(distances[c, k]), interval, float(2 * pairs[c, k])
        )
        for c, k, interval in zip(first, second, intervals, strict=True)
    ]
    unseen = tuple(n for n, total in zip(names, pairs.sum(axis=1), strict=False) if total == 0)
    seen.sort(key=lambda one: (one.distance, one.first, one.second))
    return CategoryProposal(distances, pairs, tuple(seen), unseen, tuple(names[:size]))


def _intervals(
    mixed: Floats,
    totals: Floats,
    first: list[int],
    second: list[int],
    form: Form,
    sampling: Sampling,
) -> list[tuple[float, float]]:
    """Intervals of each observed pair over documents: mixed (D, S), totals (D, K)."""
    n_seen, size = len(first), totals.shape[1]
    kinds, masses = pseudo_pairs(totals.sum(axis=0), 1.0 - np.eye(size), totals)
    apart = (np.array(first)[:, None] == kinds[:, 0]) & (np.array(second)[:, None] == kinds[:, 1])
    pseudo = (np.eye(size)[kinds[:, 0]] + np.eye(size)[kinds[:, 1]]) / 2

    def values(together: Floats, alone: Floats) -> Floats:
        shares = [1.0 - divide(together, alone[:, side]) for side in (first, second)]
        return (shares[0] + shares[1]) / 2 if form == "mean" else shares[0] * shares[1]

    [found] = values(mixed.sum(axis=0, keepdims=True), totals.sum(axis=0, keepdims=True))
    blocks = [
        values(times @ mixed + pairs @ (apart.T / 2), times @ totals + pairs @ pseudo)
        for times, pairs in posterior_weights(masses, sampling, mixed, totals)
    ]
    if not blocks:
        return [NO_INTERVAL] * n_seen
    n_content = int((totals.sum(axis=1) > 0).sum())
    return [
        posterior_interval(
            draws,
            float(value),
            sampling,
            n_documents=len(mixed),
            n_content=n_content,
            within=(0.0, 1.0),
            fewest=measure_of("gamma_cat").fewest,
        ).bounds
        for value, draws in zip(found, np.concatenate(blocks).T, strict=True)
    ]
