"""Soft labels: rules by hand, calibration of a known truth, the predictive check."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.dirichlet_multinomial import fit_dirichlet, posterior_means
from accordeur.metrics.errors import MetricsError, RoleError
from accordeur.metrics.references.label_models.dawid_skene import dawid_skene
from accordeur.metrics.references.label_models.predictive_check import predictive_check
from accordeur.metrics.references.soft_labels import SOFT_RULES, held_out_fit, soft_labels


def matrix_of(codes: np.ndarray, width: int = 2) -> LabelMatrix:
    names = tuple(f"a{k}" for k in range(codes.shape[1]))
    return LabelMatrix(codes=codes, tagset=tuple("abcd"[:width]), annotators=names)


def varied(n_items: int, n_annotators: int, prior: tuple[float, ...], seed: int = 0) -> LabelMatrix:
    """Labels drawn from a distribution of each item's own: nobody errs."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(prior, size=n_items)
    codes = (rng.random((n_items, n_annotators, 1)) > p.cumsum(axis=1)[:, None, :-1]).sum(axis=2)
    return matrix_of(codes.astype(np.int32), len(prior))


def model_labels(seed: int, *, hard: bool = False, copies: bool = False) -> LabelMatrix:
    """Five annotators with their own accuracies; items of unequal difficulty, or a copier."""
    rng = np.random.default_rng(seed)
    truth, accuracy = rng.integers(0, 3, 200), rng.uniform(0.6, 0.9, 5)
    shift = rng.choice([-2.0, 0, 2], 200)[:, None] if hard else 0.0
    right = rng.random((200, 5)) < 1 / (1 + np.exp(-np.log(accuracy / (1 - accuracy)) - shift))
    codes = np.where(right, truth[:, None], (truth[:, None] + rng.integers(1, 3, (200, 5))) % 3)
    if copies:
        codes[:, 1] = np.where(rng.random(200) < 0.5, codes[:, 0], codes[:, 1])
    return matrix_of(codes.astype(np.int32), 3)


def test_the_rules_by_hand() -> None:
    codes = np.array([[0, 0, 1], [1, 1, -1], [-1, -1, -1]], dtype=np.int32)
    votes = soft_labels(matrix_of(codes))
    np.testing.assert_allclose(votes.probabilities[:2], [[2 / 3, 1 / 3], [0, 1]])
    assert np.isnan(votes.probabilities[2]).all()
    counts = matrix_of(codes).counts()
    prior = fit_dirichlet(counts)
    np.testing.assert_allclose(prior / prior.sum(), [0.4, 0.6])
    shrunk = soft_labels(matrix_of(codes), "dirichlet").probabilities
    np.testing.assert_allclose(shrunk[0], (counts[0] + prior) / (3 + prior.sum()))
    model = soft_labels(matrix_of(codes), "dawid_skene").probabilities
    np.testing.assert_array_equal(model[:2], dawid_skene(matrix_of(codes)).posterior[:2])


def test_the_concentration_is_recovered() -> None:
    counts = varied(4000, 8, (0.6, 0.3, 1.1)).counts()
    np.testing.assert_allclose(fit_dirichlet(counts), [0.6, 0.3, 1.1], rtol=0.08)
    rows = posterior_means(counts, fit_dirichlet(counts))
    np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_shrinking_predicts_other_annotators_better_than_votes() -> None:
    """With 3 labels an item votes are 0 or 1 too often; the Dirichlet is the truth here."""
    matrix = varied(1500, 4, (0.5, 0.5), seed=3)
    votes, shrunk = (held_out_fit(matrix, rule) for rule in ("votes", "dirichlet"))
    assert shrunk.log_loss < votes.log_loss - 0.02
    assert shrunk.log_loss < shrunk.baseline
    assert shrunk.calibration_error < 0.03 < votes.calibration_error
    assert sum(one.n for one in shrunk.bins) == 2 * shrunk.n_labels == 2 * 4 * 1500


def test_no_annotator_predicts_himself() -> None:
    """An annotator who labels against all others would be predicted well from his own labels."""
    codes = np.zeros((50, 4), dtype=np.int32)
    codes[:, 3] = 1
    found = held_out_fit(matrix_of(codes))
    assert found.log_loss > 1.0
    nobody = np.array([[0, -1], [-1, 1]], dtype=np.int32)
    assert np.isnan(held_out_fit(matrix_of(nobody)).log_loss)


@pytest.mark.parametrize("rule", SOFT_RULES)
def test_systems_make_no_reference(rule: str) -> None:
    matrix = LabelMatrix(
        codes=np.array([[0, 1]]),
        tagset=("a", "b"),
        annotators=("x", "gpt"),
        roles=("human", "system"),
    )
    with pytest.raises(RoleError, match="gpt"):
        soft_labels(matrix, rule)  # type: ignore[arg-type]
    with pytest.raises(MetricsError, match="votes"):
        soft_labels(matrix, "vote")  # type: ignore[arg-type]


def test_the_check_sees_hard_items_and_copies() -> None:
    hard = predictive_check(model_labels(1, hard=True))
    assert hard.fails
    assert hard.p_items == 0.02  # the smallest of 99 draws, two-sided
    copies = predictive_check(model_labels(2, copies=True))
    assert copies.fails
    assert copies.worst_discrepancy == "pairs"


@pytest.mark.long
def test_the_check_is_calm_on_labels_of_the_model() -> None:
    fails = [predictive_check(model_labels(seed), n_draws=59).fails for seed in range(40)]
    assert sum(fails) <= 6  # .05 of 40, and 6 or fewer in 99 of 100 such studies


@pytest.mark.shared
def test_log_loss_of_brexit(shared_data: Path) -> None:
    """Six annotators in two groups of three: the model of one truth fits the pairs badly."""
    with (shared_data / "hs_brexit" / "HS-Brexit_long.csv").open() as file:
        rows = list(csv.DictReader(file))
    matrix = label_matrix(
        items=[row["item"] for row in rows],
        annotators=[row["annotator"] for row in rows],
        labels=[row["label"] for row in rows],
    )
    loss = {rule: held_out_fit(matrix, rule).log_loss for rule in SOFT_RULES}
    assert loss["dirichlet"] < loss["votes"] < loss["dawid_skene"] < held_out_fit(matrix).baseline
    check = predictive_check(matrix)
    assert (check.fails, check.worst_discrepancy) == (True, "pairs")
