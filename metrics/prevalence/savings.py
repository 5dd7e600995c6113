"""What the labels of a system save: human labels for the same width, and audits still needed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..arrays import Floats
from ..intervals.binomial import Bounds
from ..quantiles import two_sided_normal_quantile
from .audit_counts import AuditCounts


def lower_correlation_limit(audit: AuditCounts, level: float = 0.95) -> Floats:
    """Lower confidence limit of the correlation φ of the labels of system and humans.

    The first of two strata has the items to which the system gives the category. Variance by the
    delta method, on Fisher's scale; each cell counts half an item more. Bishop, Fienberg & Holland
    (1975), Discrete Multivariate Analysis, section 11.3.
    """
    n = audit.sizes.sum(axis=-1) + 2.0
    both, only_human = audit.hits[..., 0] + 0.5, audit.hits[..., 1] + 0.5
    p, q = (audit.sizes[..., 0] + 1.0) / n, (both + only_human) / n
    phi = (both / n - p * q) / np.sqrt(p * (1 - p) * q * (1 - q))
    a, b = (1 - 2 * p) / np.sqrt(p * (1 - p)), (1 - 2 * q) / np.sqrt(q * (1 - q))
    variance = (1 - phi**2 + phi * (1 + phi**2 / 2) * a * b - 0.75 * phi**2 * (a**2 + b**2)) / n
    error = np.sqrt(np.maximum(variance, 0.0)) / (1 - phi**2)
    return np.asarray(np.tanh(np.arctanh(phi) - two_sided_normal_quantile(level) * error))


def saved_share(correlation: Floats, n_audited: Floats, n_items: Floats) -> Floats:
    """Share of human labels saved at the same width: φ²(1 − n/N); 0 for a negative φ."""
    return np.maximum(correlation, 0.0) ** 2 * np.maximum(1 - n_audited / n_items, 0.0)


def audits_for_width(
    audit: AuditCounts,
    width: float,
    interval: Callable[[AuditCounts, float], Bounds],
    level: float = 0.95,
) -> Floats:
    """Audited items for an interval of this width, if the rates of the audit stay; at most N.

    Returns (...): not below the audited items. The whole corpus always has width 0.
    """
    n, n_items = audit.n_audited, np.broadcast_to(audit.n_items, audit.n_audited.shape)
    low, high = np.zeros(n.shape), np.log(np.maximum(n_items / n, 1.0))
    for _ in range(30):
        middle = (low + high) / 2
        is_enough = interval(audit.scale_sizes(np.exp(middle)), level).width <= width
        low, high = np.where(is_enough, low, middle), np.where(is_enough, middle, high)
    needed = np.minimum(np.ceil(n * np.exp(high) - 1e-6), n_items)
    return np.where(interval(audit, level).width <= width, n, needed)
