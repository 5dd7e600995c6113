"""Building blocks of a diagnosis: the thresholds that select findings, and shares of labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats, Ints, divide, shares
from ..counts import ItemCounts
from ..summands import CountedSummands
from ..sums import Feature


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds above (or below) which a finding is reported."""

    high_agreement: float = 0.8  # observed agreement that is usually considered high
    low_coefficient: float = 0.67  # Krippendorff 1980's lower bound for tentative conclusions
    dominant_share: float = 0.75  # share of all labels in one category
    bias: float = 0.02  # κ − π
    bias_p_value: float = 0.05  # p-value of the χ² test that annotators have the same margins
    chance_gap: float = 0.05  # mean local p_e − global p_e
    scale_gain: float = 0.15  # α ordinal, or α of merged categories, minus α nominal
    fine_scale: int = 5  # number of categories
    confusion: float = 0.2  # P(k | c) of two categories, the smaller of the two directions
    confused_pairs: int = 5  # pairs of labels in both categories; fewer may be chance
    annotator_gain: float = 0.05  # gain of π without one annotator
    atoms_gap: float = 0.2  # κ of atoms − γ
    few_documents: int = 5  # with a label other than the most frequent; else CIs are too narrow
    short_documents: int = 5  # items on average, up to which CIs over documents are too wide
    few_documents_with_units: int = 5  # the same for γ: documents with units


def category_shares(counts: ItemCounts) -> Floats:
    """Share of each category among all labels, (K,); all 0 without labels."""
    labels = counts.total.marginals.sum(axis=0)
    return np.asarray(labels / max(1, int(labels.sum())), dtype=np.float64)


def category_shares_by_annotator(counts: ItemCounts) -> Floats:
    """Share of each category among each annotator's labels, (A, K); nan for one without labels."""
    return shares(counts.marginals)


def agreement_between_items(counts: ItemCounts) -> tuple[Floats, Floats, float]:
    """Agreement of labels on different items: of each unit (D,), its labels (D,), and of all.

    The ordered pairs of equal labels are counted for the whole unit, minus the pairs within one
    item, without a table of the K² pairs.
    """
    labels, of_item = CountedSummands(counts).feature_matrix(Feature("pooled")), counts.n_labels

    def summed(of_rows: Floats | Ints) -> Floats:
        found = np.bincount(counts.unit, of_rows * counts.times, counts.n_units)
        return np.asarray(found, dtype=np.float64)

    n = summed(of_item)
    within = summed(np.asarray((counts.table * counts.table).sum(axis=1)) - of_item)
    pairs_within = summed(of_item * (of_item - 1))
    alike = np.asarray((labels * labels).sum(axis=1)) - n
    of_all, n_all = np.asarray(labels.sum(axis=0)), n.sum()
    whole = divide(
        (of_all**2).sum(keepdims=True) - n_all - within.sum(),
        n_all * (n_all - 1) - pairs_within.sum(keepdims=True),
    )
    return divide(alike - within, n * (n - 1) - pairs_within), n, float(whole[0])


def same_margins_p_value(counts: ItemCounts) -> float:
    """p-value of a χ² test that all annotators use the categories alike; 1 if it is not applicable.

    Labels on the same items agree more than independent labels, so the p-value is conservative.
    """
    from scipy.special import chdtrc

    labels = counts.marginals.astype(np.float64)
    labels = labels[labels.sum(axis=1) > 0][:, labels.sum(axis=0) > 0]
    if min(labels.shape) < 2:
        return 1.0
    expected = labels.sum(axis=1, keepdims=True) * labels.sum(axis=0) / labels.sum()
    statistic = ((labels - expected) ** 2 / expected).sum()
    return float(chdtrc((labels.shape[0] - 1) * (labels.shape[1] - 1), statistic))
