"""What stands behind a coefficient: findings, each with its figures and what to do.

A coefficient alone does not say why it is low or high. Each function below looks for one known
cause and returns a finding, or None when the figures do not show it; `diagnose` runs them all. The
thresholds are stated in `Thresholds`: they select what is worth reading, they are not tests.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.agreement.counts import count
from metrics.agreement.detail import keep_annotators, leave_one_out, per_category
from metrics.agreement.distances import Distance, category_values
from metrics.agreement.findings import (
    Finding,
    Thresholds,
    annotator_shares,
    chance_between_items,
    label_shares,
    same_margins_p_value,
)
from metrics.agreement.label_matrix import LabelMatrix
from metrics.agreement.observed_distances import conditional_probabilities, proposed_distances
from metrics.agreement.registry import compute, compute_all, resolve_sets
from metrics.estimate import Estimate

Floats = NDArray[np.float64]


def diagnose(
    matrix: LabelMatrix,
    *,
    distance: Distance = "nominal",
    values: Floats | None = None,
    thresholds: Thresholds | None = None,
) -> list[Finding]:
    """All findings on a matrix of labels, in a fixed order; [] when nothing stands out."""
    matrix.require_humans("The diagnosis of agreement")
    limits = thresholds or Thresholds()
    found = [
        prevalence(matrix, limits),
        annotator_bias(matrix, limits),
        unused_categories(matrix),
        inhomogeneous_documents(matrix, limits),
        fine_scale(matrix, limits, values=values),
        confused_categories(matrix, limits),
        annotator_apart(matrix, limits, distance=distance, values=values),
    ]
    return [finding for finding in found if finding is not None]


def prevalence(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """High observed agreement, low coefficient, one category with most of the labels.

    The paradox of Feinstein & Cicchetti 1990. It is no artefact: the coefficient then measures the
    agreement on the rare categories.
    """
    pi, ac1 = compute_all(matrix, measures=("fleiss_kappa", "gwet_ac1"))
    shares = label_shares(count(matrix))
    if not (
        pi.observed >= limits.high_agreement
        and pi.value < limits.low_coefficient
        and shares.max(initial=0.0) >= limits.dominant_share
    ):
        return None
    largest = int(shares.argmax())
    rare = [
        (name, estimate)
        for k, (name, estimate) in enumerate(per_category("fleiss_kappa", matrix))
        if shares[k] > 0 and k != largest and not math.isnan(estimate.value)
    ]
    worst_name, worst = min(rare, key=lambda named: named[1].value)
    return Finding(
        "prevalence",
        "One category prevails",
        f"Annotators agree on {pi.observed:.1%} of pairs, but π is {pi.value:.2f}: "
        f"{matrix.tagset[largest]!r} has {shares[largest]:.1%} of the labels, and on "
        f"{worst_name!r} agreement is {worst.value:.2f}.",
        "Read the agreement by category and the confusion matrix. If the rare categories matter, "
        "the low value is the right warning: train on them, or draw items where they occur. Give "
        "the coefficients over several universes of items rather than a more lenient coefficient.",
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


def annotator_bias(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """κ above π: annotators use the categories with different frequencies, and κ rewards it.

    Few labels an annotator give different frequencies by accident: the χ² test of equal margins
    must also say so.
    """
    pi, kappa = compute_all(matrix, measures=("fleiss_kappa", "conger_kappa"))
    counts = count(matrix)
    p_value = same_margins_p_value(counts)
    if not (kappa.value - pi.value >= limits.bias and p_value < limits.bias_p_value):
        return None
    shares = annotator_shares(counts)
    active = np.nonzero(~np.isnan(shares).any(axis=1))[0]
    apart = np.abs(shares[active, None] - shares[None, active]).sum(axis=2) / 2
    a, b = np.unravel_index(int(apart.argmax()), apart.shape)
    first, second = int(active[a]), int(active[b])
    k = int(np.abs(shares[first] - shares[second]).argmax())
    return Finding(
        "bias",
        "Annotators use the categories differently",
        f"κ ({kappa.value:.2f}) is above π ({pi.value:.2f}): {matrix.annotators[first]} gives "
        f"{matrix.tagset[k]!r} to {shares[first, k]:.0%} of items, {matrix.annotators[second]} "
        f"to {shares[second, k]:.0%}.",
        "Report π or α: κ rises because annotators differ. Discuss this category and when to use "
        "it, then have the same items annotated again.",
        {
            "kappa": kappa.value,
            "pi": pi.value,
            "first": matrix.annotators[first],
            "second": matrix.annotators[second],
            "category": matrix.tagset[k],
            "first_share": float(shares[first, k]),
            "second_share": float(shares[second, k]),
            "total_variation": float(apart.max()),
            "p_value": p_value,
        },
    )


def unused_categories(matrix: LabelMatrix) -> Finding | None:
    """Declared categories that nobody used: S (and Finn's R, AC1) count them, π, κ and α do not."""
    used = label_shares(count(matrix)) > 0
    unused = [category for category, seen in zip(matrix.tagset, used, strict=True) if not seen]
    if not unused or not used.any():
        return None
    renumber = np.append(np.where(used, np.cumsum(used) - 1, -1), -1).astype(np.int32)
    kept = tuple(category for category, seen in zip(matrix.tagset, used, strict=True) if seen)
    s = compute("bennett_s", matrix)
    smaller = replace(matrix, codes=renumber[matrix.codes], tagset=kept, members=None)
    s_used = compute("bennett_s", smaller)
    figures: dict[str, float | int | str] = {
        "n_declared": len(matrix.tagset),
        "n_used": len(kept),
        "unused": ", ".join(unused),
        "bennett_s": s.value,
        "bennett_s_used": s_used.value,
    }
    moved = "" if math.isnan(s_used.value) else f" S is {s.value:.2f}, and {s_used.value:.2f} over "
    moved = moved and f"{moved}the categories used."
    return Finding(
        "unused_categories",
        "Categories never used",
        f"{len(unused)} of {len(matrix.tagset)} declared categories have no label "
        f"({', '.join(unused)}).{moved}",
        "Remove them from the tagset, or find items where they apply. Do not report S before.",
        figures,
    )


def inhomogeneous_batches(
    matrix: LabelMatrix, batches: NDArray[np.int64], thresholds: Thresholds | None = None
) -> Finding | None:
    """As `inhomogeneous_documents`, between batches: `batches` (N,) numbers those of the items."""
    whole = replace(matrix, documents=batches)
    found = inhomogeneous_documents(whole, thresholds or Thresholds())
    if found is None:
        return None
    figures = found.figures
    return replace(
        found,
        kind="inhomogeneous_batches",
        title="Batches differ in their categories",
        seen="Labels on two different items of one batch are the same "
        f"{figures['p_e_local_mean']:.0%} of the time, of the whole campaign "
        f"{figures['p_e_global']:.0%}: π is {figures['pi']:.2f} with global chance and "
        f"{figures['pi_within_documents']:.2f} with the batches' own.",
        advice="Read the values per batch before the global one, and ask whether the batches hold "
        "other texts or were made under another guideline.",
        figures={
            {"pi_within_documents": "pi_within_batches", "n_documents": "n_batches"}.get(k, k): v
            for k, v in figures.items()
        },
    )


def inhomogeneous_documents(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """Distributions that differ between documents: a global p_e is then too low.

    The local p_e of a document is the agreement of labels on *different* items of that document,
    which is the global p_e on average when documents are alike, however short they are.
    """
    if matrix.documents is None or np.unique(matrix.documents).size < 2:
        return None
    counts = count(matrix, by="documents")
    local, weight = chance_between_items(counts)
    usable = ~np.isnan(local) & (weight > 0)
    if usable.sum() < 2:
        return None
    pi = compute("fleiss_kappa", matrix)
    global_chance = float(chance_between_items(counts.total())[0][0])
    mean_local = float((local[usable] * weight[usable]).sum() / weight[usable].sum())
    if not mean_local - global_chance >= limits.chance_gap or math.isnan(pi.value):
        return None
    within = (pi.observed - mean_local) / (1 - mean_local) if mean_local < 1 else math.nan
    return Finding(
        "inhomogeneous_documents",
        "Documents differ in their categories",
        f"Labels on two different items of one document are the same {mean_local:.0%} of the time, "
        f"of the whole campaign {global_chance:.0%}: π is {pi.value:.2f} with global chance and "
        f"{within:.2f} with the documents' own.",
        "Read the values per document or batch before the global one; part of the global agreement "
        "only says that annotators tell the documents apart.",
        {
            "pi": pi.value,
            "pi_within_documents": within,
            "p_o": pi.observed,
            "p_e_global": global_chance,
            "p_e_local_mean": mean_local,
            "p_e_local_min": float(local[usable].min()),
            "p_e_local_max": float(local[usable].max()),
            "n_documents": int(usable.sum()),
        },
    )


def fine_scale(
    matrix: LabelMatrix, limits: Thresholds, *, values: Floats | None = None
) -> Finding | None:
    """An ordered scale finer than the annotators' judgement: near misses counted as errors."""
    n_categories = len(matrix.tagset)
    if n_categories < limits.fine_scale or category_values(matrix.tagset, values) is None:
        return None
    nominal = compute("krippendorff_alpha", matrix)
    ordinal = compute("krippendorff_alpha", matrix, distance="ordinal")
    interval = compute("krippendorff_alpha", matrix, distance="interval", values=values)
    halved = compute("krippendorff_alpha", merge_neighbours(matrix, 2))
    two = compute("krippendorff_alpha", merge_neighbours(matrix, math.ceil(n_categories / 2)))
    gain = max(ordinal.value, halved.value) - nominal.value
    if not gain >= limits.scale_gain:
        return None
    return Finding(
        "fine_scale",
        "The scale is finer than the judgement, or was taken as nominal",
        f"α is {nominal.value:.2f} as {n_categories} unrelated categories, {ordinal.value:.2f} as "
        f"an ordered scale, {halved.value:.2f} with neighbours merged two by two and "
        f"{two.value:.2f} as two classes.",
        "Use an ordinal or interval distance, declared before looking at the values. If only the "
        "merged classes reach the level you need, give the annotators those classes.",
        {
            "alpha_nominal": nominal.value,
            "alpha_ordinal": ordinal.value,
            "alpha_interval": interval.value,
            "alpha_halved": halved.value,
            "alpha_two_classes": two.value,
            "n_categories": n_categories,
        },
    )


def confused_categories(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """Categories that annotators take for one another, and the distances this would propose."""
    table = count(matrix).pairs.sum(axis=(0, 1))
    chances = conditional_probabilities(table)
    both = np.minimum(np.nan_to_num(chances), np.nan_to_num(chances.T))
    np.fill_diagonal(both, 0.0)
    if both.size == 0 or both.max() < limits.confusion or len(matrix.tagset) < 3:
        return None
    c, k = np.unravel_index(int(both.argmax()), both.shape)
    of_alpha, of_kappa = proposed_distances(table)
    names = matrix.tagset
    return Finding(
        "confused_categories",
        "Two categories are often taken for one another",
        f"When one annotator says {names[c]!r} another says {names[k]!r} {chances[c, k]:.0%} of "
        f"the time, and {chances[k, c]:.0%} the other way.",
        "Make the guideline's border between the two clearer, or merge them. The distances below "
        "are a proposal drawn from the annotations: put them in the campaign file only if their "
        "closeness was meant, because used blindly they turn confusions into agreement.",
        {
            "first": names[c],
            "second": names[k],
            "second_given_first": float(chances[c, k]),
            "first_given_second": float(chances[k, c]),
            "d_alpha": float(of_alpha[c, k]),
            "d_kappa_w": float(of_kappa[c, k]),
        },
        {
            "P(column | row)": (names, names, chances),
            "proposed d_α": (names, names, of_alpha),
            "proposed d_κω": (names, names, of_kappa),
        },
    )


def annotator_apart(
    matrix: LabelMatrix,
    limits: Thresholds,
    *,
    distance: Distance = "nominal",
    values: Floats | None = None,
) -> Finding | None:
    """One annotator without whom the others agree clearly better than without anyone else."""
    if matrix.n_annotators < 3:
        return None
    table = resolve_sets(distance, matrix)
    everyone = compute("krippendorff_alpha", matrix, distance=table, values=values)
    without = leave_one_out("krippendorff_alpha", matrix, distance=table, values=values)
    gains = np.array([estimate.value - everyone.value for _, estimate in without])
    if np.isnan(gains).all() or math.isnan(everyone.value):
        return None
    order = np.argsort(np.nan_to_num(gains, nan=-2.0))[::-1]
    best, second = int(order[0]), int(order[1])
    if gains[best] < limits.annotator_gain or gains[best] < 2 * max(gains[second], 0.0):
        return None
    own = _with_each_other(matrix, best)
    return Finding(
        "annotator_apart",
        "One annotator stands apart",
        f"Without {matrix.annotators[best]} α rises from {everyone.value:.2f} to "
        f"{without[best][1].value:.2f}; their mean π with the others is {own:.2f}.",
        "Look at this annotator's items before leaving anyone out: they may be the only one who "
        "follows the guideline.",
        {
            "annotator": matrix.annotators[best],
            "alpha": everyone.value,
            "alpha_without": without[best][1].value,
            "next_gain": float(gains[second]),
            "mean_pi_with_others": own,
        },
    )


def atoms_against_gamma(
    atoms: LabelMatrix, gamma: Estimate, thresholds: Thresholds | None = None
) -> Finding | None:
    """Spans forced into atoms: κ of the atoms beside γ of the spans. A warning, never the value.

    `atoms` labels each character, token or second with the category of the unit over it; `gamma`
    is computed elsewhere on the units themselves.
    """
    limits = thresholds or Thresholds()
    kappa = compute("conger_kappa", atoms)
    if not abs(kappa.value - gamma.value) >= limits.atoms_gap:
        return None
    return Finding(
        "atoms",
        "κ on atoms does not see the units",
        f"Cut into atoms the spans give κ {kappa.value:.2f}; as units they give γ "
        f"{gamma.value:.2f}.",
        "Report γ (or another measure on units). κ on atoms rewards long units and does not see "
        "how many units there are.",
        {"kappa_on_atoms": kappa.value, "gamma": gamma.value, "n_atoms": atoms.n_items},
    )


def merge_neighbours(matrix: LabelMatrix, width: int) -> LabelMatrix:
    """The same labels on a coarser scale: `width` neighbouring categories become one."""
    codes = np.where(matrix.codes < 0, -1, matrix.codes // width).astype(np.int32)
    starts = range(0, len(matrix.tagset), width)
    tagset = tuple("/".join(matrix.tagset[start : start + width]) for start in starts)
    return replace(matrix, codes=codes, tagset=tagset, members=None)


def _with_each_other(matrix: LabelMatrix, annotator: int) -> float:
    values = [
        compute("scott_pi", keep_annotators(matrix, (annotator, other))).value
        for other in range(matrix.n_annotators)
        if other != annotator
    ]
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan
