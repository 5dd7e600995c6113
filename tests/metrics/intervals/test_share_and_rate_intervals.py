"""Korn & Graubard's interval of a share and Fay & Feuer's of a rate of unequal events."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from accordeur.metrics.arrays import Floats
from accordeur.metrics.intervals.share_and_rate_intervals import (
    mean_bounds,
    mean_share_bounds,
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


def _limits(share: float, size: float) -> tuple[float, float]:
    x = share * size
    return (
        float(stats.beta.ppf(0.025, x, size - x + 1)),
        float(stats.beta.ppf(0.975, x + 1, size - x)),
    )


def test_a_share_has_the_quantiles_of_its_definition() -> None:
    """n_eff = p(1 − p)/V, n_df with t of n − 1 and of D − 1, then two beta quantiles."""
    a, b = _columns((8.0, 3.0, 9.0, 6.0, 2.0, 7.0, 1.0), (10.0, 9.0, 11.0, 8.0, 10.0, 9.0, 10.0))
    p, n = a.sum() / b.sum(), b.sum()
    variance = 7 / 6 * ((a - p * b) ** 2).sum() / n**2
    size = p * (1 - p) / variance * (stats.t.ppf(0.975, n - 1) / stats.t.ppf(0.975, 6)) ** 2
    assert size < n / 2
    assert _ends(share_bounds(a, b)) == pytest.approx(_limits(p, size), rel=1e-9)


def test_few_documents_with_errors_cannot_show_that_errors_are_alike() -> None:
    """A correlation of .1 is kept that fades out with the number of documents with errors."""
    right, b = _columns((20.0, 18.0, 20.0, 20.0, 20.0, 17.0), (20.0,) * 6)
    few = (stats.t.ppf(0.975, 119) / stats.t.ppf(0.975, 5)) ** 2
    size = 120 / (1 + 19 * 0.1) * few  # no error
    assert _ends(share_bounds(b, b)) == pytest.approx((0.025 ** (1 / size), 1), rel=1e-9)
    p = right.sum() / 120
    effect = 120 * (6 / 5 * ((right - p * b) ** 2).sum() / 120**2) / (p * (1 - p))
    units = (2 + 3) ** 2 / (2**2 + 3**2)  # Kish's effective number of documents with errors
    kept = 1 + 19 * 0.1 * np.exp(-units / 4)
    assert kept < effect  # V has more
    assert _ends(share_bounds(right, b)) == pytest.approx(_limits(p, 120 / effect * few), rel=1e-9)
    right, b = _columns((20.0, 19.0, 20.0, 20.0, 20.0, 19.0), (20.0,) * 6)
    p, kept = 118 / 120, 1 + 19 * 0.1 * np.exp(-2 / 4)
    assert kept > 120 * (6 / 5 * ((right - p * b) ** 2).sum() / 120**2) / (p * (1 - p))
    assert _ends(share_bounds(right, b)) == pytest.approx(_limits(p, 120 / kept * few), rel=1e-9)


def test_an_error_that_changes_several_trials_is_worth_one() -> None:
    """Each of five annotators' units has four pairs: 80 pairs of a document are 20 trials."""
    right = np.full((6, 1), 80.0)
    few = (stats.t.ppf(0.975, 479) / stats.t.ppf(0.975, 5)) ** 2
    size = 480 / (4 + 76 * 0.1) * few
    assert _ends(share_bounds(right, right, together=4.0))[0] == pytest.approx(0.025 ** (1 / size))


def test_items_without_documents_have_no_correlation() -> None:
    right, ones = np.ones((40, 1)), np.ones((40, 1))
    right[3] = 0
    assert _ends(share_bounds(right, ones)) == pytest.approx(_limits(39 / 40, 39), rel=1e-9)
    rows = np.array([2.0] * 30 + [0.0] * 3)[:, None], np.array([2.0] * 30 + [1.0] * 3)[:, None]
    f, size = 60 / 63, 63 / (2 - 60 / 63)  # 30 items of both sides, 3 of one only
    variance = 33 / 32 * ((rows[0] - f * rows[1]) ** 2).sum() / 63**2
    few = (stats.t.ppf(0.975, size - 1) / stats.t.ppf(0.975, 32)) ** 2
    expected = _limits(f, min(f * (1 - f) / variance, size) * few)
    assert _ends(share_bounds(*rows, paired=True)) == pytest.approx(expected, rel=1e-9)


def test_an_f_of_pairs_has_the_limits_of_its_share_of_pairs() -> None:
    """F = 2J/(1 + J) of the share J of pairs among pairs and single units; its limits, too."""
    pairs = np.ones((30, 1))
    both, units = 2 * pairs, 2 * pairs
    j = 0.025 ** (1 / 30)
    assert _ends(share_bounds(both, units, paired=True))[0] == pytest.approx(
        2 * j / (1 + j), abs=5e-3
    )
    rng = np.random.default_rng(6)
    many = rng.random(4000) < 0.6  # pairs; the others are units alone
    both, units = 2.0 * many[:, None], np.where(many, 2.0, 1.0)[:, None]
    of_j = share_bounds(many[:, None].astype(float), np.ones((4000, 1)))
    lower, upper = (2 * one / (1 + one) for one in _ends(of_j))
    assert _ends(share_bounds(both, units, paired=True)) == pytest.approx((lower, upper), abs=1e-3)


@pytest.mark.parametrize("icc", [0.0, 0.1])
def test_intervals_of_shares_cover_where_few_large_documents_have_errors(icc: float) -> None:
    """10 documents of 100 items, .99 right: without the kept correlation .75 at icc .1."""
    rng, trials = np.random.default_rng(3), np.full((10, 2000), 100.0)
    rates = np.full((10, 2000), 0.99)
    if icc:
        rates = rng.beta(0.99 * (1 / icc - 1), 0.01 * (1 / icc - 1), (10, 2000))
    found = share_bounds(rng.binomial(100, rates).astype(float), trials)
    assert ((found.lower <= 0.99) & (found.upper >= 0.99)).mean() > 0.92


def test_the_mean_of_one_share_has_its_interval_and_of_equal_shares_too() -> None:
    a, b = _columns((8.0, 3.0, 9.0, 6.0, 2.0), (10.0, 9.0, 11.0, 8.0, 10.0))
    one = _ends(share_bounds(a, b))
    assert mean_share_bounds(a, b) == pytest.approx(one)
    assert mean_share_bounds(np.repeat(a, 3, 1), np.repeat(b, 3, 1)) == pytest.approx(one)
    nothing = np.zeros_like(a)
    assert mean_share_bounds(np.hstack([a, nothing]), np.hstack([b, nothing])) == pytest.approx(one)


def test_the_mean_of_independent_shares_adds_their_distances_as_standard_errors_are_added() -> None:
    """Zou & Donner 2008: with uncorrelated residuals, the distances add by their squares."""
    ones, none = np.ones((40, 1)), np.zeros((40, 1))
    a = np.hstack([np.tile([[1.0], [0.0]], (20, 1)), np.repeat([[1.0], [0.0]], 20, axis=0)])
    b = np.hstack([ones, ones])
    bounds = share_bounds(a, b)
    half = np.sqrt(((0.5 - bounds.lower) ** 2).sum()) / 2
    assert mean_share_bounds(a, b) == pytest.approx((0.5 - half, 0.5 + half))
    lower, upper = mean_share_bounds(np.hstack([ones, ones]), np.hstack([ones, ones]))
    assert (lower, upper) == (pytest.approx(0.025 ** (1 / 40)), 1.0)  # all right
    # of the second share there is one item, which alone is a binomial trial
    rare = none.copy()
    rare[7] = 1
    lower, upper = mean_share_bounds(np.hstack([ones, rare]), np.hstack([ones, rare]))
    alone = share_bounds(rare, rare).lower[0]
    assert alone == pytest.approx(0.025)
    distances = 1 - np.array([0.025 ** (1 / 40), alone])
    assert 1 - lower == pytest.approx(distances.sum() / 2)  # neither varies
    assert upper == 1.0


def test_a_mean_of_amounts_has_the_limits_of_the_smaller_part() -> None:
    """Fay & Feuer of the amounts, or of what they lack, with one further event."""
    small, b = _columns((0.3, 0.0, 1.1, 0.2, 0.4, 0.5), (8.0, 5.0, 9.0, 7.0, 6.0, 7.0))
    mean, total = small.sum() / b.sum(), b.sum()
    variance = 6 / 5 * ((small - mean * b) ** 2).sum() / total**2
    size = variance / mean * total  # events of this size have this variance
    of_a_unit = (b**2).sum() / total
    largest = 1 + 0.1 * (of_a_unit - 1)
    hidden = np.exp(-(small.sum() ** 2 / (small**2).sum()) / 4)
    assert size < largest
    event = size + hidden * (largest - size)
    expected = _ends(rate_bounds(small, b, event=event))
    assert _ends(mean_bounds(small, b)) == pytest.approx(expected, rel=1e-9)
    assert _ends(mean_bounds(b - small, b)) == pytest.approx(
        (1 - expected[1], 1 - expected[0]), rel=1e-9
    )
    assert _ends(mean_bounds(2 * small, b, highest=2.0)) == pytest.approx(
        (2 * expected[0], 2 * expected[1]), rel=1e-9
    )


def test_a_mean_of_nothing_may_be_one_event_with_those_that_come_with_it() -> None:
    """Garwood's 3.689 events of none."""
    none, b = np.zeros((40, 1)), np.full((40, 1), 11.0)
    assert _ends(mean_bounds(none, b)) == (0.0, pytest.approx(3.689 * 2 / 440, rel=1e-3))
    of_four = pytest.approx(3.689 * (4 + 0.7) / 440, rel=1e-3)
    assert _ends(mean_bounds(none, b, together=4.0)) == (0.0, of_four)


def test_intervals_of_means_cover_where_few_documents_lack_nearly_everything() -> None:
    """10 documents of 100 pairs that overlap by .99: a bootstrap covers .68."""
    rng, n = np.random.default_rng(4), np.full((10, 2000), 100.0)
    overlaps = rng.beta(0.99 * 9, 0.01 * 9, (10, 2000)) * 100
    found = mean_bounds(overlaps, n, together=4.0)
    assert ((found.lower <= 0.99) & (found.upper >= 0.99)).mean() > 0.9


def test_shares_without_variance_are_worth_their_trials() -> None:
    a, b = _columns((0.0,) * 5, (4.0,) * 5)
    few = (stats.t.ppf(0.975, 19) / stats.t.ppf(0.975, 4)) ** 2
    expected = 1 - 0.025 ** (1 / (20 / (1 + 3 * 0.1) * few))
    assert _ends(share_bounds(a, b)) == (0.0, pytest.approx(expected, rel=1e-9))


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


@given(_UNITS, st.sampled_from([0.8, 0.95, 0.99]), st.sampled_from([1.0, 0.5]))
def test_an_interval_contains_its_value_and_lies_in_the_range(
    units: list[tuple[int, float]], level: float, worth: float
) -> None:
    trials, parts = _columns(*zip(*units, strict=True))
    successes = np.round(trials * parts)
    value = float(successes.sum() / trials.sum())
    for found in (
        share_bounds(successes, trials, level=level, worth=worth),
        mean_bounds(successes, trials, level=level),
    ):
        lower, upper = _ends(found)
        assert 0 <= lower <= value <= upper <= 1
        assert lower < upper
    lower, upper = _ends(rate_bounds(successes, trials, level=level))
    assert 0 <= lower <= value <= upper
    assert lower < upper


def test_units_without_content_count_for_nothing() -> None:
    a, b = _columns((3.0, 4.0, 1.0), (4.0, 4.0, 2.0))
    more_a, more_b = _columns((3.0, 4.0, 1.0, 0.0, 0.0), (4.0, 4.0, 2.0, 0.0, 0.0))
    for rule in (share_bounds, mean_bounds, rate_bounds):
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


@pytest.mark.parametrize("truth", [0.01, 0.2, 0.5, 0.9, 0.99])
def test_a_single_trial_has_exact_limits(truth: float) -> None:
    """Clopper & Pearson 1934 of one trial; over both outcomes they hold in .95 or more."""
    trial = np.zeros((20, 1))
    trial[4] = 1
    held = 0.0
    for share, bounds in ((truth, (0.025, 1.0)), (1 - truth, (0.0, 0.975))):
        found = share_bounds(trial * (bounds[1] == 1), trial)
        assert (found.lower[0], found.upper[0]) == pytest.approx(bounds)
        held += share * (bounds[0] <= truth <= bounds[1])
    assert held >= 0.95
    assert np.isnan(share_bounds(2 * trial, 2 * trial).lower[0])  # two trials of one document


@pytest.mark.parametrize("other", [{"paired": True}, {"worth": 0.5}, {"together": 2.0}])
def test_only_a_plain_trial_has_exact_limits_alone(other: dict[str, float]) -> None:
    one, none = np.array([[1.0], [0.0]]), np.zeros((2, 1))
    assert _ends(share_bounds(one, one)) == pytest.approx((0.025, 1))
    assert _ends(share_bounds(none, one)) == pytest.approx((0, 0.975))
    assert np.isnan(_ends(share_bounds(one, one, **other))).all()
