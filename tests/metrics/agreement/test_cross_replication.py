"""κ_x of two groups: a published value, brute force, its limits, and missing labels."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from accordeur.metrics.agreement.cross_replication import cross_replication
from accordeur.metrics.agreement.evaluate import evaluate_matrix
from accordeur.metrics.agreement.label_matrix import LabelMatrix, table_matrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling

NONE = Sampling(replicates=0)
TAGSET = ("1", "2", "3")


def group(labels) -> LabelMatrix:
    return table_matrix(items_by_annotators=labels, tagset=TAGSET)


def coefficient(measure: str, matrix: LabelMatrix, distance: str = "nominal") -> float:
    return evaluate_matrix(matrix, measures=[measure], distance=distance, sampling=NONE)[0].value


def random_group(seed: int, right: float, n: int = 60, a: int = 4) -> LabelMatrix:
    rng = np.random.default_rng(seed)
    truth = np.random.default_rng(99).integers(1, 4, n)[:, None]
    labels = np.where(rng.random((n, a)) < right, truth, rng.integers(1, 4, (n, a)))
    return group(labels.astype(str).tolist())


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_it_is_the_formula_of_the_publication(distance: str):
    """Every pair of labels of the two groups, on the same item and on any two items."""
    first, second = random_group(1, 0.7), random_group(2, 0.5, a=3)

    def d(a: int, b: int) -> float:
        return float(a != b) if distance == "nominal" else float((a - b) ** 2)

    x, y = first.codes.tolist(), second.codes.tolist()
    observed = np.mean([d(a, b) for i in range(60) for a in x[i] for b in y[i]])
    every = itertools.product(first.codes.ravel().tolist(), second.codes.ravel().tolist())
    expected = np.mean([d(a, b) for a, b in every])
    found = cross_replication(first, second, distance=distance, sampling=NONE)
    assert found[0].value == pytest.approx(1 - observed / expected, abs=1e-12)
    alphas = [coefficient("krippendorff_alpha", one, distance) for one in (first, second)]
    assert found[0].detail.given == pytest.approx(
        {"alpha_first": alphas[0], "alpha_second": alphas[1]}
    )
    assert found[1].value == pytest.approx(found[0].value / math.sqrt(alphas[0] * alphas[1]))


@pytest.mark.parametrize("more", [[], ["AAA", "AAB"]])
def test_it_is_the_value_of_the_authors_implementation(more: list[str]):
    """Items with two or three labels, and items of one group only, which are not compared.

    Data and value .1818182 (within 1e-4): CrossReplicationReliabilityTest of
    github.com/google-research/cross-replication-reliability (commit 798e3f3, Apache-2.0). The tests
    of github.com/aneeta/xRR (commit 4591912) have the same value, with d_o .4090909 and d_e .5.
    """

    def of_items(items: list[str]) -> LabelMatrix:
        labels = [[*item, None, None, None][:3] for item in items]
        return table_matrix(items_by_annotators=labels, tagset=("A", "B"))

    first = of_items(["BB", "BBB", "AA", "AAA", "AB", *more])
    second = of_items(["BB", "AB", "AB", "AB", "AA", *([""] * len(more))])
    found = cross_replication(first, second, sampling=NONE)
    assert found[0].value == pytest.approx(1 - 0.40909090909 / 0.5, abs=1e-10)
    assert found[0].value == pytest.approx(0.1818182, abs=5e-8)
    assert found[0].n_items == 5


def test_with_one_annotator_in_each_group_it_is_cohens_kappa():
    first, second = random_group(1, 0.8, a=1), random_group(2, 0.8, a=1)
    both = group(
        [[TAGSET[a], TAGSET[b]] for [a], [b] in zip(first.codes, second.codes, strict=True)]
    )
    found = cross_replication(first, second, sampling=NONE)
    assert found[0].value == pytest.approx(coefficient("cohen_kappa", both), abs=1e-12)


def test_groups_of_one_pool_have_a_normalised_value_near_1():
    values = [
        cross_replication(random_group(s, 0.7, 300), random_group(s + 50, 0.7, 300), sampling=NONE)
        for s in range(10)
    ]
    assert np.mean([one[1].value for one in values]) == pytest.approx(1, abs=0.03)


def test_its_interval_holds_the_value_of_a_large_population():
    def value(seed: int, n: int):
        return random_group(seed, 0.8, n), random_group(seed + 1000, 0.5, n)

    rng = np.random.default_rng(5)
    large = value(7, 60_000)
    truth = cross_replication(*large, sampling=NONE)[0].value
    held = 0
    for _ in range(60):
        rows = rng.integers(0, 60_000, 80)
        kept = np.zeros(60_000, bool)
        kept[rows] = True
        small = [one.select_items(kept) for one in large]
        lower, upper = cross_replication(*small, sampling=Sampling(300))[0].interval
        held += lower <= truth <= upper
    assert held >= 53


def test_items_of_one_group_only_are_not_compared():
    first = group([["1", "1"], ["2", "3"], ["3", "3"]])
    second = group([["1", "2"], [None, None], ["3", "3"]])
    found = cross_replication(first, second, sampling=NONE)
    assert found[0].n_items == 2
    with pytest.raises(MetricsError, match="the same items"):
        cross_replication(first, group([["1", "2"]]), sampling=NONE)


def test_a_group_without_agreement_cannot_normalise():
    first = group([["1", "2"], ["2", "1"], ["1", "2"], ["2", "1"]])
    second = group([["1", "1"], ["2", "2"], ["1", "1"], ["2", "2"]])
    plain, normalised = cross_replication(first, second, sampling=NONE)
    assert plain.reason is None
    assert normalised.reason is not None
