"""Coefficients with a closed form: one observed agreement, with a different chance model in each.

    value = (p_o − p_e) / (1 − p_e), computed as 1 − D_o/D_e with D = 1 − p

Chance labels are drawn as follows.

* S: uniformly from the tagset (Bennett, Alpert & Goldstein 1954; Brennan & Prediger 1981; Randolph
  2005 for many annotators). An unused category changes it.
* π: from the distribution of all annotators together (Scott 1955; Fleiss 1971 for many).
* κ: from the distribution of each annotator (Cohen 1960; for many annotators Davies & Fleiss 1982
  and Conger 1980, averaged over pairs of annotators; Hubert 1977, from the confusion matrices of
  the pairs; Light 1971, the mean of the pairs' κ).
* α (Krippendorff 1980; 2004, chapter 11): without replacement from all paired labels; any distance,
  many annotators, missing labels.
* AC1 (Gwet 2008) and AC2 (2014): uniformly, on the items that are hard to label. If one category
  has nearly all labels, p_e tends to 0, whereas p_e of π and κ tends to 1: AC1 takes the opposite
  position on prevalence.
* R (Finn 1970): uniformly, compared by the variance.

With distances in place of identity: Cohen 1968 and the weighted versions of Gwet 2014. With missing
labels, proportions are computed as in Gwet (2014, chapter 2): for π, the mean over items of
n_ik/n_i; for κ, the proportions of each annotator on the items that they labelled, but of the κ of
two annotators (Cohen 1960, 1968) on the items that both labelled.

The functions take Sums of B batch elements and the distances between categories (`spread`), and
return the arrays D_o and D_e, (B,). Divisions by 0 give nan, which the caller explains.
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

from ...arrays import Flags, Floats, divide
from ...beyond_chance import NO_DISAGREEMENT
from ...measure import DataKind, Family
from .coefficient import Coefficient, Disagreements, declares_coefficients, observed_disagreement
from .spread import Spread, SquaredSpread

if TYPE_CHECKING:
    from ..sums import Sums


@declares_coefficients(
    Coefficient(
        name="percent_agreement",
        symbol="pₒ",
        family=Family.DIRECT,
        sources=("artstein2008",),
        anonymous=True,
        has_expected=False,
        minimum=0.0,
    ),
    Coefficient(
        name="weighted_agreement",
        symbol="pₒ",
        family=Family.DIRECT,
        sources=("gwet2014",),
        anonymous=True,
        unweighted="percent_agreement",
        weighted=True,
        has_expected=False,
        minimum=0.0,
    ),
)
def percent(sums: Sums, spread: Spread) -> Disagreements:
    """No chance model: D_e is 1, so the value is p_o."""
    observed = observed_disagreement(sums, spread)
    return observed, np.ones_like(observed)


@declares_coefficients(
    Coefficient(name="bennett_s", symbol="S", sources=("bennett1954",), anonymous=True),
    Coefficient(
        name="weighted_s",
        symbol="S_w",
        sources=("brennan1981",),
        anonymous=True,
        unweighted="bennett_s",
        weighted=True,
        minimum=-inf,
    ),
)
def bennett(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = Σ δ_ck / K² over the declared tagset."""
    observed = observed_disagreement(sums, spread)
    expected = np.asarray(spread.total()) / max(1, sums.n_categories) ** 2
    return observed, np.broadcast_to(expected, observed.shape).astype(np.float64)


@declares_coefficients(
    Coefficient(
        name="scott_pi",
        lone_labels=True,
        symbol="π",
        sources=("scott1955",),
        generalisation="fleiss_kappa",
    ),
    Coefficient(
        name="fleiss_kappa",
        lone_labels=True,
        sources=("fleiss1971",),
        anonymous=True,
        chance_from_labels=True,
    ),
    Coefficient(
        name="weighted_pi",
        distances_only=True,
        lone_labels=True,
        symbol="π_w",
        sources=("gwet2014",),
        anonymous=True,
        unweighted="fleiss_kappa",
        weighted=True,
    ),
)
def fleiss(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = Σ p_c p_k δ_ck, p_k the mean over labelled items of the share of category k."""
    p = divide(sums.shares, sums.n_labelled[:, None])
    return observed_disagreement(sums, spread), spread.mean_between(p, p)


@declares_coefficients(
    Coefficient(
        name="cohen_kappa",
        complete_pair=True,
        symbol="κ",
        sources=("cohen1960",),
        generalisation="conger_kappa",
    ),
)
def cohen(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = Σ p_1c p_2k δ_ck on the items that both annotators labelled."""
    return _between_annotators(sums, spread, sums.complete)


@declares_coefficients(
    Coefficient(
        name="conger_kappa",
        lone_labels=True,
        symbol="multi-κ",
        sources=("davies1982", "conger1980"),
        chance_from_labels=True,
    )
)
def conger(sums: Sums, spread: Spread) -> Disagreements:
    """D_e = mean of Σ p_ac p_bk δ_ck over the pairs a ≠ b of annotators with a label."""
    return _between_annotators(sums, spread, sums.marginals)


@declares_coefficients(
    Coefficient(
        name="weighted_kappa",
        distances_only=True,
        lone_labels=True,
        complete_pair=True,
        symbol="κ_w",
        sources=("cohen1968",),
        unweighted="conger_kappa",
        weighted=True,
    ),
)
def weighted_kappa(sums: Sums, spread: Spread) -> Disagreements:
    """Of two annotators as Cohen's κ, of more as Conger's."""
    return cohen(sums, spread) if sums.n_annotators == 2 else conger(sums, spread)


def _between_annotators(sums: Sums, spread: Spread, marginals: Floats) -> Disagreements:
    n_labels = marginals.sum(axis=2)
    active = n_labels > 0
    p = np.where(active[..., None], marginals, 0) / np.maximum(n_labels, 1)[..., None]
    together = p.sum(axis=1)
    everyone = spread.mean_between(together, together)
    selves = spread.mean_between(p, p).sum(axis=1)
    n = active.sum(axis=1)
    n_pairs = (n * (n - 1)).astype(np.float64)
    return observed_disagreement(sums, spread), divide(everyone - selves, n_pairs)


@declares_coefficients(
    Coefficient(
        name="hubert_kappa",
        symbol="κ",
        sources=("hubert1977",),
        confusions=True,
        published_variance=False,
    )
)
def hubert(sums: Sums, spread: Spread) -> Disagreements:
    """Average D_o and D_e over the pairs of annotators with common items."""
    observed, expected, shared = _agreement_of_pairs(sums, spread)
    used = shared.sum(axis=1).astype(float)
    return divide(observed.sum(axis=1), used), divide(expected.sum(axis=1), used)


@declares_coefficients(
    Coefficient(
        name="light_kappa",
        symbol="κ",
        sources=("light1971",),
        confusions=True,
        has_observed=False,
        has_expected=False,
        published_variance=False,
    )
)
def light(sums: Sums, spread: Spread) -> Disagreements:
    """D_o is the mean of D_o/D_e of the pairs and D_e is 1, so the value is the mean of their κ.

    A pair whose κ is undefined because both annotators used one and the same category is excluded.
    Source: Light (1971). Both are 0 if no pair is left.
    """
    observed, expected, _ = _agreement_of_pairs(sums, spread)
    defined = expected > NO_DISAGREEMENT
    used = defined.sum(axis=1)
    ratios = np.where(defined, observed / np.where(defined, expected, 1.0), 0.0)
    return ratios.sum(axis=1) / np.maximum(used, 1), (used > 0).astype(np.float64)


def _agreement_of_pairs(sums: Sums, spread: Spread) -> tuple[Floats, Floats, Flags]:
    """D_o and D_e of each pair of annotators, and whether they share an item, (B, Q) each.

    D_o and D_e are 0 for pairs without a common item.
    """
    n, distances, labels = sums.sums_by_annotator_pair(spread)
    items = np.where(n > 0, n, 1.0)
    shares = labels / items[..., None, None]
    return distances / items, spread.mean_between(shares[:, :, 0], shares[:, :, 1]), n > 0


@declares_coefficients(
    Coefficient(
        name="krippendorff_alpha",
        symbol="α",
        agreement=(DataKind.ITEMS, DataKind.OBJECTS),
        sources=("krippendorff2004",),
        anonymous=True,
        chance_from_labels=True,
        weighted=True,
        paired_marginals=True,
        distances_only=True,
    )
)
def krippendorff(sums: Sums, spread: Spread) -> Disagreements:
    """D_o = Σ o_ck δ_ck / n, D_e = Σ n_c n_k δ_ck / (n (n − 1)).

    o is the coincidence matrix of the paired labels, n_c its margins and n its sum.
    """
    n_c = sums.paired
    n = n_c.sum(axis=1)
    return divide(sums.coincidence_sum(spread), n), divide(
        spread.mean_between(n_c, n_c), n * (n - 1)
    )


@declares_coefficients(
    Coefficient(
        name="gwet_ac1", lone_labels=True, symbol="AC1", sources=("gwet2008",), anonymous=True
    ),
    Coefficient(
        name="gwet_ac2",
        lone_labels=True,
        symbol="AC2",
        sources=("gwet2014",),
        anonymous=True,
        unweighted="gwet_ac1",
        weighted=True,
        minimum=-inf,
    ),
)
def gwet(sums: Sums, spread: Spread) -> Disagreements:
    """p_e = (T / (K (K − 1))) Σ p_k (1 − p_k), T = Σ_ck w_ck, w = 1 − δ (AC1: identity, T = K).

    p_k is the mean over items of n_ik/n_i; distances are in [0, 1]; for K = 1, p_e is taken as 0,
    so that the value is p_o, which is 1.
    """
    n_categories = sums.n_categories
    weights = n_categories**2 - np.asarray(spread.total())
    p = divide(sums.shares, sums.n_labelled[:, None])
    hard = (p * (1 - p)).sum(axis=1)
    n_pairs = hard * 0 + max(1, n_categories * (n_categories - 1))
    return observed_disagreement(sums, spread), 1 - divide(weights * hard, n_pairs)


@declares_coefficients(
    Coefficient(
        name="finn_r",
        symbol="R",
        sources=("finn1970",),
        own_distance="squared ranks",
        minimum=-5.0,  # two ranks at the ends of many: 1 − 6 (K − 1)/(K + 1)
        has_observed=False,
        has_expected=False,
        published_variance=False,
    )
)
def finn(sums: Sums, spread: Spread) -> Disagreements:
    """Return the observed variance within items and the variance of uniform chance, (K² − 1)/12.

    The variance within an item is the variance of the ranks 1..K of its labels (divisor n_i − 1):
    half the mean squared difference over the pairs of labels. The distances are not used, because R
    defines its own.
    """
    del spread
    n_categories = sums.n_categories
    ranks = SquaredSpread(np.arange(n_categories, dtype=np.float64))
    observed = observed_disagreement(sums, ranks) / 2
    return observed, np.full_like(observed, (n_categories**2 - 1) / 12)
