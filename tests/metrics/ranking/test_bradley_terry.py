"""Strengths against other packages and brute force; errors, ranks and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from accordeur.metrics.arrays import Floats
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.options import Sampling
from accordeur.metrics.ranking.bradley_terry import (
    Comparisons,
    fit_strengths,
    share_preferred,
    with_ties_as_half,
)
from accordeur.metrics.ranking.rank_sets import rank_systems


def drawn(n: int = 400, seed: int = 7) -> Comparisons:
    """The draws that choix and evalica got, in the order in which they were drawn."""
    rng = np.random.default_rng(seed)
    theta = np.array([0.8, 0.5, 0, -0.4, -0.9])
    left = rng.integers(0, 5, n)
    right = (left + rng.integers(1, 5, n)) % 5
    wins = rng.random(n) < 1 / (1 + np.exp(-(theta[left] - theta[right])))
    ties = rng.random(n) < 0.2
    outcome = np.where(ties, 0, np.where(wins, 1, -1))
    return Comparisons(tuple("abcde"), left, right, outcome, np.arange(n) // 4, np.arange(n) % 7)


def log_likelihood(given: Comparisons, theta: Floats, tied: float, effect: float = 0.0) -> float:
    d = theta[given.left] - theta[given.right] + effect
    total = np.exp(d / 2) + tied + np.exp(-d / 2)
    return float(
        (given.outcome * d / 2 + (given.outcome == 0) * np.log(tied) - np.log(total)).sum()
    )


def test_strengths_are_those_of_other_packages() -> None:
    every = drawn()
    # choix 0.4.1, opt_pairwise and ilsr_pairwise (alpha 0), of the comparisons without a tie
    choix = [0.851109852, 0.382997345, -0.155036684, -0.342125145, -0.736945368]
    decided = every.select(every.outcome != 0)
    assert fit_strengths(decided).theta == pytest.approx(choix, abs=1e-8)
    # evalica 0.4.2, logarithms of bradley_terry, a draw as half of a win for either
    evalica = [0.609926728, 0.2960444, -0.127250684, -0.228870176, -0.549850267]
    assert fit_strengths(with_ties_as_half(every)).theta == pytest.approx(evalica, abs=1e-8)


def contests(names: str, rows: list[tuple[str, str, int, int]]) -> Comparisons:
    """Contests of two, each with the number that either won, all independent."""
    of = {name: place for place, name in enumerate(names.split())}
    played = [
        (of[first], of[second], said)
        for first, second, won, lost in rows
        for said, times in ((1, won), (-1, lost))
        for _ in range(times)
    ]
    left, right, outcome = np.array(played).T
    n = np.arange(left.size)
    return Comparisons(tuple(of), left, right, outcome, n, n)


def test_strengths_of_journals_are_those_of_bradleyterry2() -> None:
    """Citations of Stigler (1994); BradleyTerry2's vignette (Turner & Firth 2012), section 2."""
    cited = {
        ("Biometrika", "Comm"): (730, 33), ("Biometrika", "JASA"): (498, 320),
        ("Biometrika", "JRSS-B"): (221, 284), ("Comm", "JASA"): (68, 813),
        ("Comm", "JRSS-B"): (17, 276), ("JASA", "JRSS-B"): (142, 325),
    }  # fmt: skip
    given = contests("Biometrika Comm JASA JRSS-B", [(*two, *n) for two, n in cited.items()])
    theta = fit_strengths(given).theta
    assert theta[1:] - theta[0] == pytest.approx([-2.94907, -0.47957, 0.26895], abs=5e-6)


def test_strengths_of_teams_and_the_effect_of_home_are_those_of_bradleyterry2() -> None:
    """Games of Agresti (2002), Table 10.11; BradleyTerry2's vignette, section 2.2."""
    teams = "Baltimore Boston Cleveland Detroit Milwaukee NewYork Toronto"
    at_home = {  # won and lost at home against each of the others, in the order of `teams`
        "Milwaukee": "6-0 6-1 4-2 4-3 4-3 4-2", "Detroit": "4-3 6-0 6-1 3-3 4-3 4-2",
        "Toronto": "6-0 4-3 4-2 4-3 2-5 2-4", "NewYork": "6-1 4-3 4-2 5-1 3-3 2-5",
        "Boston": "6-0 5-2 2-5 5-1 4-2 3-3", "Cleveland": "2-4 4-2 3-3 2-5 4-3 3-4",
        "Baltimore": "1-6 3-4 1-5 2-5 2-4 1-6",
    }  # fmt: skip
    games = []
    for home, results in at_home.items():
        others = [team for team in teams.split() if team != home]
        for away, result in zip(others, results.split(), strict=True):
            won, lost = map(int, result.split("-"))
            games.append((home, away, won, lost))
    given = contests(teams, games)
    theta = fit_strengths(given).theta
    published = [1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945]
    assert theta[1:] - theta[0] == pytest.approx(published, abs=5e-5)
    found = fit_strengths(replace(given, covariates=np.ones((given.n, 1))))
    published = [1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271]
    assert found.theta[1:] - found.theta[0] == pytest.approx(published, abs=5e-5)
    assert found.effects[0] == pytest.approx(0.3023, abs=5e-5)


@pytest.mark.parametrize("effect", [False, True])
def test_no_other_parameters_are_more_likely(effect: bool) -> None:
    given = drawn()
    shown = replace(given, covariates=np.ones((given.n, 1))) if effect else given
    found = fit_strengths(shown)
    own = float(found.effects[0]) if effect else 0.0
    best = log_likelihood(given, found.theta, found.ties, own)
    rng = np.random.default_rng(1)
    for _ in range(50):
        theta = found.theta + rng.normal(0, 0.02, 5)
        tied = found.ties * np.exp(rng.normal(0, 0.02))
        moved = own + rng.normal(0, 0.02) * effect
        assert log_likelihood(given, theta, tied, moved) < best
    assert found.theta.sum() == pytest.approx(0, abs=1e-9)


def test_independent_answers_have_the_error_of_the_information() -> None:
    """With a rater and an item for each comparison, the variance is the inverse information."""
    given = drawn(4000)
    alone = replace(given, items=np.arange(given.n), raters=np.arange(given.n))
    found = fit_strengths(alone)
    contrast = np.array([[1.0, -1, 0, 0, 0]])
    d = found.theta[given.left] - found.theta[given.right]
    total = np.exp(d / 2) + found.ties + np.exp(-d / 2)
    mean, tie = (np.exp(d / 2) - np.exp(-d / 2)) / total, found.ties / total
    design = np.zeros((given.n, 6))
    design[np.arange(given.n), given.left] += 0.5
    design[np.arange(given.n), given.right] -= 0.5
    information = design.T @ (design * (1 - tie - mean**2)[:, None])
    cross = -(design * (mean * tie)[:, None]).sum(axis=0)
    information[:5, 5] = information[5, :5] = cross[:5]
    information[5, 5] = (tie * (1 - tie)).sum()
    information[:5, :5] += 0.2
    expected = np.linalg.inv(information)
    own = contrast @ expected[:5, :5] @ contrast.T
    assert found.variance(contrast)[0] == pytest.approx(float(own[0, 0]), rel=0.1)


def test_tastes_of_raters_widen_the_intervals() -> None:
    rng = np.random.default_rng(4)
    n, raters = 1200, rng.integers(0, 8, 1200)
    left, right = np.zeros(n, np.int64), np.ones(n, np.int64)
    taste = rng.normal(0, 1, 8)
    outcome = np.where(rng.random(n) < 1 / (1 + np.exp(-taste[raters])), 1, -1)
    items = np.arange(n)
    by_rater = fit_strengths(Comparisons(("a", "b"), left, right, outcome, items, raters))
    by_item = fit_strengths(Comparisons(("a", "b"), left, right, outcome, items, items * 0))
    contrast = np.array([[1.0, -1.0]])
    assert by_rater.variance(contrast)[0] > 4 * by_item.variance(contrast)[0]
    assert (by_rater.df, by_item.df) == (7, n - 1)


@pytest.mark.parametrize("seed", range(3))
def test_names_and_sides_of_systems_change_nothing(seed: int) -> None:
    given = drawn(seed=seed)
    mirrored = replace(given, left=given.right, right=given.left, outcome=-given.outcome)
    renamed = replace(given, left=4 - given.left, right=4 - given.right)
    theta = fit_strengths(given).theta
    assert fit_strengths(mirrored).theta == pytest.approx(theta, abs=1e-10)
    assert fit_strengths(renamed).theta == pytest.approx(theta[::-1], abs=1e-10)


def test_sets_of_ranks_contain_the_order_and_shrink_with_more_comparisons() -> None:
    few = rank_systems(drawn(100), fit_strengths(drawn(100)), Sampling())
    many = rank_systems(drawn(8000), fit_strengths(drawn(8000)), Sampling())
    for found in (few, many):
        for rank, one in enumerate(found.systems, 1):
            assert one.first <= rank <= one.last
            low, high = one.strength.interval
            assert low < one.strength.value < high
        assert sum(one.best for one in found.systems) == pytest.approx(1)
    widths = [sum(one.last - one.first for one in found.systems) for found in (few, many)]
    assert widths[1] < widths[0]
    for pair in many.pairs:  # a pair that is decided for all is decided alone
        assert not pair.is_decided or pair.preferred.interval[0] > 0.5
        assert pair.preferred.value >= 0.5


def test_systems_that_cannot_be_compared_are_named() -> None:
    ones = np.array([1, 1, 1, 1])
    items, raters = np.arange(4), np.arange(4) % 2

    def given(left: list[int], right: list[int]) -> Comparisons:
        return Comparisons(tuple("abcd"), np.array(left), np.array(right), ones, items, raters)

    with pytest.raises(MetricsError, match="a and c are never compared"):
        fit_strengths(given([0, 1, 2, 3], [1, 0, 3, 2]))
    with pytest.raises(MetricsError, match=r"^d won every comparison against a, b, c,"):
        fit_strengths(given([0, 1, 2, 3], [1, 2, 0, 0]))


def test_too_many_systems_are_refused_before_memory_is_taken() -> None:
    k = 10_000
    ring = np.arange(k)
    given = Comparisons(
        tuple(map(str, ring)), ring, (ring + 1) % k, np.ones(k, np.int64), ring, ring % 9
    )
    with pytest.raises(MetricsError, match=r"^10,000 systems: at most 500 are ranked together"):
        fit_strengths(given)


def test_variances_of_differences_are_those_of_their_contrasts() -> None:
    found = fit_strengths(drawn())
    pairs = [(a, b) for a in range(5) for b in range(a)]
    contrasts = np.zeros((len(pairs), 5))
    for row, (a, b) in enumerate(pairs):
        contrasts[row, [a, b]] = 1, -1
    expected = found.variance(contrasts)
    got = [found.variance_of_differences()[pair] for pair in pairs]
    assert got == pytest.approx(expected.tolist(), rel=1e-12)


def test_an_order_that_decides_everything_is_refused() -> None:
    left = np.array([0, 1, 0, 1] * 5)
    given = Comparisons(
        ("a", "b"), left, 1 - left, np.ones(20, np.int64), np.arange(20), np.arange(20) % 3,
        covariates=np.ones((20, 1)),
    )  # fmt: skip
    with pytest.raises(MetricsError, match="the order shown or another covariate decide"):
        fit_strengths(given)


def test_the_share_preferred_counts_ties_as_half() -> None:
    d = np.linspace(-3, 3, 7)
    assert share_preferred(d, 0.0) == pytest.approx(1 / (1 + np.exp(-d)))
    assert share_preferred(d, 0.8) + share_preferred(-d, 0.8) == pytest.approx(np.ones(7))
