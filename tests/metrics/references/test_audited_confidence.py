"""Confidence in labels from an audit: it holds where annotators share errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import beta

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.references.audited_confidence import FEWEST_AUDITED, audited_confidence
from accordeur.metrics.references.label_models.dawid_skene import dawid_skene


def planted(seed: int, n: int = 600) -> tuple[LabelMatrix, np.ndarray, np.ndarray]:
    """Ten annotators, three categories; on a fifth of the items most see the same wrong one."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, n, p=[0.5, 0.3, 0.2])
    seen = np.where(rng.random(n) < 0.2, (truth + 1) % 3, truth)
    right = rng.random((n, 10)) < rng.uniform(0.55, 0.95, 10)
    codes = np.where(right, seen[:, None], rng.integers(0, 3, (n, 10))).astype(np.int32)
    codes[rng.random((n, 10)) < 0.5] = -1
    names = tuple(f"a{k}" for k in range(10))
    matrix = LabelMatrix(codes=codes, tagset=("x", "y", "z"), annotators=names)
    return matrix, truth, dawid_skene(matrix).reference.codes


def audit_of(truth: np.ndarray, n: int, seed: int) -> np.ndarray:
    audit = np.full(len(truth), -1)
    chosen = np.random.default_rng(seed).choice(len(truth), n, replace=False)
    audit[chosen] = truth[chosen]
    return audit


@pytest.mark.parametrize("seed", range(3))
def test_labels_of_a_confidence_are_right_as_often_as_it_says(seed: int) -> None:
    matrix, truth, codes = planted(seed)
    labelled = np.flatnonzero(codes >= 0)
    is_right = codes[labelled] == truth[labelled]
    posterior = dawid_skene(matrix).posterior[labelled].max(axis=1)
    assert posterior.mean() > is_right.mean() + 0.1  # the model is sure of shared errors
    parts = np.array_split(np.argsort(posterior, kind="stable"), 4)
    found = [
        audited_confidence(matrix, codes, audit_of(truth, 100, k))[labelled] for k in range(20)
    ]
    for part in parts:  # one audit has an error of its own, which their mean has not
        k, n = int(is_right[part].sum()), len(part)
        low, high = beta.ppf([0.025, 0.975], [k, k + 1], [n - k + 1, n - k])
        said = np.mean([one[part].mean() for one in found])
        assert abs(k / n - said) <= 0.05 or low <= said <= high


def test_few_audited_items_give_no_confidence_and_no_error_is_not_certainty() -> None:
    matrix, truth, codes = planted(0)
    few = audit_of(truth, FEWEST_AUDITED - 1, 0)
    assert np.isnan(audited_confidence(matrix, codes, few)).all()
    all_right = np.where(np.arange(len(codes)) < 80, codes, -1)
    confidence = audited_confidence(matrix, codes, all_right)
    assert (np.isnan(confidence) == (codes < 0)).all()
    assert np.nanmin(confidence) > 0.9
    assert np.nanmax(confidence) < 1
