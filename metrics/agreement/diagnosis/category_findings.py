"""Findings on categories: one that dominates, unused ones, pairs that are often confused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...coded_warning import Finding
from ...measures import OF_ONE_CATEGORY
from ..breakdown import coefficient_by_category
from ..coefficients import SINGLE_CATEGORY, compute_coefficient, compute_coefficients
from ..counts import count
from ..label_matrix import LabelMatrix
from ..observed_distances import conditional_probabilities, proposed_distances
from .thresholds_and_shares import Thresholds, category_shares


def prevalence_paradox(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """High observed agreement, low coefficient, and one category with most of the labels.

    The paradox of Feinstein & Cicchetti 1990. It is not an artefact: the coefficient then measures
    the agreement on the rare categories.
    """
    shares = category_shares(count(matrix))
    if not shares.max(initial=0.0) >= limits.dominant_share:
        return None
    pi, ac1 = compute_coefficients(matrix, measures=("fleiss_kappa", OF_ONE_CATEGORY))
    if not (pi.observed >= limits.high_agreement and pi.value < limits.low_coefficient):
        return None
    largest = int(shares.argmax())
    rare = [
        (name, estimate)
        for k, (name, estimate) in enumerate(coefficient_by_category("fleiss_kappa", matrix))
        if shares[k] > 0 and k != largest and not math.isnan(estimate.value)
    ]
    worst_name, worst = min(rare, key=lambda named: named[1].value)
    return Finding(
        "prevalence",
        {
            "p_o": pi.observed,
            "pi": pi.value,
            "gwet_ac1": ac1.value,
            "dominant_category": matrix.tagset[largest],
            "dominant_share": float(shares[largest]),
            "worst_category": worst_name,
            "worst_category_pi": worst.value,
        },
    )


def single_category(matrix: LabelMatrix) -> Finding | None:
    """All labels in one category: agreement beyond chance cannot be estimated, except by AC1."""
    used = np.flatnonzero(category_shares(count(matrix)))
    if used.size != 1:
        return None
    pi, ac1 = compute_coefficients(matrix, measures=("fleiss_kappa", OF_ONE_CATEGORY))
    if pi.reason != SINGLE_CATEGORY:
        return None
    category = matrix.tagset[used[0]]
    return Finding(
        "single_category", {"category": category, "gwet_ac1": ac1.value, "p_o": pi.observed}
    )


def unused_categories(matrix: LabelMatrix) -> Finding | None:
    """Declared categories that nobody used: S, Finn's R and AC1 count them; π, κ and α do not."""
    used = category_shares(count(matrix)) > 0
    unused = [category for category, seen in zip(matrix.tagset, used, strict=True) if not seen]
    if not unused or not used.any():
        return None
    renumber = np.append(np.where(used, np.cumsum(used) - 1, -1), -1).astype(np.int32)
    kept = tuple(category for category, seen in zip(matrix.tagset, used, strict=True) if seen)
    s = compute_coefficient("bennett_s", matrix)
    smaller = replace(matrix, codes=renumber[matrix.codes], tagset=kept, members=None)
    s_used = compute_coefficient("bennett_s", smaller)
    figures: dict[str, float | int | str] = {
        "n_declared": len(matrix.tagset),
        "n_used": len(kept),
        "unused": ", ".join(unused),
        "bennett_s": s.value,
        "bennett_s_used": s_used.value,
    }
    return Finding("unused_categories", figures)


def confused_categories(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """Categories that annotators often confuse, and the distances that this suggests."""
    table = count(matrix).total.pairs
    chances = conditional_probabilities(table)
    both = np.minimum(np.nan_to_num(chances), np.nan_to_num(chances.T))
    np.fill_diagonal(both, 0.0)
    both[table < limits.confused_pairs] = 0.0  # pairs are ordered, so each is in its own cell once
    if both.size == 0 or both.max() < limits.confusion or len(matrix.tagset) < 3:
        return None
    c, k = np.unravel_index(int(both.argmax()), both.shape)
    of_alpha, of_kappa = proposed_distances(table)
    names = matrix.tagset
    return Finding(
        "confused_categories",
        {
            "first": names[c],
            "second": names[k],
            "second_given_first": float(chances[c, k]),
            "first_given_second": float(chances[k, c]),
            "d_alpha": float(of_alpha[c, k]),
            "d_kappa_w": float(of_kappa[c, k]),
        },
        tables={
            "P(column | row)": (names, names, chances),
            "proposed d_α": (names, names, of_alpha),
            "proposed d_κω": (names, names, of_kappa),
        },
    )
