"""γ-cat and γ-k: agreement on the categories of units that annotators agree to mark (Mathet 2017).

Computed on the best alignment of γ. A pair of real units (u, v) in a unitary alignment with n_v
real units has the weight

    w(u, v) = max(0, 1 - d_pos(u, v)/Δ∅) / (n_v - 1)

(two units certainly denote the same thing if they are at the same place; the divisor gives a unit
the same total weight however many others it is aligned with), and

    observed = Σ w · dist(cat u, cat v) / Σ w
    expected = Σ_ck p_c p_k dist(c, k)            with p the frequencies of categories among units
    γ-cat    = 1 - observed / expected

γ-k uses the pairs with at least one unit of category k; their expected cost is 2 Σ_c p_c dist(k, c)
/ (2 - p_k).

Over documents, the weights of pairs and the counts of units add.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import UNLABELLED_NAME, Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..bootstrap import expanded_percentile, resampled_documents
from ..chance.corpus import corpus_hash, corpus_of_continua
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..reason import Reason, ReasonCode
from ..signature import How, interval_settings
from .category_pairs import CategoryPairs, category_pairs
from .gamma_settings import dissimilarity_settings

GAMMA_CAT = How(measure="gamma_cat")


@dataclass(frozen=True, slots=True, eq=False)
class GammaCatResult:
    """γ-cat, γ-k of each category, and the counts that they were computed from."""

    gamma_cat: Estimate
    gamma_k: dict[str, Estimate]
    counts: CategoryPairs


def gamma_cat(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment | None],
    dissimilarity: Dissimilarity,
    *,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> GammaCatResult:
    """Compute γ-cat and γ-k of a corpus from the best alignments of γ, one per document.

    At most 1; `nan` with a reason if no two units are aligned, or if only one category is used.
    Intervals resample documents (at least two).
    """
    counts = category_pairs(continua, alignments, dissimilarity)
    corpus = corpus_of_continua(continua, measure="γ-cat")
    n_drawn = counts.select_compared_documents().units.shape[0]
    how = How(
        measure="gamma_cat",
        **dissimilarity_settings(dissimilarity),
        pairs="real",
        **interval_settings(n_replicates, "documents", level, n_drawn=n_drawn),
        seed=seed,
        input=corpus_hash(corpus),
    )
    return gamma_cat_of_counts(
        counts,
        dissimilarity,
        tagset=corpus.tagset,
        n_annotators=corpus.n_paired_annotators,
        n_replicates=n_replicates,
        level=level,
        seed=seed,
        how=how,
    )


def gamma_cat_of_counts(
    counts: CategoryPairs,
    dissimilarity: Dissimilarity,
    *,
    tagset: Sequence[str],
    n_annotators: int = 0,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    how: How = GAMMA_CAT,
) -> GammaCatResult:
    """Compute γ-cat and γ-k from counts added over batches of documents.

    Only documents with at least two annotators are resampled: in a campaign with few such
    documents, the many others do not make the interval narrower.

    how  the settings of γ-cat; each γ-k gets its own name and category
    """
    distances = dissimilarity.distances_with_unlabelled(len(tagset))
    drawn_from = counts.select_compared_documents()
    n_documents = drawn_from.units.shape[0]
    n_units = np.asarray(counts.units.sum(axis=0))
    weights, same, costs, units = _resampled(drawn_from, n_replicates, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = units / units.sum(axis=1, keepdims=True)

    def of_pairs(
        measure: str,
        cost: Floats,
        weight: Floats,
        expected: Floats,
        n_units: float,
        category: str,
    ) -> Estimate:
        values = _beyond_chance(cost, weight, expected)
        reason = None
        if not weight[0] > 0:
            reason = Reason(ReasonCode.NO_ALIGNED_PAIR)
        elif not expected[0] > 0:
            reason = Reason(ReasonCode.SINGLE_CATEGORY)
        return estimate(
            how.for_measure(measure, category=category if measure == "gamma_k" else None),
            float(values[0]),
            reason,
            expanded_percentile(values[1:], level, n_documents),
            observed=float(cost[0] / weight[0]) if weight[0] else math.nan,
            expected=float(expected[0]),
            level=level,
            n_items=int(n_units),
            n_annotators=n_annotators,
            detail=Detail(n_documents=n_documents, category=category, pair_weight=float(weight[0])),
        )

    chance = p @ distances
    every = of_pairs(
        "gamma_cat",
        costs.sum(axis=1),
        weights.sum(axis=1),
        (chance * p).sum(axis=1),
        n_units.sum(),
        "all",
    )
    names = [*tagset, UNLABELLED_NAME]
    shown = [k for k in range(len(names)) if k < len(tagset) or n_units[k]]
    by_category = {}
    for k in shown:
        by_category[names[k]] = of_pairs(
            "gamma_k",
            # a row has half of each mixed pair and the whole of each (k, k) pair
            2.0 * costs[:, k],
            2.0 * weights[:, k] - same[:, k],
            2.0 * chance[:, k] / (2.0 - p[:, k]),
            n_units[k],
            names[k],
        )
    return GammaCatResult(every, by_category, counts)


def gamma_cat_replicates(
    counts: CategoryPairs, dissimilarity: Dissimilarity, *, n_replicates: int, seed: int
) -> Floats:
    """Return γ-cat of the corpus and of its resamples, float64 (1 + B,); nan where undefined.

    Below two documents, only the corpus. Counts with the same number of documents are resampled
    alike under one seed, which pairs them.
    """
    distances = dissimilarity.distances_with_unlabelled(counts.units.shape[1] - 1)
    weights, _, costs, units = _resampled(counts, n_replicates, seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = units / units.sum(axis=1, keepdims=True)
    expected = ((p @ distances) * p).sum(axis=1)
    return _beyond_chance(costs.sum(axis=1), weights.sum(axis=1), expected)


def _beyond_chance(cost: Floats, weight: Floats, expected: Floats) -> Floats:
    """Return 1 - observed / expected, nan without a pair or a second category."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1.0 - cost / weight / expected, np.nan)


def _resampled(counts: CategoryPairs, n_replicates: int, seed: int) -> tuple[Floats, ...]:
    """Sums of weights, same, costs and units over the corpus (row 0) and its resamples.

    float64 (1 + B, K + 1) each. One block of resamples is in memory at a time.
    """
    columns = (counts.weights, counts.same, counts.costs, counts.units)
    n_documents = counts.units.shape[0]
    sums: list[list[Floats]] = [[] for _ in columns]
    blocks = resampled_documents(n_documents, n_replicates, seed)
    for times in chain([np.ones((1, n_documents))], blocks):
        for found, part in zip(sums, columns, strict=True):
            found.append(times @ part)
    return tuple(np.concatenate(found) for found in sums)
