"""Predicted agreement: how often a further annotator gives the label of the reference."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix, label_matrix
from accordeur.metrics.references.further_annotator import (
    hold_out_annotators,
    model_share,
    predict_by_model,
    predict_by_votes,
    predicted_agreement,
)
from accordeur.metrics.references.label_models.dawid_skene import POOLED_STRENGTH, dawid_skene
from accordeur.metrics.references.votes import majority


def crowd(
    seed: int, n_items: int, n_annotators: int, per_item: int, *, hard: float = 0.0
) -> tuple[LabelMatrix, np.ndarray]:
    """Annotators of unequal accuracy; on hard items most of them choose the same wrong label."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n_items)
    accuracy = rng.uniform(0.5, 0.95, n_annotators)
    right = rng.random((n_items, n_annotators)) < accuracy
    is_hard = rng.random(n_items) < hard
    right[is_hard] &= rng.random((int(is_hard.sum()), n_annotators)) < 0.4
    wrong = rng.integers(1, 3, right.shape)
    wrong[is_hard] = 1
    codes = np.where(right, truth[:, None], (truth[:, None] + wrong) % 3)
    rank = rng.random(codes.shape).argsort(axis=1).argsort(axis=1)
    codes = np.where(rank < per_item, codes, -1).astype(np.int32)
    names = tuple(f"a{a}" for a in range(n_annotators))
    return LabelMatrix(codes=codes, tagset=("x", "y", "z"), annotators=names), truth


def held_out(matrix: LabelMatrix, groups: int = 10) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Predicted agreement, posterior, and whether it agrees, of each label of held-out annotators.

    Each group is compared with a consensus of the other annotators, who alone are known to it.
    """
    n = matrix.n_annotators
    group_of = np.random.default_rng(7).permutation(np.arange(n) % min(groups, n))
    found = []
    for group in range(group_of.max() + 1):
        rest = matrix.select_annotators(np.flatnonzero(group_of != group).tolist())
        made = dawid_skene(rest, strength=POOLED_STRENGTH)
        codes = made.reference.codes
        predicted = predicted_agreement(rest, codes, weighs_annotators=True)
        given = (matrix.codes >= 0) & (group_of == group) & (codes >= 0)[:, None]
        rows, columns = np.nonzero(given)
        agrees = matrix.codes[rows, columns] == codes[rows]
        found.append((predicted[rows], made.posterior.max(axis=1)[rows], agrees))
    predicted, posterior, agrees = (np.concatenate(part) for part in zip(*found, strict=True))
    return predicted, posterior, agrees


def calibration_error(predicted: np.ndarray, observed: np.ndarray) -> float:
    """Mean distance of predicted and observed shares in tenths of the prediction."""
    tenth = np.minimum((predicted * 10).astype(int), 9)
    sums = [np.bincount(tenth, weights=one, minlength=10) for one in (predicted, observed)]
    return float(np.abs(sums[0] - sums[1]).sum() / predicted.size)


@pytest.mark.parametrize(
    ("n_annotators", "per_item", "hard"), [(3, 3, 0.0), (3, 3, 0.3), (30, 5, 0.0), (30, 5, 0.3)]
)
def test_it_is_calibrated_for_a_further_annotator(
    n_annotators: int, per_item: int, hard: float
) -> None:
    """Of three annotators no two show how the third differs: over ten campaigns."""
    n = 10 if n_annotators == 3 else 1
    campaigns = [crowd(k, 800 // n, n_annotators, per_item, hard=hard) for k in range(n)]
    parts = [held_out(matrix) for matrix, _ in campaigns]
    predicted, posterior, agrees = (np.concatenate(one) for one in zip(*parts, strict=True))
    matrix, truth = campaigns[0]
    assert predicted.mean() == pytest.approx(agrees.mean(), abs=0.03)
    assert calibration_error(predicted, agrees) < 0.05
    assert posterior.mean() > agrees.mean() + 0.1  # what it replaces
    if hard and per_item == 5:  # errors that all share: the posterior is no accuracy, either
        made = dawid_skene(matrix, strength=POOLED_STRENGTH)
        assert made.posterior.max(axis=1).mean() > (made.reference.codes == truth).mean() + 0.1


def long_table(path: Path, item: int, annotator: int, label: int, skip: int) -> LabelMatrix:
    delimiter = "\t" if path.suffix == ".tsv" else ","
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.reader(lines, delimiter=delimiter))[skip:]
    cells = {(row[item], row[annotator]): row[label] for row in rows}
    return label_matrix(
        items=[one for one, _ in cells],
        annotators=[who for _, who in cells],
        labels=list(cells.values()),
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("file", "columns", "skip"),
    [
        ("snow2008/rte.standardized.tsv", (2, 1, 3), 1),
        ("bluebirds/bluebirds_long.csv", (0, 1, 2), 1),
        ("weather_sentiment/CF_amt.csv", (1, 0, 2), 0),
        ("hs_brexit/HS-Brexit_long.csv", (0, 1, 2), 1),
    ],
)
def test_it_is_calibrated_on_real_labels(
    shared_data: Path, file: str, columns: tuple[int, int, int], skip: int
) -> None:
    predicted, posterior, agrees = held_out(long_table(shared_data / file, *columns, skip))
    assert predicted.mean() == pytest.approx(agrees.mean(), abs=0.02)
    assert calibration_error(predicted, agrees) < 0.04
    assert posterior.mean() > agrees.mean() + 0.12


def test_votes_are_shrunk_to_the_labels_of_all_items() -> None:
    """By hand: (votes + s π) / (n + s), where s is the concentration of the labels."""
    matrix, _ = crowd(2, 60, 4, 4)
    codes = majority(matrix).codes
    found = predicted_agreement(matrix, codes, weighs_annotators=False)
    predicted = predict_by_votes(matrix)
    counts = matrix.counts()
    [s] = set(
        ((predicted * 4 - counts) / (counts.sum(axis=0) / counts.sum() - predicted))
        .round(8)
        .ravel()
    )
    shares = counts.sum(axis=0) / counts.sum()
    given = np.flatnonzero(codes >= 0)
    by_hand = (counts[given, codes[given]] + s * shares[codes[given]]) / (4 + s)
    assert found[given] == pytest.approx(by_hand)
    assert np.isnan(found[codes < 0]).all()


def test_the_model_has_the_share_that_predicts_held_out_labels_best() -> None:
    """Annotators of unequal accuracy with few labels per item need the model; equal ones do not."""
    unequal, _ = crowd(3, 400, 20, 4)
    share = model_share(unequal)
    assert 0.2 < share <= 1
    votes, model = (
        hold_out_annotators(unequal, predict).of_given
        for predict in (predict_by_votes, predict_by_model)
    )

    def score(share: float) -> float:
        return float(np.log((1 - share) * votes + share * model).mean())

    assert score(share) >= max(score(share + step) for step in (-0.05, 0.05) if share + step <= 1)
    codes = dawid_skene(unequal, strength=POOLED_STRENGTH).reference.codes
    found = predicted_agreement(unequal, codes, weighs_annotators=True)
    given = np.flatnonzero(codes >= 0)
    mixed = (1 - share) * predict_by_votes(unequal) + share * predict_by_model(unequal)
    assert found[given] == pytest.approx(mixed[given, codes[given]])


def test_distributions_of_a_further_label_sum_to_one() -> None:
    matrix, _ = crowd(4, 30, 6, 2)
    codes = matrix.codes.copy()
    codes[7] = -1
    matrix = LabelMatrix(codes=codes, tagset=matrix.tagset, annotators=matrix.annotators)
    for predict in (predict_by_votes, predict_by_model):
        found = predict(matrix)
        assert found.sum(axis=1) == pytest.approx(1)
        assert found.min() >= 0
    known = np.zeros(30, dtype=np.int32)  # as a gold label of an item that nobody labelled
    assert 0 < predicted_agreement(matrix, known, weighs_annotators=True)[7] < 1


@pytest.mark.parametrize(
    "codes", [np.array([[0, -1], [-1, 1]]), np.array([[0], [1]]), np.empty((0, 2), dtype=int)]
)
def test_without_two_labels_on_an_item_nothing_is_predicted(codes: np.ndarray) -> None:
    names = ("a", "b")[: codes.shape[1]]
    matrix = LabelMatrix(codes=codes.astype(np.int32), tagset=("x", "y"), annotators=names)
    reference = np.zeros(len(codes), dtype=np.int32)
    assert np.isnan(predicted_agreement(matrix, reference, weighs_annotators=True)).all()


def test_one_category_is_certain_of_every_annotator() -> None:
    matrix = LabelMatrix(
        codes=np.zeros((5, 3), np.int32), tagset=("x",), annotators=("a", "b", "c")
    )
    assert predicted_agreement(matrix, np.zeros(5, int), weighs_annotators=True) == pytest.approx(1)
