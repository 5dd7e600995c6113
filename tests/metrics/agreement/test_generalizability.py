"""Generalizability studies: the analysis of variance, forecasts for held-out annotators."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import accordeur as acc
from accordeur.metrics.agreement.generalizability import decision_study
from accordeur.metrics.agreement.intraclass import intraclass_correlations
from accordeur.metrics.errors import MetricsError
from tests.metrics.agreement.test_intraclass import TABLE_2, frame


def test_forecasts_are_those_of_the_analysis_of_variance():
    """Of Shrout & Fleiss's table 2: (11.2417 − 1.0194)/4, (32.4861 − 1.0194)/6, 1.0194."""
    found = acc.g_study(frame(TABLE_2), annotators=(1, 4))
    items, annotators, residual = 2.5555556, 5.2444444, 1.0194444
    assert [one.measure for one in found] == ["generalizability"] * 2 + ["dependability"] * 2
    for one in found:
        k = one.detail.k
        error = residual + (annotators if one.measure == "dependability" else 0)
        assert one.value == pytest.approx(items / (items + error / k), abs=1e-7)
        assert one.detail.variance_annotators == pytest.approx(annotators, abs=1e-7)
    forms = acc.icc(frame(TABLE_2))
    by_form = ["icc_3_1", "icc_3_k", "icc_2_1", "icc_2_k"]
    assert [one.value for one in found] == pytest.approx([forms[name].value for name in by_form])


def test_the_forecast_for_k_is_the_correlation_of_held_out_annotators():
    """Of means of four held-out annotators with means of four others, over 30 simulated crews."""
    forecasts, seen = [], []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        ratings = rng.normal(0, 1, (80, 1)) + rng.normal(0, 0.6, 12) + rng.normal(0, 1.2, (80, 12))
        pilot = ratings[:, :4].copy()
        pilot[rng.random(pilot.shape) < 0.2] = np.nan
        forecasts.append(decision_study(pilot, annotators=(4,))[0].value)
        halves = ratings[:, 4:8].mean(axis=1), ratings[:, 8:].mean(axis=1)
        seen.append(np.corrcoef(*halves)[0, 1])
    assert np.mean(forecasts) == pytest.approx(np.mean(seen), abs=0.03)
    assert np.mean(seen) == pytest.approx(1 / (1 + 1.44 / 4), abs=0.03)


def test_reliability_grows_with_annotators_inside_its_interval():
    found = decision_study(TABLE_2, annotators=range(1, 11))
    for values in (found[:10], found[10:]):
        assert np.all(np.diff([one.value for one in values]) > 0)
        assert all(one.interval[0] <= one.value <= one.interval[1] for one in values)


def test_what_cannot_be_studied_is_refused_or_undefined():
    with pytest.raises(MetricsError, match="two items and two annotators"):
        decision_study(np.array([[1.0, 2.0]]), annotators=(1,))
    with pytest.raises(MetricsError, match="one annotator or more, not 0"):
        acc.g_study(frame(TABLE_2), annotators=(0, 1))
    equal = pd.DataFrame({"item": [1, 1, 2, 2], "annotator": list("abab"), "label": [3] * 4})
    assert str(acc.g_study(equal)[0].reason) == "all ratings are equal"


def test_one_estimand_has_one_interval() -> None:
    """ICC(2,1) is Φ(1), ICC(2,4) is Φ(4), ICC(3,1) is Eρ²(1) and ICC(3,4) is Eρ²(4)."""
    iccs = {one.measure: one for one in intraclass_correlations(TABLE_2)}
    forecast = decision_study(TABLE_2, annotators=[1, 4])
    names = ("icc_3_1", "icc_3_k", "icc_2_1", "icc_2_k")
    for one, name in zip(forecast, names, strict=True):
        assert one.value == pytest.approx(iccs[name].value, abs=1e-9)
        assert one.interval == pytest.approx(iccs[name].interval, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("seed", range(6))
def test_equal_values_have_equal_intervals_whatever_the_data(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 20)), int(rng.integers(2, 6))
    ratings = rng.normal(size=(n, 1)) * rng.choice([0.2, 1]) + rng.normal(size=(n, k))
    ratings += rng.normal(size=k) * rng.choice([0, 1])
    if seed % 2:
        ratings[0, 0] = np.nan
    iccs = {one.measure: one for one in intraclass_correlations(ratings, same_raters=True)}
    for one in decision_study(ratings, annotators=[1]):
        icc = iccs["icc_2_1" if one.measure == "dependability" else "icc_3_1"]
        if one.value == pytest.approx(icc.value, abs=1e-9):
            assert one.interval == pytest.approx(icc.interval, abs=1e-9, nan_ok=True)
