"""What an interval rests on: why there is none, percentiles and errors of draws, its settings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t as student

from accordeur.metrics.estimate import Estimate
from accordeur.metrics.intervals.interval import (
    Interval,
    add_interval,
    interval_of_draws,
    symmetric_interval,
    why_no_interval,
)
from accordeur.metrics.reason import ReasonCode
from accordeur.metrics.signature import How, IntervalMethod

SETTINGS = Interval(level=0.9, method="m", over="items", n_units=9, seed=3)


@pytest.mark.parametrize(
    ("value", "units", "replicates", "code"),
    [
        (0.5, 2, {}, None),
        (0.5, 1, {}, ReasonCode.FEW_TO_DRAW),
        (math.nan, 2, {}, ReasonCode.COEFFICIENT_UNDEFINED),
        (0.5, 9, {"n_replicates": 100, "n_undefined": 50}, None),
        (0.5, 9, {"n_replicates": 100, "n_undefined": 51}, ReasonCode.REPLICATES_UNDEFINED),
        (0.5, 9, {"n_undefined": 1}, ReasonCode.REPLICATES_UNDEFINED),
    ],
)
def test_two_units_and_half_of_the_replicates_are_needed(
    value: float, units: int, replicates: dict[str, int], code: ReasonCode | None
) -> None:
    reason = why_no_interval(value, units, **replicates)
    assert (None if reason is None else reason.code) == code


def test_draws_have_their_percentiles_and_the_standard_error_of_a_sample() -> None:
    draws = np.append(np.random.default_rng(1).normal(size=7), math.nan)
    found = interval_of_draws(draws, (0.1, 0.8), SETTINGS, float(np.nanmedian(draws)))
    assert found.bounds == pytest.approx(np.nanquantile(draws, (0.1, 0.8)))
    assert found.standard_error == pytest.approx(np.nanstd(draws, ddof=1))
    assert (found.n_replicates, found.n_undefined) == (8, 1)


@pytest.mark.parametrize("df", [None, 3])
def test_a_symmetric_interval_has_quantiles_of_student(df: int | None) -> None:
    with_error = Interval(level=0.9, method="m", over="items", n_units=9, standard_error=0.2)
    found = symmetric_interval(with_error, 1.5, df=df)
    half = 0.2 * student.ppf(0.95, df or 8)
    assert found.bounds == pytest.approx((1.5 - half, 1.5 + half))


@pytest.mark.parametrize(("n_replicates", "replicates", "seed"), [(200, 200, 3), (0, None, None)])
def test_an_estimate_states_how_its_interval_was_computed(
    n_replicates: int, replicates: int | None, seed: int | None
) -> None:
    interval = Interval(
        lower=0.2, upper=0.6, standard_error=0.1, level=0.9, method="m", over="items",
        n_units=9, seed=3, n_replicates=n_replicates,
    )  # fmt: skip
    found = add_interval(Estimate("scott_pi", 0.5, how=How(measure="scott_pi")), interval)
    assert (found.interval, found.confidence_level) == ((0.2, 0.6), 0.9)
    assert found.how.interval == IntervalMethod("m", "items", 0.9)
    assert (found.how.replicates, found.how.seed) == (replicates, seed)
    assert found.detail.standard_error == 0.1
