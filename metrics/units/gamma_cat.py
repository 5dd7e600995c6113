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

Over documents, the weights of pairs and the counts of units add. Intervals are of a posterior over
documents (`metrics.units.category_posterior`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..alignment.best_alignment import Alignment
from ..alignment.continuum import UNLABELLED_NAME, Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats, Ints, divide
from ..beyond_chance import NO_DISAGREEMENT, beyond_chance
from ..bootstrap import resampled_documents
from ..chance.corpus import corpus_hash, corpus_of_continua
from ..estimate import Estimate, estimate
from ..estimate_detail import Detail
from ..options import Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .category_pairs import CategoryPairs, category_pairs
from .category_posterior import add_posterior_interval, posterior_weights, pseudo_pairs
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
    Intervals need two documents with aligned pairs.
    """
    counts = category_pairs(continua, alignments, dissimilarity)
    corpus = corpus_of_continua(continua, measure="γ-cat")
    how = How(
        measure="gamma_cat",
        **dissimilarity_settings(dissimilarity),
        pairs="real",
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

    Only documents with at least two annotators are drawn: in a campaign with few such documents,
    the many others do not make the interval narrower.

    how  the settings of γ-cat without those of its interval; each γ-k gets its own name and
         category
    """
    distances = dissimilarity.distances_with_unlabelled(len(tagset))
    sampling = Sampling(n_replicates, level, seed)
    compared = counts.select_compared_documents()
    n_documents = compared.units.shape[0]
    total = _sums(compared, np.ones((1, n_documents)))
    drawn = _posterior_sums(compared, distances, sampling)
    n_units = np.asarray(counts.units.sum(axis=0)).ravel()
    by_document = np.asarray(compared.weights.sum(axis=1)).ravel()
    n_with_pairs = np.asarray((compared.weights > 0).sum(axis=0)).ravel()
    names = [*tagset, UNLABELLED_NAME]

    def of_category(k: int | None) -> Estimate:
        """Return γ-k of a category, γ-cat of None."""
        cost, weight, expected = (float(part[0]) for part in _costs(total, distances, k))
        reason = None
        if not weight > 0:
            reason = Reason(ReasonCode.NO_ALIGNED_PAIR)
        elif not expected > NO_DISAGREEMENT:
            reason = Reason(ReasonCode.SINGLE_CATEGORY)
        name = "all" if k is None else names[k]
        value = estimate(
            how if k is None else how.for_measure("gamma_k", category=name),
            float(_values(total, distances, k)[0]),
            reason,
            observed=cost / weight if weight else math.nan,
            expected=expected,
            confidence_level=level,
            n_items=int(n_units.sum() if k is None else n_units[k]),
            n_annotators=n_annotators,
            detail=Detail(n_documents=n_documents, category=name, pair_weight=weight),
        )
        n_content = int(np.sum(by_document > 0) if k is None else n_with_pairs[k])
        return add_posterior_interval(
            value,
            _values(drawn, distances, k),
            sampling,
            n_documents=n_documents,
            n_content=n_content,
        )

    shown = [k for k in range(len(names)) if k < len(tagset) or n_units[k]]
    return GammaCatResult(of_category(None), {names[k]: of_category(k) for k in shown}, counts)


def gamma_cat_replicates(
    counts: CategoryPairs,
    dissimilarity: Dissimilarity,
    *,
    order: Ints,
    n_replicates: int,
    seed: int,
) -> Floats:
    """Return γ-cat of the corpus and of its resamples, float64 (1 + B,); nan where undefined.

    order  the documents in the order in which they are drawn; counts of the same documents in one
           order are resampled alike under one seed, which pairs them

    Below two documents, only the corpus.
    """
    distances = dissimilarity.distances_with_unlabelled(counts.units.shape[1] - 1)
    blocks = [np.ones((1, order.size)), *resampled_documents(order, n_replicates, seed)]
    return np.concatenate([_values(_sums(counts, times), distances) for times in blocks])


class _Sums(NamedTuple):
    """`CategoryPairs` summed over documents with B vectors of weights, float64 (B, K + 1) each."""

    weights: Floats
    same: Floats
    costs: Floats
    units: Floats


def _sums(counts: CategoryPairs, times: Floats) -> _Sums:
    return _Sums(
        times @ counts.weights, times @ counts.same, times @ counts.costs, times @ counts.units
    )


def _posterior_sums(counts: CategoryPairs, distances: Floats, sampling: Sampling) -> _Sums:
    """Sums of draws of the documents together with pseudo-pairs."""
    size = counts.units.shape[1]
    kinds, masses = pseudo_pairs(
        np.asarray(counts.units.sum(axis=0)).ravel(), distances, *counts.by_document
    )
    first, second = np.eye(size)[kinds[:, 0]], np.eye(size)[kinds[:, 1]]
    halves = (first + second) / 2
    apart = distances[kinds[:, 0], kinds[:, 1]][:, None]
    pseudo = _Sums(halves, first * second, halves * apart, 2 * halves)
    blocks = [
        [of_documents + pairs @ part for of_documents, part in zip(drawn, pseudo, strict=True)]
        for times, pairs in posterior_weights(masses, sampling, *counts.by_document)
        for drawn in [_sums(counts, times)]
    ]
    empty = [np.empty((0, size))] * len(pseudo)
    return _Sums(*(np.concatenate(parts) for parts in zip(empty, *blocks, strict=True)))


def _values(sums: _Sums, distances: Floats, category: int | None = None) -> Floats:
    """Return γ-cat or γ-k, nan without a pair or a second category."""
    cost, weight, expected = _costs(sums, distances, category)
    return beyond_chance(divide(cost, weight), expected)


def _costs(sums: _Sums, distances: Floats, category: int | None) -> tuple[Floats, Floats, Floats]:
    """Return Σ w · dist and Σ w of the pairs of a category (None: all), and its expected cost."""
    p, k = divide(sums.units, sums.units.sum(axis=1, keepdims=True)), category
    if k is None:
        return sums.costs.sum(axis=1), sums.weights.sum(axis=1), ((p @ distances) * p).sum(axis=1)
    # a row has half of each mixed pair and the whole of each (k, k) pair
    weight = 2.0 * sums.weights[:, k] - sums.same[:, k]
    return 2.0 * sums.costs[:, k], weight, 2.0 * (p @ distances[:, k]) / (2.0 - p[:, k])
