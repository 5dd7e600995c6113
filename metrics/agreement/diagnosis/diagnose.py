"""Diagnose why a coefficient is low or high: findings, each with its figures and advice.

Each function checks one known cause and returns a finding, or None if the figures do not show it;
`diagnose` runs them all. The thresholds are in `thresholds_and_shares`: they select what is worth
reading; they are not tests.

| module | what it checks |
|---|---|
| `category_findings` | prevalence, unused and confused categories |
| `annotator_findings` | bias, an outlier annotator, an annotator with other categories |
| `document_findings` | documents or batches that differ, or are few |
| here | the fineness of the scale, spans cut into atoms, layers of a few units or documents |
"""

from __future__ import annotations

import math

import numpy as np

from ...coded_warning import Finding
from ...estimate import Estimate
from ...measures import coefficient_of, measure_of
from ..coefficients import compute_coefficient
from ..counts import ItemCounts, count
from ..distances import Distance, category_values, compares_numbers
from ..label_matrix import LabelMatrix
from ..resampling_units import coefficient_values
from ..summands import CountedSummands
from ..sums import sums_of_each
from .annotator_findings import annotator_bias, annotator_without_shared_category, outlier_annotator
from .category_findings import (
    confused_categories,
    prevalence_paradox,
    single_category,
    unused_categories,
)
from .document_findings import few_documents, inhomogeneous_documents
from .thresholds_and_shares import Thresholds


def diagnose(
    matrix: LabelMatrix,
    *,
    distance: Distance = "nominal",
    thresholds: Thresholds | None = None,
) -> list[Finding]:
    """Return all findings on a matrix of labels in a fixed order, [] if there are none."""
    matrix.require_humans("The diagnosis of agreement")
    limits = thresholds or Thresholds()
    unordered = isinstance(distance, str) and distance == "nominal"
    found = [
        annotator_without_shared_category(count(matrix).marginals, matrix.annotators, matrix.tagset)
        if matrix.members is None  # sets of labels: one tag in common is enough
        else None,
        single_category(matrix),
        prevalence_paradox(matrix, limits),
        annotator_bias(matrix, limits),
        unused_categories(matrix),
        few_documents(matrix, limits),
        inhomogeneous_documents(matrix, limits),
        too_fine_scale(matrix, limits) if unordered else None,
        confused_categories(matrix, limits) if not compares_numbers(distance) else None,
        outlier_annotator(matrix, limits, distance=distance),
    ]
    return [finding for finding in found if finding is not None]


def too_fine_scale(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """An ordered scale finer than the annotators can judge: near misses count as errors."""
    n_categories = len(matrix.tagset)
    if n_categories < limits.fine_scale or category_values(matrix.tagset) is None:
        return None
    total = count(matrix).total
    nominal, ordinal = _alpha(total), _alpha(total, "ordinal")
    halved = _alpha(merge_neighbouring_categories(total, 2))
    if not max(ordinal, halved) - nominal >= limits.scale_gain:
        return None
    two = _alpha(merge_neighbouring_categories(total, math.ceil(n_categories / 2)))
    return Finding(
        "fine_scale",
        {
            "alpha_nominal": nominal,
            "alpha_ordinal": ordinal,
            "alpha_interval": _alpha(total, "interval"),
            "alpha_halved": halved,
            "alpha_two_classes": two,
            "n_categories": n_categories,
        },
    )


def atoms_against_gamma(
    atoms: LabelMatrix, gamma: Estimate, thresholds: Thresholds | None = None
) -> Finding | None:
    """Spans cut into atoms: κ of the atoms beside γ of the spans. Only a warning, never a value.

    `atoms` labels each character, token or second with the category of the unit that covers it;
    `gamma` is computed elsewhere from the units themselves.
    """
    limits = thresholds or Thresholds()
    kappa = compute_coefficient("conger_kappa", atoms)
    if not abs(kappa.value - gamma.value) >= limits.atoms_gap:
        return None
    return Finding(
        "atoms", {"kappa_on_atoms": kappa.value, "gamma": gamma.value, "n_atoms": atoms.n_items}
    )


def few_units(gamma: Estimate, fewest: int) -> Finding | None:
    """γ of a layer with fewer than `fewest` units, which are too few for chance samples."""
    if not 0 < gamma.n_items < fewest:
        return None
    return Finding("few_units", {"n_units": gamma.n_items, "fewest": fewest})


def few_documents_with_units(
    gamma: Estimate, thresholds: Thresholds | None = None
) -> Finding | None:
    """γ of few documents: its interval is wide. With fewer than it needs, there is none."""
    fewest = (thresholds or Thresholds()).few_documents_with_units
    n = gamma.detail.n_documents - gamma.detail.n_documents_without_units
    if not measure_of(gamma.measure).fewest <= n < fewest:
        return None
    return Finding("few_documents_with_units", {"n_documents": n, "fewest": fewest})


def _alpha(counts: ItemCounts, distance: Distance = "nominal") -> float:
    sums = sums_of_each(CountedSummands(counts))
    alpha = coefficient_of("krippendorff_alpha")
    return float(coefficient_values([alpha], sums, distance, counts.tagset)[0, 0])


def merge_neighbouring_categories(counts: ItemCounts, width: int) -> ItemCounts:
    """Map the labels to a coarser scale, on which `width` neighbouring categories are one."""
    names, into = counts.tagset, np.arange(len(counts.tagset)) // width
    tagset = tuple("/".join(names[start : start + width]) for start in range(0, len(names), width))
    return counts.collapse_categories(into.tolist(), tagset)
