"""Campaigns of three annotators on documents that differ."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.agreement.label_matrix import LabelMatrix


def sample(
    seed: int,
    *,
    n_items: int = 60,
    n_documents: int = 12,
    accuracy: float = 0.8,
    spread: float = 0.0,
    difficulty: float = 0.0,
) -> LabelMatrix:
    """Three annotators of two categories; documents differ in prevalence by `spread`, and in how
    often annotators are right by `difficulty`."""
    rng = np.random.default_rng(seed)
    documents = np.sort(rng.integers(0, n_documents, n_items))
    prevalence = np.clip(0.4 + spread * rng.standard_normal(n_documents), 0.02, 0.98)
    truth = (rng.random(n_items) < prevalence[documents]).astype(int)
    mastery = np.clip(accuracy + difficulty * rng.standard_normal(n_documents), 0.5, 1)
    right = rng.random((n_items, 3)) < mastery[documents, None]
    codes = np.where(right, truth[:, None], 1 - truth[:, None])
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("A", "B"),
        annotators=("x", "y", "z"),
        documents=documents,
    )
