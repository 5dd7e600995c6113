"""γ-cat as defined by pygamma-agreement 0.5.9, for comparison: pairs with an empty unit also count.

Differences from `gamma_cat`: the weight of a pair has 1 - alpha·d_pos, a real unit paired with an
empty one adds Δ∅² with weight Δ∅, and expected is the mean over the chance samples of γ, each on
its own best alignment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..alignment.best_alignment import Alignment, best_alignment
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity, category_costs, position_costs
from ..chance.chance_samples import ExpectedDisorder
from ..chance.corpus import corpus_hash, corpus_of_continua
from ..chance.sample_drawing import redraw_samples
from ..errors import MetricsError
from ..estimate import Estimate, estimate
from ..options import Sampling
from ..reason import Reason, ReasonCode
from ..signature import How
from .category_pairs import require_separable
from .disagreement_interval import add_disagreement_interval
from .gamma import GammaResult
from .gamma_settings import GammaSettings, dissimilarity_settings, set_mean_length


def gamma_cat_empty_pairs(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment],
    chance: Sequence[tuple[Continuum, Alignment]],
    dissimilarity: Dissimilarity,
    *,
    category: int | None = None,
    n_replicates: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Compute the variant of pygamma-agreement 0.5.9; γ-k if `category` is given.

    chance  the virtual documents of γ with their best alignments; the interval includes their
            sampling error, and the error over documents, of which it needs two

    Disorders of documents are averaged, as pygamma-agreement does for samples. For an observed
    disorder of 0, pygamma-agreement returns 1 even if no pair was counted; here this is `nan` with
    a reason.
    """
    require_separable(dissimilarity)
    name = "gamma_cat_empty_pairs" if category is None else "gamma_k_empty_pairs"
    found = [
        _empty_pairs_sums(c, a, dissimilarity, category)
        for c, a in zip(continua, alignments, strict=True)
    ]
    sums = np.array([one for one in found if one is not None]).reshape(-1, 2)
    known = sums[:, 0] / sums[:, 1]
    drawn = [_empty_pairs_sums(c, a, dissimilarity, category) for c, a in chance]
    # a sample without any pair counts as disorder 0, as in pygamma-agreement
    sampled = [0.0 if one is None else one[0] / one[1] for one in drawn]
    observed = float(known.mean()) if known.size else math.nan
    expected = float(np.mean(sampled)) if sampled else math.nan
    reason = None if known.size else Reason(ReasonCode.NO_ALIGNED_PAIR)
    if known.size and observed > 0 and not expected > 0:
        reason = Reason(ReasonCode.NO_CHANCE_DISORDER)
    value = 1.0 if observed == 0 else 1.0 - observed / expected if expected > 0 else math.nan
    estimated = estimate(
        How(measure=name, **dissimilarity_settings(dissimilarity), samples=len(chance)),
        value,
        reason,
        observed=observed,
        expected=expected,
        n_items=sum(c.n_units for c in continua),
        n_annotators=len({name for c in continua if c.n_annotators > 1 for name in c.annotators}),
        confidence_level=level,
    )
    if reason or len(sampled) < 2:
        return estimated
    # one more real unit paired with an empty one, in a document of mean weight
    lone_unit = dissimilarity.delta_empty**2 / float(sums[:, 1].mean())
    error = float(np.std(sampled, ddof=1)) / math.sqrt(len(sampled))
    return add_disagreement_interval(
        estimated,
        known,
        np.full(known.size, expected),
        np.ones(known.size, dtype=np.bool_),
        Sampling(n_replicates, level, seed),
        event=lone_unit,
        noise=error * known.size,
        over="documents+chance",
    )


def empty_pairs_of_gamma(
    continua: Sequence[Continuum],
    result: GammaResult,
    dissimilarity: Dissimilarity,
    settings: GammaSettings,
) -> Estimate:
    """Compute the variant on the alignments and chance samples of a γ with the same settings.

    Raises MetricsError for expectations per document.
    """
    if not isinstance(result.expected, ExpectedDisorder):
        raise MetricsError(
            "γ-cat with empty pairs needs one expectation for the whole corpus: set per='corpus'"
        )
    corpus = corpus_of_continua(continua, measure="γ-cat")
    dissimilarity = set_mean_length(dissimilarity, corpus)
    chance = [
        (document, best_alignment(document, dissimilarity))
        for _, documents in redraw_samples(
            corpus, result.expected, study=settings.seed, chance=settings
        )
        for document in documents
    ]
    pairs = [(c, a) for c, a in zip(continua, result.alignments, strict=True) if a is not None]
    found = gamma_cat_empty_pairs(
        [c for c, _ in pairs],
        [a for _, a in pairs],
        chance,
        dissimilarity,
        **settings.arguments,
    )
    how = found.how.add_settings(
        chosen=result.expected.process,
        seed=settings.seed,
        input=corpus_hash(corpus),
    )
    return replace(found, how=how)


def _empty_pairs_sums(
    continuum: Continuum, alignment: Alignment, dissimilarity: Dissimilarity, category: int | None
) -> tuple[float, float] | None:
    """Return Σ w · cost and Σ w of the pairs; None without a pair of real units."""
    first, second = np.triu_indices(alignment.units.shape[1], 1)
    u, v = alignment.units[:, first].astype(np.int64), alignment.units[:, second].astype(np.int64)
    n_real = np.broadcast_to((alignment.units >= 0).sum(axis=1)[:, None], u.shape)
    codes = np.append(continuum.categories, -2)  # an empty unit (index -1) has no category
    counted = (
        np.ones(u.shape, dtype=bool)
        if category is None
        else (codes[u] == category) | (codes[v] == category)
    )
    real = counted & (u >= 0) & (v >= 0)
    if not real.any():
        return None
    delta = dissimilarity.delta_empty
    n_half_empty = int((counted & ((u >= 0) != (v >= 0))).sum())
    position = dissimilarity.alpha * position_costs(continuum, u[real], v[real], dissimilarity)
    weights = np.maximum(0.0, 1.0 - position) / (n_real[real] - 1)
    costs = category_costs(continuum, u[real], v[real], dissimilarity)
    total = float((weights * costs).sum()) + n_half_empty * delta**2
    weight = float(weights.sum()) + n_half_empty * delta
    return (total, weight) if weight > 0 else None
