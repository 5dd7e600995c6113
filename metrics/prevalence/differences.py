"""Differences with confidence intervals: two systems on one audit, and two batches of a corpus."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints
from ..intervals.binomial import Bounds
from .audit_counts import AuditCounts
from .corrected_share import corrected_share_interval

_PRIOR = 0.5  # of each outcome in each stratum


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """How two systems compare with the humans on audited items, in J strata of the corpus.

    weights   float64 (..., J): share of all items in the stratum
    outcomes  float64 (..., J, 3): audited items on which only the second system is right, both or
              neither, only the first
    n_items   float64 (...): items of the corpus, N
    """

    weights: Floats
    outcomes: Floats
    n_items: Floats

    @property
    def n_discordant(self) -> Floats:
        """(...): audited items on which exactly one system is right."""
        return np.asarray((self.outcomes[..., 0] + self.outcomes[..., 2]).sum(axis=-1))

    @property
    def difference(self) -> Floats:
        """(...): accuracy of the first system minus that of the second, in the corpus."""
        sizes = self.outcomes.sum(axis=-1)
        gain = self.outcomes[..., 2] - self.outcomes[..., 0]
        rates = gain / np.maximum(sizes, 1)
        return np.asarray((self.weights * rates).sum(axis=-1))


def paired_counts(first: Ints, second: Ints, human: Ints) -> PairedCounts:
    """Count the labels of two systems in three strata: same label, smaller index first, last.

    first, second  int (N,): index of each system's label, -1 without
    human          int (N,): index of the humans' label, -1 for items that were not audited
    """
    strata = np.sign(first - second) + 1
    is_audited = human >= 0
    gain = (first == human).astype(np.int64) - (second == human)
    cells = strata[is_audited] * 3 + gain[is_audited] + 1
    return PairedCounts(
        weights=np.bincount(strata, minlength=3) / len(human),
        outcomes=np.bincount(cells, minlength=9).reshape(3, 3).astype(np.float64),
        n_items=np.asarray(float(len(human))),
    )


def accuracy_difference_interval(counts: PairedCounts, level: float = 0.95) -> Bounds:
    """Interval of the difference of two accuracies, post-stratified, with a Dirichlet(½) prior.

    Where the systems give the same label, they do not differ; the prior of this stratum stands for
    an item on which they might, so that an audit that met few differences is not too certain. The
    moments of the posterior are those of a beta distribution on [-1, 1], whose quantiles are
    the bounds.
    """
    posterior = counts.outcomes + _PRIOR
    total = posterior.sum(axis=-1)
    mean = (posterior[..., 2] - posterior[..., 0]) / total
    square = (posterior[..., 2] + posterior[..., 0]) / total
    variance = (square - mean**2) / (total + 1)
    return _beta_quantiles(*_of_corpus(counts.weights, mean, variance, counts.n_items), level)


def share_difference_interval(
    first: AuditCounts, second: AuditCounts, level: float = 0.95
) -> Bounds:
    """Interval of the share in one batch minus that in another, each with an audit of its own.

    The distances of both shares to their bounds (`corrected_share_interval`) are combined by
    squares. Zou & Donner (2008), Statistics in Medicine 27(10).
    """
    one, other = corrected_share_interval(first, level), corrected_share_interval(second, level)
    difference = first.share - second.share
    below = np.hypot(first.share - one.lower, other.upper - second.share)
    above = np.hypot(one.upper - first.share, second.share - other.lower)
    return Bounds(difference - below, difference + above)


def _of_corpus(
    weights: Floats, means: Floats, variances: Floats, n_items: Floats
) -> tuple[Floats, Floats]:
    """Return mean and variance over strata, with the variance between them over N."""
    mean = (weights * means).sum(axis=-1)
    between = (weights * means**2).sum(axis=-1) - mean**2
    return np.asarray(mean), np.asarray((weights**2 * variances).sum(axis=-1) + between / n_items)


def _beta_quantiles(mean: Floats, variance: Floats, level: float) -> Bounds:
    """Quantiles of the beta distribution on [-1, 1] of this mean and variance."""
    from scipy.special import betaincinv

    middle, spread = (mean + 1) / 2, variance / 4
    total = middle * (1 - middle) / np.maximum(spread, 1e-300) - 1
    tail = (1 - level) / 2
    lower = 2 * betaincinv(middle * total, (1 - middle) * total, tail) - 1
    upper = 2 * betaincinv(middle * total, (1 - middle) * total, 1 - tail) - 1
    is_exact = spread <= 0
    return Bounds(np.where(is_exact, mean, lower), np.where(is_exact, mean, upper))
