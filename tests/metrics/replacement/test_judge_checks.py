"""A judge against itself: repeated runs, an earlier run, the other order, and length."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.replacement.judge_checks import (
    CheckedItems,
    advantage_change,
    changed_labels,
    length_bias,
    position_checks,
    self_consistency,
    third_of_each,
)
from accordeur.metrics.replacement.judge_comparison import compare_labels, equal_labels

ITEMS = CheckedItems(None, 0.95)
FIRST, SECOND, TIE = 0, 1, 2


def test_self_consistency_is_the_share_of_pairs_of_runs_with_the_same_label():
    runs = [np.array(run) for run in ([0, 1, 2, 0], [0, 1, 1, -1], [0, 2, 1, 0])]
    found = self_consistency(runs, ITEMS)
    # Pairs of runs: 2 of 3 items, 2 of 4, 2 of 3.
    assert found.value == pytest.approx((2 / 3 + 2 / 4 + 2 / 3) / 3)
    assert found.n_items == 4


def test_runs_without_a_common_item_say_nothing():
    found = self_consistency([np.array([0, -1]), np.array([-1, 0])], ITEMS)
    assert math.isnan(found.value)
    assert found.reason is not None


def test_the_interval_of_a_share_is_wilsons_with_students_quantile():
    now, earlier = np.zeros(50, int), np.repeat([0, 1], [40, 10])
    found = changed_labels(now, earlier, ITEMS)
    assert found.value == 0.2
    p, n = 0.2, 49.0  # the linearised error has n − 1: so has the effective number of items
    t = 2.0095752371292397  # of 49 degrees of freedom
    half = t / (1 + t**2 / n) * math.sqrt(p * (1 - p) / n + t**2 / (4 * n**2))
    centre = (p + t**2 / (2 * n)) / (1 + t**2 / n)
    assert found.interval == pytest.approx((centre - half, centre + half), abs=1e-12)


def test_a_share_of_one_has_an_interval_below_one():
    run = np.zeros(30, int)
    found = self_consistency([run, run], ITEMS)
    assert found.value == 1
    assert 0.85 < found.interval[0] < found.interval[1] == 1


def test_documents_widen_the_interval_where_their_items_change_together():
    documents = np.repeat(np.arange(20), 10)
    changed = np.repeat(np.arange(20) % 4 == 0, 10)
    now = changed.astype(int)
    apart = changed_labels(now, np.zeros_like(now), ITEMS)
    together = changed_labels(now, np.zeros_like(now), CheckedItems(documents, 0.95))
    widths = [one.interval[1] - one.interval[0] for one in (apart, together)]
    assert widths[1] > 2 * widths[0]


@pytest.mark.parametrize("clustered", [False, True])
def test_intervals_of_shares_hold_the_truth(clustered: bool):
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(300):
        if clustered:
            rate = rng.beta(4, 1, 25)
            same = rng.random((25, 8)) < rate[:, None]
            how = CheckedItems(np.repeat(np.arange(25), 8), 0.95)
        else:
            same, how = rng.random((40, 1)) < 0.8, ITEMS
        lower, upper = changed_labels(
            same.ravel().astype(int), np.zeros(same.size, int), how
        ).interval
        held += lower <= 0.8 <= upper
    assert 0.92 <= held / 300 <= 0.99


def test_drift_is_the_change_of_the_advantage_on_items_of_both_runs():
    humans = np.zeros((60, 3), int)
    now = np.zeros(60, int)
    before = np.where(np.arange(60) < 15, 1, 0)  # worse on a quarter
    comparisons = [compare_labels(humans, run, equal_labels) for run in (now, before)]
    found = advantage_change(*comparisons, ITEMS)
    assert found.value == pytest.approx(0.25)
    assert 0.1 < found.interval[0] < 0.25 < found.interval[1] < 0.4


def test_position_bias_counts_choices_of_the_same_place():
    """Of 10 items, 5 are consistent, 3 follow the first place, 1 the second, 1 ties once."""
    original = np.array([FIRST] * 3 + [SECOND] * 2 + [FIRST] * 3 + [SECOND, TIE])
    swapped = np.array([FIRST] * 3 + [SECOND] * 2 + [SECOND] * 3 + [FIRST, FIRST])
    consistency, bias = position_checks([original], [swapped], FIRST, SECOND, ITEMS)
    assert (consistency.value, bias.value) == pytest.approx((0.5, 0.2))


def test_length_bias_is_the_excess_on_long_items_less_that_on_short_ones():
    lengths = np.arange(90.0)
    annotators = np.zeros((90, 3))
    system = np.where(lengths >= 60, 1.0, np.where(lengths < 30, -0.5, 9.0))
    found = length_bias(system, annotators, lengths, ITEMS)
    assert found.value == pytest.approx(1.5)
    assert found.n_items == 60
    noisy = length_bias(
        np.random.default_rng(1).normal(size=90), annotators, lengths, CheckedItems(None, 0.95)
    )
    assert noisy.interval[0] < 0 < noisy.interval[1]


def test_lengths_without_a_difference_say_nothing():
    found = length_bias(np.zeros(50), np.zeros((50, 3)), np.full(50, 7.0), ITEMS)
    assert math.isnan(found.value)
    assert found.reason is not None


def test_thirds_keep_equal_lengths_together():
    assert third_of_each(np.array([1.0, 1, 1, 2, 3, np.nan])).tolist() == [0, 0, 0, 1, 2, -1]
