"""Audits that drew whole documents: items of a document resemble one another."""

from __future__ import annotations

import numpy as np

from ..arrays import Floats
from ..quantiles import two_sided_normal_quantile
from .audit_counts import AuditCounts
from .corrected_share import within_strata_variance


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
