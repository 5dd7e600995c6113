"""Standard errors over groups of documents, and intervals corrected for many candidates."""

from __future__ import annotations

import numpy as np

from ..arrays import Flags, Floats

JOINT_COVERAGE = 0.95  # of the intervals of all candidates of a search


def jackknife_errors(omitted: Floats, inside: Flags | None = None) -> tuple[Floats, Floats]:
    """Return standard errors and degrees of freedom (M,) of values without each group (M, G).

    inside  bool (M, G): groups inside and outside a part are separate samples; None: one sample
    """
    variances, weights = np.zeros(omitted.shape[0]), np.zeros(omitted.shape[0])
    inside = np.ones(omitted.shape, dtype=np.bool_) if inside is None else inside
    for those in (inside, ~inside):
        n = those.sum(axis=1)
        used = n > 0
        mean = np.where(those, omitted, 0).sum(axis=1) / np.maximum(n, 1)
        squares = (np.where(those, omitted - mean[:, None], 0) ** 2).sum(axis=1)
        variance = np.where(n > 1, squares * (n - 1) / np.maximum(n, 1), np.where(used, np.nan, 0))
        variances += variance
        weights += np.where(used, variance**2 / np.maximum(n - 1, 1), 0)
    freedom = np.divide(variances**2, weights, out=np.full_like(weights, np.nan), where=weights > 0)
    return np.sqrt(variances), freedom


def corrected_half_widths(errors: Floats, freedom: Floats, n_candidates: int) -> Floats:
    """Return half the widths of intervals that jointly cover `JOINT_COVERAGE` (Bonferroni)."""
    from scipy.special import stdtrit

    level = 1 - (1 - JOINT_COVERAGE) / max(1, n_candidates)
    return np.asarray(stdtrit(freedom, (1 + level) / 2) * errors, dtype=np.float64)
