"""Intraclass correlations: published values, an independent computation, what is undefined."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.metrics.agreement.intraclass import intraclass_correlations, mean_squares
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
    assert found.detail["f"] == pytest.approx(f, abs=0.06)
    assert found.detail["mcgraw_wong"] == other_name
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


def test_missing_ratings_and_labels_that_are_no_numbers_are_refused():
    missing = TABLE_2.copy()
    missing[2, 1] = np.nan
    with pytest.raises(MetricsError, match="items have 3 to 4 ratings"):
        acc.icc(frame(missing))
    with pytest.raises(MetricsError, match="1 of 6 items lack a rating"):
        acc.icc(frame(missing), same_raters=True)
    words = frame(TABLE_2).assign(label="good")
    with pytest.raises(MetricsError, match="ratings that are numbers"):
        acc.icc(words)


def test_equal_ratings_are_undefined_with_a_reason():
    for one in intraclass_correlations(np.full((5, 3), 2.0)):
        assert math.isnan(one.value)
        assert str(one.reason) == "all ratings are equal"
