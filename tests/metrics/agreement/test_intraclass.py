"""Intraclass correlations: published values, an independent computation, what is undefined."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.metrics.agreement.intraclass import intraclass_correlations, mean_squares
from accordeur.metrics.agreement.rating_variances import rating_variances
from accordeur.metrics.errors import MetricsError

# Shrout & Fleiss (1979), table 2: six targets, four judges.
TABLE_2 = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float
)
# Their table 4 has the coefficients; intervals and F as the R package psych gives them.
PUBLISHED = {
    "icc_1_1": (0.17, (-0.13, 0.72), 1.8, "ICC(1)"),
    "icc_2_1": (0.29, (0.02, 0.76), 11.0, "ICC(A,1)"),
    "icc_3_1": (0.71, (0.34, 0.95), 11.0, "ICC(C,1)"),
    "icc_1_k": (0.44, (-0.88, 0.91), 1.8, "ICC(k)"),
    "icc_2_k": (0.62, (0.07, 0.93), 11.0, "ICC(A,k)"),
    "icc_3_k": (0.91, (0.68, 0.99), 11.0, "ICC(C,k)"),
}


def frame(ratings: np.ndarray) -> pd.DataFrame:
    rows = [
        (f"t{i}", f"judge{j}", rating)
        for i, row in enumerate(ratings.tolist())
        for j, rating in enumerate(row)
        if not math.isnan(rating)
    ]
    return pd.DataFrame(rows, columns=["item", "annotator", "label"])


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_values(name: str):
    value, interval, f, other_name = PUBLISHED[name]
    found = acc.icc(frame(TABLE_2))[name]
    assert found.value == pytest.approx(value, abs=0.006)
    assert found.interval == pytest.approx(interval, abs=0.006)
    assert found.detail.f == pytest.approx(f, abs=0.06)
    assert found.detail.mcgraw_wong == other_name
    assert (found.n_items, found.n_annotators) == (6, 4)


def test_mean_squares_are_those_of_the_paper():
    found = mean_squares(TABLE_2)
    squares = (found.between, found.within, found.raters, found.residual)
    assert squares == pytest.approx((11.2417, 6.2639, 32.4861, 1.0194), abs=1e-4)


def test_a_shift_of_one_rater_lowers_agreement_and_leaves_consistency():
    shifted = TABLE_2 + np.array([0, 0, 5, 0])
    before, after = ({one.measure: one.value for one in intraclass_correlations(ratings)}
                     for ratings in (TABLE_2, shifted))  # fmt: skip
    assert after["icc_3_1"] == pytest.approx(before["icc_3_1"], abs=1e-12)
    assert after["icc_2_1"] != pytest.approx(before["icc_2_1"], abs=1e-3)
    rescaled = {one.measure: one for one in intraclass_correlations(3 * TABLE_2 + 7)}
    for name, value in before.items():
        assert rescaled[name].value == pytest.approx(value, abs=1e-12)


def test_exact_intervals_hold_the_true_value_as_often_as_they_say():
    """Items, raters and errors with variances 4, 1 and 2: ICC(A,1) 4/7, ICC(C,1) 4/6."""
    rng, held = np.random.default_rng(5), {"icc_2_1": 0, "icc_3_1": 0}
    truth = {"icc_2_1": 4 / 7, "icc_3_1": 4 / 6}
    for _ in range(600):
        items, raters = rng.normal(0, 2, (20, 1)), rng.normal(0, 1, (1, 5))
        ratings = items + raters + rng.normal(0, math.sqrt(2), (20, 5))
        for one in intraclass_correlations(ratings):
            if one.measure in held:
                low, high = one.interval
                held[one.measure] += low <= truth[one.measure] <= high
    for name, count in held.items():
        assert 0.92 <= count / 600 <= 0.98, name


def test_two_answers_choose_the_form():
    found = acc.icc(frame(TABLE_2), same_raters=True, average=False)
    assert found.measures == ["icc_2_1", "icc_3_1"]
    assert acc.icc(frame(TABLE_2), same_raters=False, average=True).measures == ["icc_1_k"]


def test_items_with_raters_of_their_own_have_the_first_form_only():
    ratings = np.full((6, 5), np.nan)
    for i, row in enumerate(TABLE_2):
        ratings[i, [k for k in range(5) if k != i % 5]] = row
    found = acc.icc(frame(ratings))
    assert found.measures == ["icc_1_1", "icc_1_k"]
    assert found["icc_1_1"].value == pytest.approx(0.1657418, abs=1e-7)


def test_labels_that_are_no_numbers_are_refused_with_what_to_do():
    words = frame(TABLE_2).assign(label="good")
    with pytest.raises(MetricsError, match=r"not good: .*krippendorff_alpha"):
        acc.icc(words)


def test_equal_ratings_are_undefined_with_a_reason():
    for one in intraclass_correlations(np.full((5, 3), 2.0)):
        assert math.isnan(one.value)
        assert str(one.reason) == "all ratings are equal"


def simulated(seed: int, n: int = 40, k: int = 5, missing: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ratings = rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.7, k) + rng.normal(0, 1, (n, k))
    ratings[rng.random((n, k)) < missing] = np.nan
    return ratings


@pytest.mark.parametrize("same_raters", [True, False])
def test_with_complete_ratings_the_mixed_model_is_the_analysis_of_variance(same_raters: bool):
    for ratings in (TABLE_2, simulated(1, missing=0)):
        variances = rating_variances(ratings, same_raters=same_raters)
        squares = mean_squares(ratings)
        error = squares.residual if same_raters else squares.within
        assert variances.residual == pytest.approx(error, rel=1e-8)
        assert variances.items == pytest.approx((squares.between - error) / squares.k, rel=1e-8)
        if same_raters:
            raters = (squares.raters - error) / squares.n
            assert variances.annotators == pytest.approx(raters, rel=1e-8)
        exact = intraclass_correlations(ratings)[2 if same_raters else 0].interval
        low, high = variances.consistency_interval(0.95)
        assert (low, high) == pytest.approx((max(0, exact[0]), exact[1]), abs=1e-8)


@pytest.mark.parametrize("same_raters", [True, False])
def test_restricted_likelihood_is_largest_where_its_dense_form_has_no_slope(same_raters: bool):
    """tr(P K) = y'P K P y of each component's K, with P of the whole covariance matrix."""
    ratings = simulated(2)
    variances = rating_variances(ratings, same_raters=same_raters)
    i, j = np.nonzero(np.isfinite(ratings))
    y = ratings[i, j]
    parts = [np.equal.outer(i, i).astype(float), np.eye(y.size)]
    sizes = [variances.items, variances.residual]
    if same_raters:
        parts.append(np.equal.outer(j, j).astype(float))
        sizes.append(variances.annotators)
    inverse = np.linalg.inv(sum(size * part for size, part in zip(sizes, parts, strict=True)))
    ones = inverse.sum(axis=1)
    projector = inverse - np.outer(ones, ones) / ones.sum()
    for part in parts:
        slope = np.trace(projector @ part) - y @ projector @ part @ projector @ y
        assert slope == pytest.approx(0, abs=1e-8)


def test_missing_ratings_keep_every_form_and_reach_the_mean_of_fewer():
    found = acc.icc(frame(simulated(3)))
    assert len(found) == 6
    for one in found:
        low, high = one.interval
        assert 0 <= low <= one.value <= high <= 1
    k = found["icc_2_k"].detail.k
    single = found["icc_2_1"].value
    assert 1 < k < 5
    assert found["icc_2_k"].value == pytest.approx(k * single / (1 + (k - 1) * single))


@pytest.mark.long
def test_intervals_with_missing_ratings_hold_the_true_value():
    """Small here; benchmarks/results/ratings.md has the simulation."""
    held = {"consistency": 0, "agreement": 0}
    for seed in range(200):
        variances = rating_variances(simulated(1000 + seed, n=20, k=4, missing=0.25))
        low, high = variances.consistency_interval(0.95)
        held["consistency"] += low <= 0.5 <= high
        low, high = variances.agreement_interval(0.95, seed=0)
        held["agreement"] += low <= 1 / 2.49 <= high
    assert all(0.9 <= count / 200 <= 0.99 for count in held.values()), held


def test_missing_ratings_without_error_are_perfect_agreement():
    ratings = np.tile(np.arange(8.0)[:, None], (1, 3))
    ratings[[0, 3, 5], [1, 2, 0]] = np.nan
    assert [one.value for one in intraclass_correlations(ratings)] == [1] * 6
    shifted = {one.measure: one for one in intraclass_correlations(ratings + np.array([0, 2, 0]))}
    assert shifted["icc_3_1"].value == 1
    assert "nothing is left as error" in str(shifted["icc_2_1"].reason)


def test_items_without_two_ratings_are_undefined_with_a_reason():
    ratings = np.full((6, 3), np.nan)
    ratings[np.arange(6), np.arange(6) % 3] = np.arange(6)
    for one in intraclass_correlations(ratings):
        assert str(one.reason) == "no item with two labels"


def test_an_interval_of_means_holds_its_value_or_says_why_there_is_none():
    """Below −1/(k − 1) the formula of Spearman and Brown changes its sign: limits above 1."""
    rng, without = np.random.default_rng(0), 0
    for _ in range(200):
        ratings = rng.normal(size=(5, 1)) + 0.7 * rng.normal(size=(5, 2))
        for one in intraclass_correlations(ratings):
            low, high = one.interval
            if math.isnan(low) and math.isfinite(one.value):
                assert one.measure == "icc_2_k"
                assert math.isnan(high)
                assert "lower limit" in str(one.detail.interval_reason)
                without += 1
            elif math.isfinite(one.value):
                assert low <= one.value <= high <= 1
    assert 0 < without < 100


@pytest.mark.parametrize("first", [1.0, 1.01])
def test_means_that_vary_less_than_chance_allows_have_no_reliability(first: float):
    opposed = np.array([[1, 2], [2, 1], [first, 2], [2, 1]], float)
    found = {one.measure: one for one in intraclass_correlations(opposed)}
    assert math.isnan(found["icc_2_k"].value)
    assert "estimated variance" in str(found["icc_2_k"].reason)
    assert found["icc_2_1"].value < -1
    assert math.isnan(found["icc_3_k"].value) == (first == 1.0)
    fewest = {one.measure: one.value for one in intraclass_correlations(opposed[:2])}
    assert math.isnan(fewest["icc_2_1"])
    assert fewest["icc_3_1"] == pytest.approx(-1)


def test_equal_items_have_no_consistency():
    found = {one.measure: one for one in intraclass_correlations(np.array([[1, 2]] * 3, float))}
    assert math.isnan(found["icc_3_1"].value)
    assert found["icc_2_1"].value == 0
    some = np.array([[1, 2, math.nan], [1, 2, 3], [math.nan, 2, 3]])
    found = {one.measure: one for one in intraclass_correlations(some)}
    assert math.isnan(found["icc_3_1"].value)
    assert math.isnan(found["icc_3_1"].interval[0])


def test_ratings_without_a_residual_have_an_agreement_and_say_why_it_has_no_interval():
    for scale in (1.0, 0.1):
        ratings = scale * (np.arange(1, 6)[:, None] + np.array([0, 1, 2.0]))
        for one in intraclass_correlations(ratings):
            assert math.isfinite(one.value)
            if one.measure.startswith("icc_2"):
                assert math.isnan(one.interval[0])
                assert "nothing is left as error" in str(one.detail.interval_reason)


def test_ratings_far_from_0_keep_all_digits() -> None:
    near = np.array([[1.0, 2, 3], [4, 5, 5], [2, 1, 3], [8, 7, 9]])
    values, far = ([one.value for one in intraclass_correlations(near + x)] for x in (0.0, 1e9))
    assert far == values


@pytest.mark.parametrize("missing", [False, True])
def test_ratings_without_error_have_no_interval_and_say_why(missing: bool) -> None:
    """Four items on which all agree do not show that every item would be rated alike."""
    ratings = np.array([[1.0, 1, 1], [2, 2, 2], [3, 3, 3], [5, 5, 5]])
    if missing:
        ratings[1, 2] = np.nan
    for one in intraclass_correlations(ratings):
        assert one.value == pytest.approx(1)
        assert np.isnan(one.interval).all()
        assert "nothing is left as error" in str(one.detail.interval_reason)
