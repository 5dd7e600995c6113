"""Correlations, ICC and mean difference of pairs of annotators, beside SciPy and `acc.icc`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from accordeur.metrics.agreement.intraclass import intraclass_correlations
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.rating_pairs import (
    in_order_of_values,
    rating_measures_of_pairs,
)
from accordeur.metrics.measures import RATING_MEASURES
from accordeur.metrics.options import Sampling

NONE = Sampling(replicates=0)


def rated(seed: int, n: int, documents: bool = False) -> LabelMatrix:
    """Four numbers in another order than their size, two missing ratings of the third annotator."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(4, size=n)
    codes = np.clip(truth[:, None] + rng.integers(-1, 2, size=(n, 3)), 0, 3)
    codes = np.array([2, 0, 3, 1])[codes]
    codes[:2, 2] = -1
    homes = np.sort(rng.integers(5, size=n)) if documents else None
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("2", "10", "1", "4.5"),
        annotators=("j", "x", "y"),
        documents=homes,
    )


VALUES = np.array([2.0, 10.0, 1.0, 4.5])


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(8, 60))
def test_values_are_those_of_scipy_and_of_the_icc(seed: int, n: int) -> None:
    matrix, ascending = in_order_of_values(rated(seed, n), VALUES)
    found = rating_measures_of_pairs(matrix, [(0, 1), (0, 2)], ("x", "y"), ascending, NONE)
    for column, name in ((1, "x"), (2, "y")):
        both = (matrix.codes[:, (0, column)] >= 0).all(axis=1)
        first, second = (ascending[matrix.codes[both, a]] for a in (0, column))
        if len(set(first)) < 2 or len(set(second)) < 2:
            continue
        forms = {
            one.measure: one.value
            for one in intraclass_correlations(np.stack([first, second], axis=1))
        }
        expected = {
            "spearman_rho": stats.spearmanr(first, second).statistic,
            "kendall_tau_b": stats.kendalltau(first, second).statistic,
            "pearson_r": stats.pearsonr(first, second).statistic,
            "icc_2_1": forms["icc_2_1"],
            "mean_difference": float((first - second).mean()),
        }
        own = {one.measure: one.pairs[name].value for one in found}
        assert list(own) == list(RATING_MEASURES)
        for measure, value in expected.items():
            assert own[measure] == pytest.approx(value, abs=1e-9), measure
    for one in found:
        assert one.mean.value == pytest.approx(np.mean([v.value for v in one.pairs.values()]))


@pytest.mark.parametrize("documents", [False, True])
def test_intervals_contain_their_values(documents: bool) -> None:
    matrix, ascending = in_order_of_values(rated(7, 80, documents), VALUES)
    for one in rating_measures_of_pairs(
        matrix, [(0, 1), (0, 2)], ("x", "y"), ascending, Sampling(replicates=200)
    ):
        for value in (*one.pairs.values(), one.mean):
            low, high = value.interval
            assert low < value.value < high, one.measure


def test_undefined_without_variance_or_with_two_items() -> None:
    codes = np.array([[0, 1], [0, 1], [0, 0]], np.int32)
    matrix = LabelMatrix(codes=codes, tagset=("1", "2"), annotators=("j", "x"))
    values = np.array([1.0, 2.0])
    found = {
        one.measure: one.mean
        for one in rating_measures_of_pairs(
            matrix, [(0, 1)], ("x",), values, Sampling(replicates=50)
        )
    }
    assert str(found["pearson_r"].reason) == "all ratings are equal"
    assert found["mean_difference"].value == pytest.approx(-2 / 3)
    short = LabelMatrix(codes=codes[:2], tagset=("1", "2"), annotators=("j", "x"))
    for one in rating_measures_of_pairs(short, [(0, 1)], ("x",), values, NONE):
        assert str(one.mean.reason) == "fewer than 3 items"


def test_coverage_of_the_mean_correlation() -> None:
    """95 % intervals of Spearman's ρ cover it in at least 90 % of 150 campaigns of 60 items."""
    whole, ascending = in_order_of_values(rated(11, 200_000), VALUES)
    pairs, names = [(0, 1), (0, 2)], ("x", "y")
    truth = {
        one.measure: one.mean.value
        for one in rating_measures_of_pairs(whole, pairs, names, ascending, NONE)
    }
    covered = dict.fromkeys(truth, 0)
    for seed in range(150):
        matrix, _ = in_order_of_values(rated(1000 + seed, 60), VALUES)
        for one in rating_measures_of_pairs(
            matrix, pairs, names, ascending, Sampling(replicates=300, seed=seed)
        ):
            low, high = one.mean.interval
            covered[one.measure] += low <= truth[one.measure] <= high
    assert min(covered.values()) >= 135, covered
