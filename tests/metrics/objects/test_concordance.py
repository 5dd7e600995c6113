"""Kendall's W: against other definitions of it, its test, and wrong input."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import friedmanchisquare, spearmanr

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.objects.concordance import kendall_w


def test_w_equals_the_statistic_of_friedman_with_ties_and_the_mean_correlation_without() -> None:
    rng = np.random.default_rng(1)
    tied = rng.integers(1, 5, (4, 9))
    w = kendall_w(tied, n_permutations=1).w
    assert w * 4 * 8 == pytest.approx(friedmanchisquare(*tied.T).statistic)
    whole = np.array([rng.permutation(9) for _ in range(4)])
    pairs = itertools.combinations(whole, 2)
    mean = np.mean([spearmanr(one, two).statistic for one, two in pairs])
    assert (4 * kendall_w(whole, n_permutations=1).w - 1) / 3 == pytest.approx(mean)


def test_the_permutation_test_of_two_annotators_equals_all_permutations() -> None:
    ranks = [[1, 2, 3, 4], [1, 3, 2, 4]]
    one, _ = np.array(ranks)
    as_large = [
        kendall_w([one, other], n_permutations=0).w >= kendall_w(ranks, n_permutations=0).w - 1e-9
        for other in itertools.permutations(one)
    ]
    assert kendall_w(ranks).p_value == pytest.approx(np.mean(as_large), abs=0.015)
    assert kendall_w([range(8)] * 4).p_value == pytest.approx(1e-4)


def test_undefined_and_wrong_input() -> None:
    assert math.isnan(kendall_w([[1, 1, 1], [2, 2, 2]]).w)
    with pytest.raises(MetricsError, match="missing values"):
        kendall_w([[1, 2], [1, math.nan]])
    with pytest.raises(MetricsError, match="at least two annotators"):
        kendall_w([[1, 2, 3]])
