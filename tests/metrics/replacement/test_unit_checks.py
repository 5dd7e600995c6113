"""A judge of units: its runs, the number and length of its units, and their places."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.reason import ReasonCode
from accordeur.metrics.replacement.judge_checks import CheckedItems
from accordeur.metrics.replacement.unit_checks import (
    advantage_trend,
    length_trend,
    marking_ratios,
    unit_self_consistency,
)
from accordeur.metrics.replacement.unit_comparison import (
    AnnotatedUnits,
    compare_units,
    disorder_similarity_function,
    f_similarity_function,
)
from tests.metrics.replacement.test_unit_comparison import (
    K,
    annotated,
    disorder_by_hand,
    drawn,
    f_by_hand,
)

EXACT = f_similarity_function("exact", K)


def over(n: int, level: float = 0.95) -> CheckedItems:
    return CheckedItems(np.arange(n), level)


@pytest.mark.parametrize(
    ("ours", "by_hand"),
    [
        (EXACT, lambda a, b: f_by_hand("exact", a, b)),
        (disorder_similarity_function(Dissimilarity(), K), disorder_by_hand),
    ],
)
def test_self_consistency_is_the_mean_similarity_of_two_runs(ours, by_hand):
    given = drawn(3, n_documents=12, n_annotators=3)
    found = unit_self_consistency(annotated(given), ours, over(12))
    pairs = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        both = [
            by_hand(row[first], row[second])
            for row in given
            if row[first] is not None and row[second] is not None
        ]
        pairs.append(np.mean(both))
    assert found.value == pytest.approx(np.mean(pairs))
    assert found.interval[0] < found.value < found.interval[1] <= 1


def test_a_run_that_repeats_another_is_consistent_and_one_run_says_nothing():
    same = annotated([[[(0, 4, 0)], [(0, 4, 0)]], [[], []]] * 10)
    found = unit_self_consistency(same, EXACT, over(20))
    assert found.value == 1
    assert 0.8 < found.interval[0] < 1
    apart = annotated([[[(0, 4, 0)], None], [None, [(0, 4, 0)]]])
    assert unit_self_consistency(apart, EXACT, over(2)).reason.code is ReasonCode.FEW_ITEMS


def test_intervals_of_consistency_hold_the_truth():
    """Most documents are marked the same in both runs, the others with an F of any size."""
    rng = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        similar = np.where(rng.random(40) < 0.6, 1.0, rng.beta(4, 2, 40))[:, None]
        found = over(40, 0.9).share_estimate("self_consistency", similar, np.ones((40, 1), bool))
        held += found.interval[0] <= 0.6 + 0.4 * 4 / 6 <= found.interval[1]
    assert 0.86 <= held / 300 <= 0.95


def test_ratios_are_those_of_totals_of_documents_that_both_finished():
    given = [
        [[(0, 4, 0)], [(0, 4, 0), (10, 12, 0)], [(0, 9, 0), (9, 15, 0), (20, 21, 0)]],
        [[(3, 5, 0)], None, [(3, 6, 0)]],
        [[(0, 90, 0)], [(0, 90, 0)], None],  # the system did not finish it
        [None, None, [(0, 90, 0)]],  # no annotator did
    ]
    count, length = marking_ratios(annotated(given), 2, 2, over(4))
    # System: 4 units of 9 + 6 + 1 + 3. Annotators, averaged in each document: 1.5 + 1 and 5 + 2.
    assert count.value == pytest.approx(4 / 2.5)
    assert length.value == pytest.approx((19 / 4) / (7 / 2.5))
    assert count.n_items == length.n_items == 2
    for one in (count, length):
        assert 0 < one.interval[0] < one.value < one.interval[1]


def test_a_system_without_units_marks_none_and_its_length_is_undefined():
    count, length = marking_ratios(annotated([[[(0, 4, 0)], []]] * 5), 1, 1, over(5))
    assert count.value == 0
    assert (length.value, length.reason.code) == (
        pytest.approx(math.nan, nan_ok=True), ReasonCode.NO_SYSTEM_UNIT,
    )  # fmt: skip
    for one in marking_ratios(annotated([[[], [(0, 4, 0)]]] * 5), 1, 1, over(5)):
        assert one.reason.code is ReasonCode.NO_UNIT
    for one in marking_ratios(annotated([[[(0, 4, 0)], None]] * 5), 1, 1, over(5)):
        assert one.reason.code is ReasonCode.FEW_ITEMS


def test_intervals_of_ratios_hold_the_truth():
    """Documents differ in how much there is to mark; the system marks 1.25 of it, twice as long."""
    rng = np.random.default_rng(6)
    held = np.zeros(2)
    for _ in range(200):
        density = rng.gamma(3, 2, 30)
        counts = rng.poisson(density[:, None] * [1, 1, 1, 1.25])
        sizes = counts.ravel()
        owners = np.tile(np.arange(4), 30).repeat(sizes)
        lengths = 1 + rng.poisson(np.where(owners == 3, 9.0, 4.0))
        together = annotated([[[]] * 4] * 30)
        units = type(together.units)(
            np.arange(30).repeat(counts.sum(axis=1)), np.zeros(sizes.sum(), int), lengths,
            np.zeros(sizes.sum(), int),
        )  # fmt: skip
        found = marking_ratios(AnnotatedUnits(units, owners, together.finished), 3, 3, over(30))
        for k, truth in enumerate((1.25, 2.0)):
            held[k] += found[k].interval[0] <= truth <= found[k].interval[1]
    assert (held / 200 >= 0.91).all()
    assert (held / 200 <= 0.99).all()


def one_document(late: bool) -> list[list[tuple[int, int, int]]]:
    """Three annotators mark a unit in each third of 90; the system only misses the last one."""
    right = [(5, 15, 0), (40, 50, 0), (70, 80, 0)]
    return [right, right, right, right[:2] if late else right]


def test_a_system_that_tires_gets_worse_towards_the_end():
    given = annotated([one_document(late=d % 2 == 0) for d in range(40)])
    lengths = np.full(40, 90.0)
    thirds = [compare_units(given.select_third(k, lengths), 3, EXACT)[0] for k in range(3)]
    assert [one.advantage.mean() for one in thirds] == pytest.approx([0, 0, -0.5])
    found = advantage_trend("position_trend", thirds[2], thirds[0], over(40))
    assert found.value == pytest.approx(-0.5)
    assert -0.7 < found.interval[0] < -0.5 < found.interval[1] < -0.3
    reversed_ = advantage_trend("position_trend", thirds[0], thirds[2], over(40))
    assert reversed_.value == pytest.approx(0.5)


def test_units_are_in_the_third_of_their_middle_and_unknown_lengths_have_none():
    given = annotated([[[(0, 58, 0), (59, 89, 0), (20, 40, 0), (89, 91, 0)]] * 2] * 2)
    lengths = np.array([90.0, np.nan])
    starts = [sorted(set(given.select_third(k, lengths).units.starts.tolist())) for k in range(3)]
    assert starts == [[0], [20], [59, 89]]  # the middles are 29, 30, 74 and 90
    for k in range(3):
        assert not given.select_third(k, lengths).finished[1].any()


def test_a_system_that_fails_on_long_documents_has_a_trend():
    given = annotated([one_document(late=d >= 40) for d in range(60)])
    [comparison] = compare_units(given, 3, EXACT)
    lengths = np.arange(60) + 100.0
    found = length_trend(comparison, lengths, over(60))
    assert found.value == pytest.approx(-1)
    assert found.n_items == 40
    for unclear in (np.full(60, 9.0), np.full(60, np.nan)):
        none = length_trend(comparison, unclear, over(60))
        assert math.isnan(none.value)
        assert none.reason.code is ReasonCode.FEW_ITEMS
