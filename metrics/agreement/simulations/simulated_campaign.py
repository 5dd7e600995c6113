"""Simulations with a campaign's own margins and annotators as accurate as its own.

The accuracy is derived from the observed agreement; the bands show where campaigns with the same
number of items would lie by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...arrays import Floats
from ...errors import MetricsError
from ..coefficients import coefficient_from_counts
from ..counts import count
from ..label_matrix import LabelMatrix
from .known_annotators import (
    MEASURES,
    SHARES,
    SIZES,
    CoefficientCurve,
    SampledCampaigns,
    coefficient_curve,
    evenly_spread_errors,
)


@dataclass(frozen=True, slots=True)
class CampaignMargins:
    """Input of a simulation from a campaign: the shares of its categories, and p_o.

    shares     float64 (K,): shares of the labels, sum 1
    agreement  observed agreement p_o of the campaign, in [0, 1]
    """

    tagset: tuple[str, ...]
    shares: Floats
    agreement: float
    n_items: int

    def __post_init__(self) -> None:
        if np.count_nonzero(self.shares) < 2:
            raise MetricsError("only one category is used: prevalence cannot be varied")
        if math.isnan(self.agreement):
            raise MetricsError("no item has two labels: there is no agreement to explain")

    @property
    def accuracy(self) -> float:
        """Accuracy q of every annotator, with q² + (1 − q)²/(K − 1) = p_o; at least 1/K.

        Two annotators agree if both are right, or if both make the same of K − 1 equally likely
        errors.
        """
        k = float(len(self.tagset))
        return (1 + math.sqrt(max(0.0, (k - 1) * (k * self.agreement - 1)))) / k

    @property
    def largest_category(self) -> int:
        """The most frequent category."""
        return int(self.shares.argmax())

    def shares_with_largest_at(self, share: float) -> Floats:
        """Set the share of the most frequent category and scale the others in proportion."""
        others = np.delete(self.shares, self.largest_category)
        return np.insert(others / others.sum() * (1 - share), self.largest_category, share)


def margins_of(matrix: LabelMatrix) -> CampaignMargins:
    """Return a campaign's margins. Raises MetricsError if there is nothing to vary or explain."""
    matrix.require_humans("A simulation")
    counts = count(matrix)
    labels = counts.marginals.sum(axis=0).astype(np.float64)
    if labels.sum() == 0:
        raise MetricsError("the matrix has no label")
    agreement = coefficient_from_counts("percent_agreement", counts).value
    return CampaignMargins(matrix.tagset, labels / labels.sum(), agreement, matrix.n_items)


def vary_campaign_prevalence(
    margins: CampaignMargins,
    *,
    shares: Sequence[float] | Floats = SHARES,
    measures: Sequence[str] = MEASURES,
    trials: int = 0,
    seed: int = 0,
) -> CoefficientCurve:
    """Vary the prevalence: the campaign's most frequent category takes each of `shares`.

    The other categories keep their relative proportions, and the annotators keep the accuracy that
    explains the campaign's observed agreement. With `trials`, this number of campaigns with as many
    items is drawn at each point, for the band.
    """
    errors = evenly_spread_errors(len(margins.tagset), margins.accuracy)
    return coefficient_curve(
        f"share of {margins.tagset[margins.largest_category]}",
        [(share, margins.shares_with_largest_at(share), errors) for share in shares],
        measures,
        SampledCampaigns(margins.n_items, trials, seed),
    )


def vary_campaign_tagset_size(
    margins: CampaignMargins,
    *,
    sizes: Sequence[int],
    measures: Sequence[str] = MEASURES,
    trials: int = 0,
    seed: int = 0,
) -> CoefficientCurve:
    """Run `coefficients_by_tagset_size` for annotators as accurate as the campaign's.

    The band comes from `trials` campaigns with the same number of items.
    """
    return coefficient_curve(
        "categories",
        [
            (size, np.full(size, 1 / size), evenly_spread_errors(size, margins.accuracy))
            for size in sizes
        ],
        measures,
        SampledCampaigns(margins.n_items, trials, seed),
    )


def run_experiment(
    margins: CampaignMargins, experiment: str, *, trials: int = 0, seed: int = 0
) -> CoefficientCurve:
    """Run `prevalence` or `categories` by name, with the campaign's own point among the others."""
    if experiment == "prevalence":
        shares = sorted({*SHARES, float(margins.shares[margins.largest_category])})
        return vary_campaign_prevalence(margins, shares=shares, trials=trials, seed=seed)
    if experiment == "categories":
        sizes = sorted({*SIZES, len(margins.tagset)})
        return vary_campaign_tagset_size(margins, sizes=sizes, trials=trials, seed=seed)
    raise MetricsError(f"no experiment {experiment!r}; there are prevalence and categories")
