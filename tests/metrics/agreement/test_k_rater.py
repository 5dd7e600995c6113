"""The reliability of k annotators together: exact for means, drawn for majorities."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.intraclass import reliability_of_mean
from accordeur.metrics.agreement.k_rater import k_rater_reliability
from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.agreement.panel_votes import majority_pair_probabilities
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling

NONE = Sampling(replicates=0)


def labels(seed: int, n: int, a: int, right: float = 0.6, k: int = 3) -> LabelMatrix:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)[:, None]
    codes = np.where(rng.random((n, a)) < right, truth, rng.integers(0, k, (n, a)))
    return table_matrix(items_by_annotators=codes.tolist(), tagset=[str(c) for c in range(k)])


def test_one_annotator_on_each_side_is_the_coefficient_itself():
    few = table_matrix(items_by_annotators=[[0, 0]] * 3 + [[1, 1]] * 3 + [[0, 1], [1, 1]])
    for matrix in (labels(1, 150, 4), few):
        for measure in ("krippendorff_alpha", "gwet_ac1", "conger_kappa"):
            sampling = Sampling(replicates=50)
            [found] = k_rater_reliability(matrix, measure=measure, ks=[1], sampling=sampling)
            [single] = evaluate_matrix(matrix, measures=[measure], sampling=sampling)
            assert (found.value, found.interval) == (single.value, single.interval)
    for n_annotators in (3, 4):  # a coefficient of two annotators is that of all pairs
        matrix = labels(1, 150, n_annotators)
        [of_two] = k_rater_reliability(matrix, measure="scott_pi", ks=[1], sampling=NONE)
        [pooled] = evaluate_matrix(matrix, measures=["fleiss_kappa"], sampling=NONE)
        assert of_two.value == pytest.approx(pooled.value, abs=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_expected_disagreement_of_alpha_has_one_rule_for_each_k(k: int):
    """α = 1 − (1 − π) (n − 1) / n, n: the labels of the items, as in Krippendorff (2004)."""
    matrix, n = labels(7, 12, 6, k=2), 12 * 6
    sampling = Sampling(replicates=50)
    [pi, alpha] = [
        k_rater_reliability(matrix, measure=measure, ks=[k], sampling=sampling)[0]
        for measure in ("fleiss_kappa", "krippendorff_alpha")
    ]
    assert alpha.value == pytest.approx(1 - (1 - pi.value) * (n - 1) / n, abs=1e-12)
    assert alpha.value == pytest.approx(1 - (1 - alpha.observed) / (1 - alpha.expected), abs=1e-12)
    assert alpha.interval[0] <= alpha.value <= alpha.interval[1]


def test_majorities_of_three_are_those_of_all_splits():
    """Six annotators have ten splits into two panels of three; two categories have no ties."""
    matrix = labels(2, 80, 6, k=2)
    pooled = []
    for first in itertools.combinations(range(6), 3):
        second = [a for a in range(6) if a not in first]
        votes = [(matrix.codes[:, list(p)].mean(axis=1) > 0.5).astype(int) for p in (first, second)]
        pooled += list(zip(*votes, strict=True))
    exact = table_matrix(items_by_annotators=pooled, tagset=["0", "1"])
    [alpha] = evaluate_matrix(exact, measures=["scott_pi"], sampling=NONE)
    [found] = k_rater_reliability(matrix, measure="scott_pi", ks=[3], sampling=NONE)
    assert found.value == pytest.approx(alpha.value, abs=1e-12)
    assert found.how.splits == "all"
    assert math.isnan(found.detail.monte_carlo_standard_error)


@pytest.mark.parametrize("counts", [(2, 2), (3, 1, 2), (5, 0, 1), (2, 2, 2, 1)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_votes_of_splits_are_those_of_every_order_of_the_labels(counts: tuple[int, ...], k: int):
    """Brute force over all orders; a tied panel gives each of its tied categories equally often."""
    if sum(counts) < 2 * k:
        return
    given = [c for c, n in enumerate(counts) for _ in range(n)]

    def vote(panel: tuple[int, ...]) -> np.ndarray:
        n = np.bincount(panel, minlength=len(counts))
        return (n == n.max()) / (n == n.max()).sum()

    orders = list(itertools.permutations(given, 2 * k))
    table = sum(np.outer(vote(order[:k]), vote(order[k:])) for order in orders) / len(orders)
    assert majority_pair_probabilities(np.array(counts), k) == pytest.approx(table, abs=1e-12)


def test_drawn_splits_have_a_monte_carlo_error(monkeypatch: pytest.MonkeyPatch):
    matrix = labels(6, 60, 10)
    [exact] = k_rater_reliability(matrix, ks=[4], sampling=NONE)
    monkeypatch.setattr("accordeur.metrics.agreement.panel_votes.MOST_SPLITS", 10)
    distances = []
    for seed in range(12):
        [drawn] = k_rater_reliability(matrix, ks=[4], sampling=Sampling(replicates=0, seed=seed))
        assert drawn.how.splits == 200
        distances.append((drawn.value - exact.value) / drawn.detail.monte_carlo_standard_error)
    assert 0.5 < np.std(distances) < 2
    assert abs(np.mean(distances)) < 1.5


def test_the_reliability_of_means_is_what_two_panels_of_means_reach():
    """Spearman and Brown against ICCs of means of disjoint panels, of 4,000 simulated items."""
    rng = np.random.default_rng(3)
    ratings = np.round(rng.normal(size=(4000, 1)) * 2 + rng.normal(size=(4000, 8)) * 3 + 10)
    numbers = sorted(set(ratings.ravel().tolist()))
    matrix = table_matrix(items_by_annotators=ratings.tolist(), tagset=[int(v) for v in numbers])
    found = k_rater_reliability(matrix, distance="interval", ks=[4], sampling=NONE)[0].value
    first, second = ratings[:, :4].mean(axis=1), ratings[:, 4:].mean(axis=1)
    pooled = np.concatenate([first, second])
    alpha = 1 - ((first - second) ** 2).mean() / (2 * pooled.var())
    assert found == pytest.approx(alpha, abs=0.02)


@pytest.mark.parametrize(
    ("single", "of_four"), [(0.1657418, 0.44), (0.2897638, 0.62), (0.7148407, 0.91)]
)
def test_spearman_and_brown_connect_the_published_coefficients(single: float, of_four: float):
    """ICC(1,1) → ICC(1,4), ICC(2,1) → ICC(2,4), ICC(3,1) → ICC(3,4) of Shrout & Fleiss (1979).

    Table 4 prints .17, .29 and .71 for one judge, which are recomputed here to seven digits from
    the mean squares of table 2.
    """
    assert reliability_of_mean(single, 4) == pytest.approx(of_four, abs=0.005)


def test_a_crowd_is_split_by_labels_and_short_items_are_left_out():
    matrix = labels(4, 120, 12)
    codes = matrix.codes.copy()
    codes[np.random.default_rng(0).random(codes.shape) < 0.5] = -1
    codes[:20, 3:] = -1
    crowd = LabelMatrix(codes=codes, tagset=matrix.tagset, annotators=matrix.annotators)
    [found] = k_rater_reliability(crowd, ks=[2], sampling=Sampling(replicates=100))
    assert found.n_items == int(((codes >= 0).sum(axis=1) >= 4).sum())
    assert found.how.splits == "all"
    assert found.interval[0] < found.value < found.interval[1]
    [none] = k_rater_reliability(crowd, ks=[6], sampling=NONE)
    assert math.isnan(none.value) == (((codes >= 0).sum(axis=1) >= 12).sum() < 2)


def test_more_annotators_are_more_reliable():
    values = [one.value for one in k_rater_reliability(labels(5, 200, 10), sampling=NONE)]
    assert values[0] < values[2] < values[4]


def test_mistakes_are_named():
    with pytest.raises(MetricsError, match="one annotator or more"):
        k_rater_reliability(labels(1, 10, 4), ks=[0], sampling=NONE)
    with pytest.raises(MetricsError, match="icc_2_k"):
        k_rater_reliability(labels(1, 10, 4), together="mean", sampling=NONE)
    with pytest.raises(MetricsError, match="mean or majority"):
        k_rater_reliability(labels(1, 10, 4), together="median", sampling=NONE)
