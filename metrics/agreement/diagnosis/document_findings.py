"""Findings on documents and batches: different distributions, too few for an interval."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...arrays import Ints, numbered
from ...coded_warning import Finding
from ..coefficients import compute_coefficient
from ..counts import count
from ..label_matrix import LabelMatrix
from .thresholds_and_shares import Thresholds, agreement_between_items


def inhomogeneous_documents(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """Distributions that differ between documents, which makes a global p_e too low.

    The local p_e of a document is the agreement of labels on *different* items of that document. If
    documents are alike, its mean is the global p_e, however short the documents are.
    """
    if matrix.documents is None:
        return None
    counts = count(matrix, by="documents")
    if counts.n_units < 2:
        return None
    local, weight, global_chance = agreement_between_items(counts)
    usable = ~np.isnan(local) & (weight > 0)
    if usable.sum() < 2:
        return None
    pi = compute_coefficient("fleiss_kappa", matrix)
    mean_local = float((local[usable] * weight[usable]).sum() / weight[usable].sum())
    if not mean_local - global_chance >= limits.chance_gap or math.isnan(pi.value):
        return None
    within = (pi.observed - mean_local) / (1 - mean_local) if mean_local < 1 else math.nan
    return Finding(
        "inhomogeneous_documents",
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


def few_documents(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """Few documents with a label other than the most frequent one: CIs may be too narrow.

    Only these documents move a chance-corrected coefficient, so with a rare category few documents
    count, however many there are. In simulation, 95 % CIs over three such documents contained the
    true value in .86 to .99 of the trials, over five in .90 or more
    (`benchmarks/results/coverage-items.md`); analytic CIs in fewer.
    """
    documents, codes = matrix.documents_to_resample, matrix.codes
    if documents is None:
        return None
    paired = (codes >= 0).sum(axis=1) >= 2
    labels = np.bincount(codes[paired].ravel() + 1, minlength=len(matrix.tagset) + 1)[1:]
    largest = int(labels.argmax())
    other = paired & ((codes >= 0) & (codes != largest)).any(axis=1)
    n_documents, n_other = (numbered(documents[those])[0].size for those in (paired, other))
    if not 0 < n_other < limits.few_documents:
        return None
    return Finding(
        "few_documents",
        {
            "dominant_category": matrix.tagset[largest],
            "n_with_others": n_other,
            "n_documents": n_documents,
            "fewest": limits.few_documents,
        },
    )


def short_documents(matrix: LabelMatrix, limits: Thresholds) -> Finding | None:
    """Documents of few items on average: CIs over them are rather too wide.

    In simulation with documents of 2 to 5 items, .71 of the 95 % CIs contained the true value in
    .91 to .97 of the campaigns, and nearly all others in more
    (`benchmarks/results/coverage-items.md`).
    """
    if matrix.documents_to_resample is None or few_documents(matrix, limits) is not None:
        return None
    items = matrix.documents_to_resample[matrix.n_labels >= 2]
    n_documents = np.unique(items).size
    if n_documents < 2 or items.size > limits.short_documents * n_documents:
        return None
    figures = {
        "items_per_document": items.size / n_documents,
        "n_documents": n_documents,
        "most": limits.short_documents,
    }
    return Finding("short_documents", figures)


def inhomogeneous_batches(matrix: LabelMatrix, batches: Ints) -> Finding | None:
    """Apply `inhomogeneous_documents` to batches; `batches` (N,) numbers each item's batch."""
    whole = replace(matrix, documents=batches)
    found = inhomogeneous_documents(whole, Thresholds())
    if found is None:
        return None
    own = {"pi_within_documents": "pi_within_batches", "n_documents": "n_batches"}
    figures = {own.get(name, name): figure for name, figure in found.figures.items()}
    return Finding("inhomogeneous_batches", figures)
