"""γ-cat as pygamma-agreement 0.5.9 has it, to compare with: pairs with an empty unit count too.

Beside `gamma_cat`, the weight of a pair has 1 - alpha·d_pos, a real unit facing an empty one adds
Δ∅² with weight Δ∅, and expected is the mean over the chance samples of γ, each on its own best
alignment.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from metrics.alignment.best_alignment import Alignment
from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity, category_costs, position_costs
from metrics.estimate import Estimate
from metrics.signature import signature
from metrics.unitizing.category_pairs import require_parts
from metrics.unitizing.reasons import NO_PAIR
from metrics.unitizing.settings import describe


def gamma_cat_empty_pairs(
    continua: Sequence[Continuum],
    alignments: Sequence[Alignment],
    chance: Sequence[tuple[Continuum, Alignment]],
    dissimilarity: Dissimilarity,
    *,
    category: int | None = None,
) -> Estimate:
    """The variant of pygamma-agreement 0.5.9; γ-k when `category` is given.

    chance  the virtual documents of γ with their best alignments
    Disorders of documents are averaged, as the peer does for samples. That peer gives 1 to an
    observed disorder of 0 even where no pair was counted; here that is `nan` with a reason.
    """
    require_parts(dissimilarity)
    name = "gamma_cat_empty_pairs" if category is None else "gamma_k_empty_pairs"
    found = [
        _empty_pairs_disorder(c, a, dissimilarity, category)
        for c, a in zip(continua, alignments, strict=True)
    ]
    # a sample in which nothing can be paired counts as disorder 0, as the peer has it
    sampled = [_empty_pairs_disorder(c, a, dissimilarity, category) or 0.0 for c, a in chance]
    known = [x for x in found if x is not None]
    observed = float(np.mean(known)) if known else math.nan
    expected = float(np.mean(sampled)) if sampled else math.nan
    reason = "" if known else NO_PAIR
    if known and observed > 0 and not expected > 0:
        reason = "chance achieves disorder 0"
    value = 1.0 if observed == 0 else 1.0 - observed / expected if expected > 0 else math.nan
    return Estimate(
        measure=name,
        value=math.nan if reason else value,
        reason=reason,
        observed=observed,
        expected=expected,
        n_items=sum(c.n_units for c in continua),
        n_annotators=max((c.n_annotators for c in continua), default=0),
        signature=signature(name, **describe(dissimilarity), samples=len(chance)),
    )


def _empty_pairs_disorder(
    continuum: Continuum, alignment: Alignment, dissimilarity: Dissimilarity, category: int | None
) -> float | None:
    """Weighted mean cost of the pairs, None when no two real units form one."""
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
    return total / weight if weight > 0 else None
