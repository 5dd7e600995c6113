"""Korn & Graubard's interval of a share and Fay & Feuer's of a rate of unequal events."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accordeur.metrics.arrays import Floats
from accordeur.metrics.intervals.published_rules import (
    rate_bounds,
    ratio_over_units,
    share_bounds,
)


def _columns(*rows: tuple[float, ...]) -> tuple[Floats, ...]:
    return tuple(np.array(row, dtype=np.float64)[:, None] for row in rows)


def _ends(bounds: object) -> tuple[float, float]:
    return float(bounds.lower[0]), float(bounds.upper[0])  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("n", "lower"), [(10, 0.6915), (30, 0.8843), (50, 0.9289), (100, 0.9638), (1000, 0.9963)]
)
def test_all_items_right_has_the_tabled_limit_of_clopper_and_pearson(n: int, lower: float) -> None:
    """Clopper & Pearson 1934: (α/2)^(1/n) for n successes in n."""
    ones = np.ones((n, 1))
    found = _ends(share_bounds(ones, ones))
    assert found == (pytest.approx(lower, abs=5e-5), 1.0)
    assert found[0] == pytest.approx(0.025 ** (1 / n), rel=1e-12)


def test_a_share_has_the_quantiles_of_its_definition() -> None:
    """n_eff = p(1 − p)/V, n_df with t of n − 1 and of D − 1, then two beta quantiles."""
    rng = np.random.default_rng(4)
    b = 1.0 + rng.poisson(9, 7)
    a = rng.binomial(b.astype(int), 0.9).astype(float)
    p, n = a.sum() / b.sum(), b.sum()
    variance = 7 / 6 * ((a - p * b) ** 2).sum() / n**2
    t_of_n, t_of_units = stats.t.ppf(0.975, n - 1), stats.t.ppf(0.975, 6)
    size = min(n, min(n, p * (1 - p) / variance) * (t_of_n / t_of_units) ** 2)
    expected = (
        stats.beta.ppf(0.025, p * size, size - p * size + 1),
        stats.beta.ppf(0.975, p * size + 1, size - p * size),
    )
    assert _ends(share_bounds(a[:, None], b[:, None])) == pytest.approx(expected, rel=1e-9)


def test_without_a_largest_size_the_effective_size_may_exceed_the_number_of_items() -> None:
    (shares,) = _columns((0.0, 0.0, 0.01, 0.02, 0.01, 0.0, 0.01, 0.02))
    ones = np.ones_like(shares)
    capped = _ends(share_bounds(shares, ones))
    free = _ends(share_bounds(shares, ones, size=np.inf))
    p, variance = shares.mean(), shares.var(ddof=1) / 8
    size = p * (1 - p) / variance * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 7)) ** 2
    assert size > 8
    assert free == pytest.approx(
        (
            stats.beta.ppf(0.025, p * size, size - p * size + 1),
            stats.beta.ppf(0.975, p * size + 1, size - p * size),
        ),
        rel=1e-9,
    )
    assert capped[0] < free[0] < p < free[1] < capped[1]


def test_shares_without_variance_are_worth_their_size_or_their_units() -> None:
    a, b = _columns((0.0,) * 5, (4.0,) * 5)
    few = (stats.t.ppf(0.975, 19) / stats.t.ppf(0.975, 4)) ** 2
    expected = 1 - 0.025 ** (1 / (20 * few))
    assert _ends(share_bounds(a, b)) == (0.0, pytest.approx(expected, rel=1e-9))
    few = (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 4)) ** 2
    expected = 1 - 0.025 ** (1 / (5 * few))
    assert _ends(share_bounds(a, b, size=np.inf)) == (0.0, pytest.approx(expected, rel=1e-9))


def test_a_rate_of_equal_events_has_the_tabled_limits_of_a_poisson_count() -> None:
    """Garwood 1936: 10 events have the limits 4.795 and 18.39; none 0 and 3.689."""
    units = 200_000  # so that an event changes no unit's share of the exposure
    a = np.zeros((units, 2))
    a[:10, 0] = 1
    found = rate_bounds(a, np.ones((units, 2)))
    assert found.lower * units == pytest.approx([4.795, 0], abs=5e-4)
    assert found.upper * units == pytest.approx([18.39, 3.689], abs=1e-3)


def test_a_rate_has_the_quantiles_of_its_definition() -> None:
    a, b = _columns((0.4, 0.0, 1.25, 0.0, 0.25), (8.0, 5.0, 9.0, 7.0, 6.0))
    rate, total = a.sum() / b.sum(), b.sum()
    variance = 5 / 4 * ((a - rate * b) ** 2).sum() / total**2
    variance *= (stats.t.ppf(0.975, 4) / stats.norm.ppf(0.975)) ** 2
    w = 1 / total
    expected = (
        variance / (2 * rate) * stats.chi2.ppf(0.025, 2 * rate**2 / variance),
        (variance + w**2)
        / (2 * (rate + w))
        * stats.chi2.ppf(0.975, 2 * (rate + w) ** 2 / (variance + w**2)),
    )
    assert _ends(rate_bounds(a, b)) == pytest.approx(expected, rel=1e-9)


def test_the_variance_of_a_ratio_is_that_of_the_jackknife() -> None:
    """Efron 1982: the two agree to the order of 1/D for units of about equal size."""
    rng = np.random.default_rng(5)
    b = rng.uniform(9, 11, (60, 1))
    a = b * rng.uniform(0.2, 0.9, (60, 1))
    without = (a.sum() - a) / (b.sum() - b)
    jackknife = 59 / 60 * ((without - without.mean()) ** 2).sum()
    assert ratio_over_units(a, b).variance[0] == pytest.approx(jackknife, rel=0.02)


_UNITS = st.lists(st.tuples(st.integers(0, 12), st.floats(0, 1)), min_size=2, max_size=12).filter(
    lambda units: sum(n > 0 for n, _ in units) > 1
)


@given(_UNITS, st.sampled_from([0.8, 0.95, 0.99]), st.sampled_from([None, np.inf, 0.5]))
def test_an_interval_contains_its_value_and_lies_in_the_range(
    units: list[tuple[int, float]], level: float, size: float | None
) -> None:
    trials, parts = _columns(*zip(*units, strict=True))
    successes = np.round(trials * parts)
    most = trials.sum() * size if size == 0.5 else size
    lower, upper = _ends(share_bounds(successes, trials, level=level, size=most))
    value = float(successes.sum() / trials.sum())
    assert 0 <= lower <= value <= upper <= 1
    assert lower < upper
    lower, upper = _ends(rate_bounds(successes, trials, level=level))
    assert 0 <= lower <= value <= upper
    assert lower < upper


def test_units_without_content_count_for_nothing() -> None:
    a, b = _columns((3.0, 4.0, 1.0), (4.0, 4.0, 2.0))
    more_a, more_b = _columns((3.0, 4.0, 1.0, 0.0, 0.0), (4.0, 4.0, 2.0, 0.0, 0.0))
    for rule in (share_bounds, rate_bounds):
        assert _ends(rule(more_a, more_b)) == _ends(rule(a, b))
        assert np.isnan(_ends(rule(a[:1], b[:1]))).all()
        assert np.isnan(_ends(rule(0 * a, 0 * b))).all()


@pytest.mark.parametrize("share", [0.9, 0.99])
def test_intervals_of_shares_cover_near_one(share: float) -> None:
    """20 documents of 12 units, correlation .1 within documents: a bootstrap covers .60 at .99."""
    rng, trials, n = np.random.default_rng(11), 2000, np.full((20, 2000), 12.0)
    rates = rng.beta(share * 9, (1 - share) * 9, (20, trials))
    found = share_bounds(rng.binomial(12, rates).astype(float), n)
    assert ((found.lower <= share) & (share <= found.upper)).mean() > 0.9


def test_intervals_of_rates_cover_near_zero() -> None:
    """Ten documents of 25 units, of which .02 have an error of size 1, .4 or .25."""
    rng, rate = np.random.default_rng(12), 0.02 * 0.55
    errors = rng.multinomial(25, [0.02 / 3, 0.02 / 3, 0.02 / 3, 0.98], (10, 2000))
    found = rate_bounds(errors[..., :3] @ np.array([1.0, 0.4, 0.25]), np.full((10, 2000), 25.0))
    assert ((found.lower <= rate) & (rate <= found.upper)).mean() > 0.9
