"""The alt-test against an independent computation, and its published values."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import false_discovery_control, ttest_1samp, wilcoxon

from accordeur.metrics.replacement.alt_test import alt_test, benjamini_yekutieli
from accordeur.metrics.replacement.judge_comparison import (
    category_similarity_function,
    compare_labels,
    equal_labels,
    number_similarity_function,
)

Codes = NDArray[np.int64]


def by_hand(humans: Codes, system: Codes, score) -> tuple[dict[int, list[int]], dict[int, float]]:
    """As the paper words it: annotator → differences of the indicators, and ρ."""
    differences: dict[int, list[int]] = {}
    probabilities = {}
    for j in range(humans.shape[1]):
        rows, wins = [], []
        for labels, answer in zip(humans.tolist(), system.tolist(), strict=True):
            others = [one for k, one in enumerate(labels) if k != j and one >= 0]
            if labels[j] < 0 or not others:
                continue
            ours, theirs = score(answer, others), score(labels[j], others)
            wins.append(int(ours >= theirs))
            rows.append(int(theirs >= ours) - wins[-1])
        differences[j], probabilities[j] = rows, float(np.mean(wins))
    return differences, probabilities


def accuracy(label: int, others: list[int]) -> float:
    return sum(one == label for one in others) / len(others)


def neg_rmse(label: int, others: list[int]) -> float:
    return -((sum((one - label) ** 2 for one in others) / len(others)) ** 0.5)


def drawn(seed: int, n: int = 60, a: int = 4, k: int = 4) -> tuple[Codes, Codes]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    humans = np.where(rng.random((n, a)) < 0.7, truth[:, None], rng.integers(0, k, (n, a)))
    humans[rng.random((n, a)) < 0.15] = -1
    system = np.where(rng.random(n) < 0.7, truth, rng.integers(0, k, n))
    return humans, system


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("score", [accuracy, neg_rmse])
def test_it_is_the_published_procedure(seed: int, score):
    humans, system = drawn(seed)
    similarity = equal_labels if score is accuracy else number_similarity_function(np.arange(4.0))
    found = alt_test(compare_labels(humans, system, similarity), 0.15)
    differences, probabilities = by_hand(humans, system, score)
    p_values = [
        float(ttest_1samp(np.array(rows) - 0.15, 0, alternative="less").pvalue)
        for rows in differences.values()
    ]
    assert found.p_values == pytest.approx(p_values, abs=1e-12)
    rejected = false_discovery_control(p_values, method="by") <= 0.05
    assert found.rejected == tuple(rejected)
    assert found.winning_rate == rejected.mean()
    assert found.advantage_probability == pytest.approx(np.mean(list(probabilities.values())))


def test_fewer_than_thirty_items_take_wilcoxon():
    humans, system = drawn(1, n=25, a=3)
    found = alt_test(compare_labels(humans, system, equal_labels), 0.1)
    differences, _ = by_hand(humans, system, accuracy)
    p_values = [
        wilcoxon(np.array(rows) - 0.1, alternative="less").pvalue for rows in differences.values()
    ]
    assert found.p_values == pytest.approx(p_values)


def test_a_system_like_every_annotator_wins_and_its_opposite_loses():
    humans = np.tile(np.arange(40)[:, None] % 2, 3)
    same = alt_test(compare_labels(humans, humans[:, 0], equal_labels), 0.1)
    other = alt_test(compare_labels(humans, 1 - humans[:, 0], equal_labels), 0.1)
    assert (same.winning_rate, same.advantage_probability, same.passed) == (1.0, 1.0, True)
    assert (other.winning_rate, other.advantage_probability, other.passed) == (0.0, 0.0, False)


def test_an_item_without_an_answer_is_lost_or_excluded():
    humans = np.zeros((4, 3), np.int64)
    system = np.array([0, 0, -1, -1])
    lost = compare_labels(humans, system, equal_labels)
    excluded = compare_labels(humans, system, equal_labels, missing="excluded")
    assert lost.n_missing == excluded.n_missing == 2
    assert lost.advantage[2:].tolist() == [[-1, -1, -1]] * 2
    assert lost.compared.all()
    assert excluded.compared.tolist() == [[True] * 3] * 2 + [[False] * 3] * 2


def test_near_labels_count_with_a_distance():
    humans = np.array([[0, 0, 1]] * 5)
    distances = np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]])
    near = compare_labels(humans, np.full(5, 1), category_similarity_function(distances))
    far = compare_labels(humans, np.full(5, 2), category_similarity_function(distances))
    assert near.advantage[0].tolist() == [0, 0, 0]
    assert far.advantage[0].tolist() == [-1, -1, -1]


@settings(max_examples=50)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_rejections_are_those_of_benjamini_and_yekutieli(p_values: list[float]):
    expected = false_discovery_control(p_values, method="by") <= 0.05 + 1e-12
    found = benjamini_yekutieli(np.array([p_values]))[0]
    assert found.tolist() == expected.tolist()


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_renaming_categories_and_reordering_annotators_changes_nothing(seed: int):
    humans, system = drawn(seed, n=40)
    before = alt_test(compare_labels(humans, system, equal_labels), 0.1)
    names = np.random.default_rng(seed).permutation(4)
    renamed = np.where(humans >= 0, names[humans], -1)[:, ::-1]
    after = alt_test(compare_labels(renamed, names[system], equal_labels), 0.1)
    assert after.p_values[::-1] == before.p_values
    assert after.winning_rate == before.winning_rate


def table(path: Path) -> tuple[list[str], dict[str, Codes], Codes]:
    """Categories, codes of each model, codes of the humans."""
    rows = list(csv.DictReader(path.open(encoding="utf-8")))
    found = {value for row in rows for name, value in row.items() if name != "item" and value}
    categories = sorted(found)
    code = {category: k for k, category in enumerate(categories)} | {"": -1}
    names = [name for name in rows[0] if name != "item"]
    columns = {name: np.array([code[row[name]] for row in rows]) for name in names}
    humans = np.stack([one for name, one in columns.items() if name.startswith("human")], axis=1)
    return categories, columns, humans


@pytest.mark.shared
@pytest.mark.parametrize("name", ["wax", "summeval", "mtbench", "lesion"])
def test_published_values_are_reproduced(shared_data: Path, name: str):
    """Calderon, Reichart & Dror (2025), as printed in the notebook of their repository."""
    folder = shared_data / "alttest"
    published = json.loads((folder / "published_values.json").read_text(encoding="utf-8"))
    of_set = published["datasets"][name]
    categories, columns, humans = table(folder / f"{name}.csv")
    by_number = of_set["score"] == "neg_rmse"
    similarity = (
        number_similarity_function(np.array(categories, float)) if by_number else equal_labels
    )
    for row in of_set["results"]:
        comparison = compare_labels(humans, columns[f"model_{row['llm']}"], similarity)
        found = alt_test(comparison, of_set["epsilon"])
        tolerance = published["tolerance"]
        assert found.winning_rate == pytest.approx(row["winning_rate"], abs=tolerance)
        probability = row["average_advantage_probability"]
        assert found.advantage_probability == pytest.approx(probability, abs=tolerance)
        assert found.passed is row["passed"]
