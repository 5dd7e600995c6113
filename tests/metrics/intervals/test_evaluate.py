"""The engine: statistics of sums over units, and where their intervals end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.arrays import Floats, divide
from accordeur.metrics.bootstrap import percentile_probabilities, ratio_of_sums
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.intervals.evaluate import (
    Mean,
    MeanOfShares,
    Rate,
    Resampled,
    Share,
    Statistic,
    Value,
    evaluate,
    ratio_of_columns,
)
from accordeur.metrics.intervals.interval import Interval, close_interval, symmetric_interval
from accordeur.metrics.options import Sampling
from accordeur.metrics.quantiles import sample_quantiles
from accordeur.metrics.reason import ReasonCode

SAMPLING = Sampling(replicates=200, confidence_level=0.95, seed=3)
RATIO = ratio_of_columns(0, 1)
STATISTICS: list[Statistic] = [
    Share(RATIO),
    Share(RATIO, worth=0.5),
    Share(RATIO, paired=True),
    Share(RATIO, together=2.0),
    Mean(RATIO),
    Mean(lambda rows: (2 * rows[:, 0], rows[:, 1]), highest=2.0),
    MeanOfShares(lambda rows: (rows[:, :1], rows[:, 1:2])),
    MeanOfShares(lambda rows: (rows[:, [0, 0]], np.stack([rows[:, 1], rows[:, 0]], axis=1))),
    Rate(RATIO),
    Rate(RATIO, remaining=True, within=(-math.inf, 1.0)),
    Resampled(ratio_of_sums, within=(0.0, 1.0)),
    Resampled(lambda sums: 1 - 2 * divide(sums[:, 0], sums[:, 1]), within=(-1.0, 1.0)),
]

_ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda one: (min(one), max(one))),
    max_size=9,
)


def _rows(units: list[tuple[int, int]]) -> Floats:
    return np.array(units, dtype=np.float64).reshape(-1, 2)


def _interval(value: Value) -> Interval:
    assert value.interval is not None
    return value.interval


@settings(max_examples=60)
@given(_ROWS)
def test_every_interval_contains_its_value_within_the_range(units: list[tuple[int, int]]) -> None:
    n_content = sum(of > 0 for _, of in units)
    for statistic, found in zip(
        STATISTICS, evaluate(_rows(units), STATISTICS, SAMPLING), strict=True
    ):
        interval, (lowest, highest) = _interval(found), statistic.within
        if interval.reason is not None:
            assert math.isnan(interval.lower)
            assert math.isnan(interval.upper)
            assert n_content < 2 or math.isnan(found.value)
            continue
        single = isinstance(statistic, Share) and statistic.parts(_rows(units))[1].sum() == 1
        assert n_content >= 2 or single
        assert lowest <= interval.lower <= found.value <= interval.upper <= highest
        assert interval.lower < interval.upper


def test_a_unit_without_content_changes_no_rule() -> None:
    rows = _rows([(3, 4), (1, 5), (6, 6)])
    more = np.concatenate([rows, np.zeros((4, 2))])
    for statistic in STATISTICS[:10]:
        [one], [other] = (evaluate(part, [statistic], SAMPLING) for part in (rows, more))
        assert _interval(one).bounds == _interval(other).bounds


def test_equal_units_may_be_counted_instead_of_repeated() -> None:
    rows, times = _rows([(3, 4), (1, 5), (0, 0), (6, 6)]), np.array([3, 1, 2, 5])
    repeated = evaluate(np.repeat(rows, times, axis=0), STATISTICS, SAMPLING)
    for statistic, one in zip(STATISTICS, repeated, strict=True):
        [counted] = evaluate(rows, [statistic], SAMPLING, times=times)
        assert counted.value == pytest.approx(one.value)
        assert _interval(counted).bounds == pytest.approx(_interval(one).bounds)
        assert _interval(counted).n_units == 11


def test_one_unit_with_content_gives_no_interval_and_says_why() -> None:
    for found in evaluate(_rows([(0, 0), (2, 5), (0, 0)]), STATISTICS, SAMPLING):
        interval = _interval(found)
        assert not math.isnan(found.value)
        assert interval.reason is not None
        assert interval.reason.code is ReasonCode.FEW_TO_DRAW


def test_a_bootstrap_is_that_of_resampled_rows() -> None:
    rng = np.random.default_rng(3)
    trials = rng.integers(5, 40, 60)
    rows = np.stack([rng.binomial(trials, 0.7), trials], axis=1)
    draws = rng.integers(0, 60, (20_000, 60))
    replicates = rows[draws, 0].sum(axis=1) / rows[draws, 1].sum(axis=1)
    expected = sample_quantiles(replicates, percentile_probabilities(0.95, 60))
    sampling = Sampling(replicates=20_000, seed=1)
    [found] = evaluate(rows, [Resampled(ratio_of_sums)], sampling)
    assert _interval(found).bounds == pytest.approx(expected, abs=0.002)


def test_equal_rows_drawn_together_give_the_same_distribution() -> None:
    """Items as documents: only two kinds of rows, a binomial interval."""
    rows = np.array([[1, 1]] * 70 + [[0, 1]] * 30)
    [found] = evaluate(rows, [Resampled(ratio_of_sums)], Sampling(replicates=20_000))
    assert _interval(found).bounds == pytest.approx((0.61, 0.79), abs=0.011)


def test_a_bootstrap_without_width_is_extended_by_what_its_units_cannot_show() -> None:
    """All of 30 alike: with a share above 1 − .025^(1/30) of others, that is too unlikely."""
    rows = np.ones((30, 2))
    [right, wrong] = evaluate(
        rows * [1, 1], [Resampled(ratio_of_sums, within=(0.0, 1.0))] * 2, SAMPLING
    )
    assert _interval(right).bounds == (pytest.approx(0.025 ** (1 / 30)), 1.0)
    [wrong] = evaluate(rows * [0, 1], [Resampled(ratio_of_sums, within=(0.0, 1.0))], SAMPLING)
    assert _interval(wrong).bounds == (0.0, pytest.approx(1 - 0.025 ** (1 / 30)))
    [free] = evaluate(rows, [Resampled(ratio_of_sums, within=(0.0, math.inf))], SAMPLING)
    reason = _interval(free).reason
    assert reason is not None
    assert reason.code is ReasonCode.UNITS_ALIKE


def test_a_value_undefined_in_most_replicates_has_no_interval() -> None:
    rows = np.zeros((12, 2))
    rows[:2] = 1

    def both(sums: Floats) -> Floats:
        return np.where(sums[:, 1] >= 2, sums[:, 0], np.nan)

    [found] = evaluate(
        rows, [Resampled(both, content=lambda rows: np.ones(len(rows), bool))], SAMPLING
    )
    interval = _interval(found)
    assert interval.reason is None or interval.reason.code is ReasonCode.REPLICATES_UNDEFINED
    assert interval.n_replicates == 200
    assert interval.n_undefined > 0


def test_a_symmetric_interval_is_cut_to_the_range_and_keeps_a_value_outside() -> None:
    settings_ = Interval(level=0.95, method="any", over="items", n_units=8, standard_error=0.2)
    found = symmetric_interval(settings_, -2.667, within=(-3.0, 1.0))
    assert found.bounds == (-3.0, pytest.approx(-2.667 + 2.3646 * 0.2, abs=1e-4))
    found = symmetric_interval(settings_, 1.25, within=(-1.0, 1.0))
    assert found.upper == 1.25


def test_undefined_values_have_no_interval() -> None:
    given_ = Interval(lower=0.1, upper=0.2, level=0.95, method="any", over="items", n_units=8)
    found = close_interval(given_, math.nan)
    assert math.isnan(found.lower)
    assert found.reason is not None
    assert found.reason.code is ReasonCode.COEFFICIENT_UNDEFINED


def test_without_replicates_there_are_values_only() -> None:
    [found] = evaluate(_rows([(1, 2), (3, 4)]), [Share(RATIO)], Sampling(replicates=0))
    assert found == Value(4 / 6, None)


def test_a_share_of_30_of_30_has_a_lower_limit_near_88_per_cent() -> None:
    [found] = evaluate(np.ones((30, 2)), [Share(RATIO)], SAMPLING, over="items")
    assert _interval(found).bounds == (pytest.approx(0.8843, abs=5e-5), 1.0)
    assert _interval(found).over == "items"


def test_a_level_outside_its_range_is_an_error() -> None:
    class Anyhow(Sampling):
        def __post_init__(self) -> None:
            pass

    with pytest.raises(MetricsError, match="must lie between 0 and 1"):
        evaluate(np.ones((3, 2)), [Share(RATIO)], Anyhow(confidence_level=1.5))
