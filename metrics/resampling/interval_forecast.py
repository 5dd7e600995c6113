"""How wide the interval of an agreement will be after a round of labels assigned at random.

The error of α comes from its items. To first order an item with m labels adds the mean of a kernel
g over the pairs of its labels,

    g(k, l) = (δ(k, l) − D_o) / D_e − (D_o / D_e²) (e(k) + e(l) − 2 D_e),   e(k) = Σ p_l δ(k, l),

which is a U-statistic. Its variance over items is (Hoeffding 1948)

    V(m) = [2 A + 4 (m − 2) B + (m − 2) (m − 3) C] / (m (m − 1)),

with A, B and C the mean product of g over the same pair, over pairs that share a label, and over
disjoint pairs. Items count by their labels, so that the variance of α is Σ m² V(m) / (Σ m)² over
the items with two labels or more. γ is treated alike: its pairs are the best alignments of two
annotators, and documents count by their units, whatever the number of annotators.

Only the ratio of variances is used: it scales the interval of today, with all that this accounts
for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..agreement.coefficients import resolve_set_distance
from ..agreement.distances import Distance, distance_table
from ..agreement.label_matrix import LabelMatrix
from ..alignment.continuum import Continuum
from ..alignment.dissimilarity import Dissimilarity
from ..arrays import Floats
from ..units.observed import count_disorder

BETWEEN = 0.1  # usual C / A: .004 to .19 in three crowdsourced data sets
SHARING = 0.2  # usual (B − C) / (A − C): .11 to .26 there
USUAL = 5  # items that the usual shares count as


@dataclass(frozen=True, slots=True)
class PairVariance:
    """A, B and C of the module: mean products of the kernel over pairs of labels of an item.

    by_labels  whether an item counts by the number of its labels, as for α
    """

    same: float
    sharing: float
    disjoint: float
    by_labels: bool = True

    def variance_of_item(self, m: NDArray[np.integer]) -> Floats:
        """V(m) for numbers of labels m ≥ 2."""
        m = np.asarray(m, dtype=np.float64)
        several = 2 * self.same + 4 * (m - 2) * self.sharing + (m - 2) * (m - 3) * self.disjoint
        found: Floats = several / (m * (m - 1))
        return found

    def variance_of_agreement(self, n_labels: NDArray[np.integer]) -> float:
        """Variance of the agreement of items with so many labels each; inf without a pair."""
        m = n_labels[n_labels >= 2]
        if not m.size:
            return math.inf
        weights = m.astype(np.float64) if self.by_labels else np.ones(m.size)
        return float((weights**2 * self.variance_of_item(m)).sum() / weights.sum() ** 2)


def interval_width_ratio(
    variance: PairVariance | None, before: NDArray[np.integer], after: NDArray[np.integer]
) -> float:
    """Width of the interval after a round in widths before it; nan if it is unknown.

    before, after  (N,): labels of each item that agreement is computed from
    """
    if variance is None or not variance.same > 0:
        return math.nan
    ratio = variance.variance_of_agreement(after) / variance.variance_of_agreement(before)
    return math.sqrt(ratio) if math.isfinite(ratio) else math.nan


def label_pair_variance(labels: LabelMatrix, distance: Distance = "nominal") -> PairVariance | None:
    """A, B and C of labels; None without two items with two labels, or without disagreement."""
    counts = labels.counts()
    counts = counts[counts.sum(axis=1) >= 2].astype(np.float64)
    if len(counts) < 2:
        return None
    m = counts.sum(axis=1)
    marginals = counts.sum(axis=0)
    table = distance_table(
        resolve_set_distance(distance, labels), tagset=labels.tagset, marginals=marginals
    )
    n = m.sum()
    per_item = np.einsum("ik,kl,il->i", counts, table, counts) / (m - 1)
    observed_ = per_item.sum() / n
    shares = marginals / n
    of_category = table @ shares
    expected = float(marginals @ table @ marginals / (n * (n - 1)))
    if not (observed_ > 0 and expected > 0):
        return None
    tilt = of_category[:, None] + of_category[None, :] - 2 * (shares @ of_category)
    kernel = (table - observed_) / expected - observed_ / expected**2 * tilt
    own = np.diag(kernel)
    total = np.einsum("ik,kl,il->i", counts, kernel, counts) - counts @ own
    same = np.einsum("ik,kl,il->i", counts, kernel**2, counts) - counts @ own**2
    of_label = counts @ kernel - own
    sharing = (counts * of_label**2).sum(axis=1) - same
    return _pair_variance(m, total, same, sharing, by_labels=True)


def unit_pair_variance(
    continua: Sequence[Continuum], dissimilarity: Dissimilarity
) -> PairVariance | None:
    """A, B and C of γ, from the best alignments of each two annotators of each document."""
    several = [one for one in continua if one.n_annotators >= 2]
    pairs = [list(combinations(one.annotators, 2)) for one in several]
    if len(several) < 2:
        return None
    counts = count_disorder(
        [
            one.select_annotators(list(pair))
            for one, of_one in zip(several, pairs, strict=True)
            for pair in of_one
        ],
        dissimilarity,
    )
    if not counts.totals.sum() > 0:
        return None
    kernel = counts.totals - counts.totals.sum() / counts.weights.sum() * counts.weights
    kernel /= counts.weights.mean()
    m = np.array([one.n_annotators for one in several], dtype=np.float64)
    sums, first = np.zeros((3, len(several))), 0
    for d, (one, of_one) in enumerate(zip(several, pairs, strict=True)):
        table = np.zeros((one.n_annotators, one.n_annotators))
        upper = np.triu_indices(one.n_annotators, 1)
        table[upper] = kernel[first : first + len(of_one)]
        first += len(of_one)
        table += table.T
        same = (table**2).sum()
        sums[:, d] = table.sum(), same, (table.sum(axis=1) ** 2).sum() - same
    return _pair_variance(m, *sums, by_labels=False)


def _pair_variance(
    m: Floats, total: Floats, same: Floats, sharing: Floats, *, by_labels: bool
) -> PairVariance | None:
    """From the sums of g and g² over ordered pairs of an item's labels, and of g g' over triples.

    B and C are drawn to what is usual (`SHARING`, `BETWEEN`) with the weight of `USUAL` items, as
    few items may have three or four labels. No component is below 0.
    """
    a = float((same / (m * (m - 1))).mean())
    if not a > 0:
        return None
    four, three = m >= 4, m >= 3
    disjoint = (total**2 - 2 * same - 4 * sharing)[four] / (m * (m - 1) * (m - 2) * (m - 3))[four]
    c = (disjoint.sum() + USUAL * BETWEEN * a) / (disjoint.size + USUAL)
    c = min(max(float(c), 0.0), a)
    of_three = sharing[three] / (m * (m - 1) * (m - 2))[three]
    b = (of_three.sum() + USUAL * (c + SHARING * (a - c))) / (of_three.size + USUAL)
    return PairVariance(a, min(max(float(b), c), (a + c) / 2), c, by_labels)
