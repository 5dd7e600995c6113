"""Confidence interval of a share that an audit corrects, by the strata of a system's labels.

The envelope of two intervals covered at least .94 in every setting of the trials; each of them
alone, and the choice of one by the data, covers less (`benchmarks/results/prevalence.md`).
"""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..intervals.binomial import Bounds, clopper_pearson, jeffreys
from ..quantiles import two_sided_normal_quantile
from .audit_counts import AuditCounts


def corrected_share_interval(audit: AuditCounts, level: float = 0.95) -> Bounds:
    """Interval of the share after a simple random audit: the envelope of the two others.

    Returns bounds in [0, 1], of the shape of the cases. An audit of the whole corpus has no error:
    both bounds are the share.
    """
    found = mover_jeffreys(audit, level).envelope(effective_clopper_pearson(audit, level))
    return exact_if_whole(audit, found)


def stratified_share_interval(audit: AuditCounts, level: float = 0.95) -> Bounds:
    """Interval of the share after an audit that drew from each label of the system separately.

    The effective sample size does not hold for such an audit, so this is `mover_jeffreys` alone.
    """
    return exact_if_whole(audit, mover_jeffreys(audit, level))


def exact_if_whole(audit: AuditCounts, bounds: Bounds) -> Bounds:
    """Return the share itself as both bounds where all items of the corpus were audited."""
    is_whole, share = audit.n_audited >= audit.n_items, audit.share
    return Bounds(np.where(is_whole, share, bounds.lower), np.where(is_whole, share, bounds.upper))


def mover_jeffreys(audit: AuditCounts, level: float = 0.95) -> Bounds:
    """Combine Jeffreys' intervals of the strata by squares (method of variance estimates recovery).

    The distance of the share to its lower bound is √(Σ w²(t − l)² + z² V_N), with V_N the variance
    between strata over N; likewise for the upper bound. A stratum without audited items has the
    interval 0 to 1. Zou & Donner (2008), Statistics in Medicine 27(10).
    """
    share, rates = audit.share, audit.rates
    each = jeffreys(audit.hits, audit.sizes, level)
    of_strata = (
        two_sided_normal_quantile(level) ** 2 * _between(audit.weights, rates) / audit.n_items
    )
    below = (audit.weights**2 * (rates - each.lower) ** 2).sum(axis=-1)
    above = (audit.weights**2 * (each.upper - rates) ** 2).sum(axis=-1)
    return Bounds(
        np.maximum(share - np.sqrt(below + of_strata), 0.0),
        np.minimum(share + np.sqrt(above + of_strata), 1.0),
    )


def effective_clopper_pearson(audit: AuditCounts, level: float = 0.95) -> Bounds:
    """Clopper–Pearson interval of the corrected share at its effective sample size."""
    size = effective_size(audit)
    hits = np.clip(audit.share, 0.0, 1.0) * size
    return clopper_pearson(hits, size, level)


def effective_size(audit: AuditCounts) -> Floats:
    """Number of randomly drawn human labels with the variance of the corrected share."""
    rates = _smoothed(audit)
    variance = within_strata_variance(audit) + _between(audit.weights, rates) / audit.n_items
    mean = (audit.weights * rates).sum(axis=-1)
    return np.asarray(mean * (1 - mean) / variance)


def within_strata_variance(audit: AuditCounts) -> Floats:
    """Variance of the corrected share that is due to drawing the audited items of each stratum."""
    rates = _smoothed(audit)
    each = audit.weights**2 * rates * (1 - rates) / (audit.sizes + 1)
    return np.asarray(each.sum(axis=-1))


def _smoothed(audit: AuditCounts) -> Floats:
    """Rates with one more item in each stratum, which is a hit at the rate of the audit.

    A stratum without errors thus has some variance.
    """
    rate = (audit.n_hits + 0.5) / (audit.n_audited + 1)
    return np.asarray((audit.hits + rate[..., None]) / (audit.sizes + 1))


def _between(weights: Floats, rates: Floats) -> Floats:
    """Variance of the rates between strata."""
    mean = (weights * rates).sum(axis=-1, keepdims=True)
    return np.asarray((weights * (rates - mean) ** 2).sum(axis=-1))


def equivalent_item_audit(
    weights: Floats, sizes: Floats, hits: Floats, n_items: Floats, level: float = 0.95
) -> AuditCounts:
    """Return an audit of independent items that is worth as much as these audited documents.

    weights  float64 (..., J): share of all items in each stratum of the system's labels
    sizes    float64 (..., D, J): items of each audited document, drawn with equal chances
    hits     float64 (..., D, J): of these, items to which humans give the category
    n_items  float64 (...): items of the corpus

    The counts are divided by the design effect of the corrected share, which is at least 1, and by
    (t / z)² for the number of documents. The design effect is the variance of the documents'
    residuals over that of independent items, where one further document of average size errs as a
    whole, so that an audit without errors is worth its number of documents. Korn & Graubard (1998),
    Survey Methodology 24(2).
    """
    from scipy.special import stdtrit

    of_corpus = AuditCounts(weights, sizes.sum(axis=-2), hits.sum(axis=-2), n_items)
    rates, n_documents = of_corpus.rates, sizes.shape[-2]
    scale = np.divide(
        weights, of_corpus.sizes, out=np.zeros(of_corpus.sizes.shape), where=of_corpus.sizes > 0
    )
    residuals = ((hits - sizes * rates[..., None, :]) * scale[..., None, :]).sum(axis=-1)
    clustered = (residuals**2).sum(axis=-1) * n_documents / (n_documents - 1)
    independent = (scale**2 * of_corpus.sizes * rates * (1 - rates)).sum(axis=-1)
    n = of_corpus.n_audited
    one_item = within_strata_variance(of_corpus) / n
    average = (sizes.sum(axis=-1) ** 2).sum(axis=-1) / n  # of the document of an item
    effect = (clustered + average**2 * one_item) / (independent + average * one_item)
    quantile = float(stdtrit(n_documents - 1, 0.5 + level / 2)) / two_sided_normal_quantile(level)
    return of_corpus.scale_sizes(1 / (np.maximum(effect, 1.0) * quantile**2))
