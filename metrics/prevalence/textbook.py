"""Corrections of the literature, for comparison: they cover too little after few audited errors.

They are offered only if at least ten of each kind were audited: items that both, only the system
and only the humans give the category (`has_enough_errors`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Flags, Floats
from ..intervals.binomial import Bounds
from ..quantiles import two_sided_normal_quantile
from .audit_counts import AuditCounts

FEWEST_ERRORS = 10


@dataclass(frozen=True, slots=True)
class TextbookEstimate:
    """A share with its normal interval, which is not cut to 0..1."""

    share: Floats
    bounds: Bounds


def has_enough_errors(audit: AuditCounts) -> Flags:
    """(...): whether the audit has enough items that both, one or the other give the category."""
    both, only_humans = audit.hits[..., 0], audit.hits[..., 1]
    least = np.minimum(np.minimum(both, only_humans), audit.sizes[..., 0] - both)
    return np.asarray(least >= FEWEST_ERRORS, dtype=np.bool_)


def rogan_gladen(audit: AuditCounts, level: float = 0.95) -> TextbookEstimate:
    """Share by the sensitivity and the specificity of the system, both from the audit."""
    misses = audit.sizes - audit.hits
    with_it, without = audit.hits.sum(axis=-1), misses.sum(axis=-1)
    return rogan_gladen_of_rates(
        audit.weights[..., 0],
        sensitivity=audit.hits[..., 0] / with_it,
        specificity=misses[..., 1] / without,
        n_items=audit.n_items,
        n_with=with_it,
        n_without=without,
        level=level,
    )


def rogan_gladen_of_rates(
    apparent: Floats,
    *,
    sensitivity: Floats,
    specificity: Floats,
    n_items: Floats,
    n_with: Floats | float = np.inf,
    n_without: Floats | float = np.inf,
    level: float = 0.95,
) -> TextbookEstimate:
    """Correct an apparent share by known rates, or by rates measured on n_with and n_without items.

    Rogan & Gladen (1978), American Journal of Epidemiology 107(1), equations 1 and 3.
    """
    youden = sensitivity + specificity - 1
    share = (apparent + specificity - 1) / youden
    variance = apparent * (1 - apparent) / n_items
    variance = variance + share**2 * sensitivity * (1 - sensitivity) / n_with
    variance = variance + (1 - share) ** 2 * specificity * (1 - specificity) / n_without
    return _normal(share, variance / youden**2, level)


def prediction_powered(
    audit: AuditCounts, level: float = 0.95, *, tuned: bool = False
) -> TextbookEstimate:
    """Prediction-powered inference (PPI) of a share; `tuned`: PPI++ with its best weight λ.

    Angelopoulos et al. (2023), Science 382; Angelopoulos, Duchi & Zrnic (2023), PPI++, section 6.
    """
    n = audit.n_audited
    n_rest = audit.n_items - n
    human, system = audit.n_hits / n, audit.sizes[..., 0] / n
    of_rest = (audit.weights[..., 0] * audit.n_items - audit.sizes[..., 0]) / n_rest
    covariance = audit.hits[..., 0] / n - human * system
    everywhere = audit.weights[..., 0]
    of_all = everywhere * (1 - everywhere)
    weight = covariance / ((1 + n / n_rest) * of_all) if tuned else np.ones(n.shape)
    share = human + weight * (of_rest - system)
    variance = (
        weight**2 * of_rest * (1 - of_rest) / n_rest
        + (human * (1 - human) + weight**2 * system * (1 - system) - 2 * weight * covariance) / n
    )
    return _normal(share, variance, level)


def _normal(share: Floats, variance: Floats, level: float) -> TextbookEstimate:
    half = two_sided_normal_quantile(level) * np.sqrt(variance)
    return TextbookEstimate(share, Bounds(share - half, share + half))
