"""Building blocks of a diagnosis: the thresholds that select findings, and shares of labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Floats, Ints, Ints32, divide, shares
from ..counts import ItemCounts

_MOST_CELLS = 10_000_000  # documents × categories counted densely: 80 MB


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
    few_documents_with_units: int = 5  # the same for γ: documents with units


def label_shares(counts: ItemCounts) -> Floats:
    """Share of each category among all labels, (K,); all 0 without labels."""
    labels = counts.marginals.sum(axis=0)
    return np.asarray(labels / max(1, int(labels.sum())), dtype=np.float64)


def annotator_shares(counts: ItemCounts) -> Floats:
    """Share of each category among each annotator's labels, (A, K); nan for one without labels."""
    return shares(counts.marginals)


def chance_between_items(
    codes: Ints32, documents: Ints, n_categories: int
) -> tuple[Floats, Floats]:
    """Agreement of labels on different items of each document, (D,), and its number of labels.

    codes      (N, A): -1 where there is no label
    documents  (N,): from 0 to D - 1

    The ordered pairs of equal labels are counted for the whole document, minus the pairs within one
    item, without a table of the K² pairs.
    """
    n_documents = int(documents.max(initial=-1)) + 1
    per_item = (codes >= 0).sum(axis=1)

    def summed(of_items: Ints) -> Floats:
        return np.asarray(np.bincount(documents, of_items, n_documents), dtype=np.float64)

    n = summed(per_item)
    alike = _equal_pairs_in_documents(codes, documents, n_categories, n_documents)
    alike -= summed(_equal_pairs_in_items(codes))
    pairs = n * (n - 1) - summed(per_item * (per_item - 1))
    return divide(alike, pairs), n


def _equal_pairs_in_items(codes: Ints32) -> Ints:
    """Ordered pairs of equal labels on each item, (N,)."""
    ordered = np.sort(codes, axis=1)
    found = np.zeros(codes.shape[0], dtype=np.int64)
    before = np.zeros_like(found)  # how many earlier labels of the item equal this one
    for a in range(1, codes.shape[1]):
        same = (ordered[:, a] == ordered[:, a - 1]) & (ordered[:, a] >= 0)
        before = np.where(same, before + 1, 0)
        found += 2 * before
    return found


def _equal_pairs_in_documents(
    codes: Ints32, documents: Ints, n_categories: int, n_documents: int
) -> Floats:
    """Ordered pairs of equal labels in each document, (D,)."""
    items, annotators = np.nonzero(codes >= 0)
    cells = documents[items] * n_categories + codes[items, annotators]
    if n_documents * n_categories <= _MOST_CELLS:
        n = np.bincount(cells, minlength=n_documents * n_categories).reshape(n_documents, -1)
        return (n * (n - 1)).sum(axis=1).astype(np.float64)
    used, n = np.unique(cells, return_counts=True)
    alike = np.bincount(used // n_categories, n * (n - 1), n_documents)
    return np.asarray(alike, dtype=np.float64)


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
