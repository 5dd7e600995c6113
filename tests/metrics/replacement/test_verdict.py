"""Three outcomes, their stability, what would settle them, and several systems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import t

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.replacement.judge_comparison import (
    JudgeComparison,
    compare_labels,
    equal_labels,
)
from accordeur.metrics.replacement.replaceability import (
    Replaceability,
    correct_for_many_systems,
    replaceability,
)
from accordeur.metrics.replacement.replacement_options import ReplacementSettings
from accordeur.metrics.replacement.verdict import (
    Verdict,
    _more_units_needed,
    advantage_sums,
    decide_for_new_annotators,
    decide_for_panel,
)

NAMES = ("ann", "ben", "cat", "dan")


def panel(
    seed: int, quality: float, *, n: int = 200, a: int = 4
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Humans who are right .8 of the time, and a system of some quality; four categories."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)

    def answers(right: float, shape: tuple[int, ...]) -> NDArray[np.int64]:
        home = truth[:, None] if len(shape) == 2 else truth
        wrong = (home + rng.integers(1, 4, shape)) % 4
        return np.where(rng.random(shape) < right, home, wrong)

    return answers(0.8, (n, a)), answers(quality, (n,))


def judged(seed: int, quality: float, n: int = 200, **options) -> Replaceability:
    humans, system = panel(seed, quality, n=n)
    settings = ReplacementSettings(epsilon=0.1, **options)
    return replaceability("gpt", compare_labels(humans, system, equal_labels), NAMES, settings)


@pytest.mark.parametrize(
    ("quality", "verdict"), [(0.9, Verdict.MAY), (0.4, Verdict.MAY_NOT), (0.71, Verdict.UNDECIDED)]
)
def test_a_good_system_may_a_bad_one_may_not_and_one_between_is_undecided(quality, verdict):
    found = judged(3, quality)
    assert found.panel is not None
    assert found.panel.verdict is verdict
    lower, upper = found.advantage.interval
    assert (lower > -0.1, upper < -0.1) == (verdict is Verdict.MAY, verdict is Verdict.MAY_NOT)
    assert found.advantage.confidence_level == pytest.approx(0.9)


def hall_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """90 % of a mean by Hall (1992), section 2: his transformation of t, inverted numerically."""
    n, mean = values.size, values.mean()
    error = values.std(ddof=1) / math.sqrt(n)
    skew = ((values - mean) ** 3).sum() / ((values - mean) ** 2).sum() ** 1.5

    def transformed(m: float) -> float:
        one = (mean - m) / error
        return float(one + skew * one**2 / 3 + skew**2 * one**3 / 27 + skew / 6)

    reach = t.ppf(0.95, n - 1)
    around = mean - 20 * error, mean + 20 * error
    lower = brentq(lambda m: transformed(m) - reach, *around, xtol=1e-12)
    upper = brentq(lambda m: transformed(m) + reach, *around, xtol=1e-12)
    return lower, upper


def test_the_interval_is_that_of_the_items_means_where_everybody_labelled_everything():
    humans, system = panel(5, 0.75)
    comparison = compare_labels(humans, system, equal_labels)
    per_item = comparison.advantage.mean(axis=1)
    found = decide_for_panel(advantage_sums(comparison.compared, comparison.advantage), 0.1)
    assert found.mean == pytest.approx(per_item.mean())
    assert found.interval == pytest.approx(hall_interval(per_item))


def test_items_of_one_document_are_drawn_together():
    humans, system = panel(7, 0.75, n=120)
    comparison = compare_labels(humans, system, equal_labels)
    documents = np.repeat(np.arange(12), 10)
    sums = advantage_sums(comparison.compared, comparison.advantage, documents)
    assert (sums.over, sums.n_units) == ("documents", 12)
    means = comparison.advantage.mean(axis=1).reshape(12, 10).mean(axis=1)
    found = decide_for_panel(sums, 0.1)
    assert found.interval == pytest.approx(hall_interval(means))


def test_a_clear_verdict_is_stable_and_a_close_one_says_how_many_items_would_settle_it():
    clear, close = judged(1, 0.95), judged(3, 0.71)
    assert clear.panel is not None
    assert close.panel is not None
    assert clear.panel.is_stable
    assert clear.panel.more == 0
    assert not close.panel.is_stable
    assert close.panel.more is None or close.panel.more > 0
    assert close.n_lost > 0
    assert [one.advantage for one in close.lost] == sorted(one.advantage for one in close.lost)


@pytest.mark.long
def test_forecast_items_decide_with_the_promised_probability():
    """Of an undecided system with the forecast number of items, about .8 are decided."""
    humans, system = panel(3, 0.71)
    comparison = compare_labels(humans, system, equal_labels)
    sums = advantage_sums(comparison.compared, comparison.advantage)
    first = decide_for_panel(sums, 0.1, n_stability_replicates=200)
    assert first.verdict is Verdict.UNDECIDED
    assert first.more is not None
    rng, decided = np.random.default_rng(0), 0
    for _ in range(200):
        rows = rng.integers(0, 200, 200 + first.more)
        more = JudgeComparison(*(one[rows] for one in (
            comparison.system, comparison.annotator, comparison.compared
        )))  # fmt: skip
        again = decide_for_panel(advantage_sums(more.compared, more.advantage), 0.1)
        decided += again.verdict is not Verdict.UNDECIDED
    assert 0.7 < decided / 200 < 0.9


def test_new_annotators_are_judged_on_the_annotators_means():
    humans, system = panel(2, 0.85)
    comparison = compare_labels(humans, system, equal_labels)
    sums = advantage_sums(comparison.compared, comparison.advantage)
    here = decide_for_panel(sums, 0.1)
    new = decide_for_new_annotators(sums, 0.1, here)
    assert new.mean == here.mean
    assert new.interval[0] < here.interval[0]
    assert new.interval[1] > here.interval[1]


def test_two_annotators_or_too_few_items_give_a_reason_and_no_verdict():
    humans, system = panel(1, 0.9)
    two = replaceability(
        "gpt",
        compare_labels(humans[:, :2], system, equal_labels),
        NAMES[:2],
        ReplacementSettings(),
    )
    assert two.panel is None
    assert math.isnan(two.advantage.value)
    assert "2 annotators share 30 items" in str(two.advantage.reason)
    short = judged(1, 0.9, n=20)
    assert short.panel is None
    assert "0 annotators" in str(short.winning_rate.reason)
    assert judged(1, 0.9, n=20, min_items=10).panel is not None


def test_many_mediocre_systems_are_not_let_through_by_their_number():
    one = judged(15, 0.78)
    assert one.panel is not None
    assert one.panel.verdict is Verdict.MAY
    assert 0.05 / 8 < one.panel.p_may < 0.05
    alone = correct_for_many_systems([one], 0.05)
    many = correct_for_many_systems([one] * 8, 0.05)
    assert alone[0].after_holm is Verdict.MAY
    assert {system.after_holm for system in many} == {Verdict.UNDECIDED}


def test_a_larger_epsilon_never_makes_a_system_worse():
    order = [Verdict.MAY_NOT, Verdict.UNDECIDED, Verdict.MAY]
    curve = judged(3, 0.71).curve
    verdicts = [order.index(point.verdict) for point in curve]
    assert verdicts == sorted(verdicts)
    rates = [point.winning_rate for point in curve]
    assert rates == sorted(rates)
    assert [point.epsilon for point in curve] == sorted(point.epsilon for point in curve)


def test_the_same_seed_gives_the_same_verdict():
    assert judged(3, 0.71) == judged(3, 0.71)


@pytest.mark.parametrize(
    "options",
    [{"epsilon": 1.0}, {"epsilon": 0.1, "expertise": "expert"}, {"alignment": "kappa"},
     {"expertise": "novice"}, {"error": 0.6}],
)  # fmt: skip
def test_options_out_of_range_are_refused(options):
    with pytest.raises(MetricsError):
        ReplacementSettings(**options)


def test_without_annotators_there_is_nothing_to_resample() -> None:
    nobody = np.zeros((12, 0), bool)
    assert advantage_sums(nobody, nobody.astype(np.int8)).n_units == 0


@pytest.mark.parametrize("distance", [0.4, 1.3, 1.9, 1.955])
def test_the_units_that_are_missing_are_the_fewest_with_which_the_distance_suffices(
    distance: float,
) -> None:
    """A distance in standard errors grows with the root of the number of units."""
    n, needed = 200, 1.96
    fewest = next(
        more for more in range(1, 100_000) if distance * math.sqrt((n + more) / n) >= needed
    )
    assert _more_units_needed(n, distance, needed) == fewest
    assert _more_units_needed(n, needed, needed) == 1
    assert _more_units_needed(n, 0.0, needed) is None
