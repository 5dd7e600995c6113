"""The corrected share: hand-computed values, exact coverage by enumeration, properties."""

from __future__ import annotations

from itertools import product
from math import lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordeur.metrics.errors import MetricsError
from accordeur.metrics.intervals.binomial import Bounds, clopper_pearson, jeffreys, wilson
from accordeur.metrics.prevalence.audit_counts import AuditCounts, audit_table
from accordeur.metrics.prevalence.corrected_share import (
    corrected_share_interval,
    effective_size,
    mover_jeffreys,
    stratified_share_interval,
)


def audit(both, only_system, only_humans, neither, *, naive=0.3, n_items=2000.0) -> AuditCounts:
    """Counts of one category; `naive`: share of all items to which the system gives it."""
    cells = [np.asarray(x, dtype=float) for x in (both, only_system, only_humans, neither)]
    weight = np.broadcast_to(np.asarray(naive, dtype=float), cells[0].shape)
    return AuditCounts(
        np.stack([weight, 1 - weight], axis=-1),
        np.stack([cells[0] + cells[1], cells[2] + cells[3]], axis=-1),
        np.stack([cells[0], cells[2]], axis=-1),
        np.asarray(n_items),
    )


def covers(bounds: Bounds, value: float) -> np.ndarray:
    return (bounds.lower <= value + 1e-12) & (value - 1e-12 <= bounds.upper)


def test_intervals_of_a_share_are_those_of_brown_cai_and_dasgupta():
    # 2 of 10: exact, Jeffreys and Wilson intervals as in standard tables
    hits, sizes = np.array(2.0), np.array(10.0)
    exact = clopper_pearson(hits, sizes)
    assert (float(exact.lower), float(exact.upper)) == pytest.approx((0.0252, 0.5561), abs=1e-4)
    score = wilson(hits, sizes)
    assert (float(score.lower), float(score.upper)) == pytest.approx((0.0567, 0.5098), abs=1e-4)
    none = jeffreys(np.array(0.0), sizes)
    assert float(none.lower) == 0
    assert float(none.upper) == pytest.approx(0.2172, abs=1e-4)
    of_nothing = jeffreys(np.array(0.0), np.array(0.0))
    assert (float(of_nothing.lower), float(of_nothing.upper)) == (0, 1)


def test_the_share_weighs_each_stratum_by_its_share_of_the_corpus():
    found = audit(40, 15, 12, 133)
    assert float(found.share) == pytest.approx(0.3 * 40 / 55 + 0.7 * 12 / 145)


def test_a_stratum_with_one_audited_item_has_the_rate_of_that_item():
    assert audit(0, 1, 3, 6).rates.tolist() == pytest.approx([0, 1 / 3])
    assert audit(0, 0, 3, 6).rates.tolist() == pytest.approx([1 / 3, 1 / 3])  # that of the audit


def test_mover_combines_the_limits_of_both_strata_by_squares():
    found, z2 = audit(40, 15, 12, 133), 1.959964**2
    each = jeffreys(found.hits, found.sizes)
    below = 0.3**2 * (40 / 55 - each.lower[0]) ** 2 + 0.7**2 * (12 / 145 - each.lower[1]) ** 2
    between = 0.3 * 0.7 * (40 / 55 - 12 / 145) ** 2 / 2000
    lower = float(found.share) - np.sqrt(below + z2 * between)
    assert float(mover_jeffreys(found).lower) == pytest.approx(lower, abs=1e-6)


def test_an_audit_of_all_items_is_the_human_count_without_width():
    found = audit(40, 20, 10, 130, naive=0.3, n_items=200.0)
    assert float(found.share) == pytest.approx(50 / 200)
    assert (
        float(corrected_share_interval(found).width)
        == float(stratified_share_interval(found).width)
        == 0
    )


def test_a_useless_system_leaves_the_precision_of_the_humans_alone():
    useless = audit(15, 35, 45, 105, naive=0.25, n_items=1e6)
    alone = clopper_pearson(useless.n_hits, useless.n_audited)
    assert float(corrected_share_interval(useless).width) == pytest.approx(
        float(alone.width), rel=0.03
    )
    assert float(effective_size(useless)) == pytest.approx(200, rel=0.02)


def test_a_good_system_narrows_the_interval():
    good = audit(55, 3, 3, 139)
    alone = clopper_pearson(good.n_hits, good.n_audited)
    assert float(corrected_share_interval(good).width) < 0.6 * float(alone.width)


def exact_coverage(n: int, prevalence: float, sensitivity: float, specificity: float) -> float:
    """Probability that the interval of a large corpus contains the share, over all audits."""
    chances = np.array(
        [
            prevalence * sensitivity,
            (1 - prevalence) * (1 - specificity),
            prevalence * (1 - sensitivity),
            (1 - prevalence) * specificity,
        ]
    )
    cells = np.array(
        [(*one, n - sum(one)) for one in product(range(n + 1), repeat=3) if sum(one) <= n]
    )
    logs = lgamma(n + 1) - np.vectorize(lgamma)(cells + 1).sum(axis=1) + cells @ np.log(chances)
    counts = audit(*cells.T, naive=chances[0] + chances[1], n_items=1e9)
    return float(np.exp(logs)[covers(corrected_share_interval(counts), prevalence)].sum())


@pytest.mark.parametrize(
    ("prevalence", "sensitivity", "specificity"),
    [(0.02, 0.6, 0.8), (0.05, 0.95, 0.95), (0.2, 0.7, 0.9), (0.5, 0.95, 0.98), (0.5, 0.6, 0.6)],
)
def test_the_exact_coverage_of_the_smallest_audit_is_enough(prevalence, sensitivity, specificity):
    assert exact_coverage(20, prevalence, sensitivity, specificity) >= 0.94


@given(
    st.lists(st.integers(0, 60), min_size=4, max_size=4).filter(lambda x: sum(x) >= 20),
    st.floats(0.01, 0.99),
)
def test_bounds_enclose_the_share_and_the_complement_mirrors_them(cells, naive):
    both, only_system, only_humans, neither = cells
    found = audit(both, only_system, only_humans, neither, naive=naive)
    bounds = corrected_share_interval(found)
    assert 0 <= float(bounds.lower) <= float(found.share) + 1e-9
    assert float(found.share) - 1e-9 <= float(bounds.upper) <= 1
    mirrored = corrected_share_interval(audit(only_system, both, neither, only_humans, naive=naive))
    assert float(mirrored.upper) == pytest.approx(1 - float(bounds.lower), abs=1e-9)


def test_the_order_of_the_items_does_not_matter():
    rng = np.random.default_rng(1)
    system = rng.integers(0, 3, 500)
    human = np.where(rng.random(500) < 0.3, rng.integers(0, 3, 500), -1)
    order = rng.permutation(500)
    first, second = (
        corrected_share_interval(audit_table(*pair, 3).one_against_rest())
        for pair in ((system, human), (system[order], human[order]))
    )
    assert np.array_equal(first.lower, second.lower)
    assert np.array_equal(first.upper, second.upper)


def test_items_without_a_label_of_the_system_are_a_stratum():
    system = np.array([0] * 40 + [1] * 40 + [-1] * 20)
    human = np.full(100, -1)
    human[:10], human[40:50], human[80:90] = 0, 1, 1
    table = audit_table(system, human, 2)
    assert table.n_items == 100
    assert table.system_shares.tolist() == [0.4, 0.4]
    assert table.one_against_rest().share.tolist() == pytest.approx([0.4, 0.4 + 0.6 * 10 / 20])
    assert table.by_label().share.tolist() == pytest.approx([0.4, 0.6])


def test_labels_of_different_lengths_and_categories_are_refused():
    with pytest.raises(MetricsError, match="3 labels of the system and 2 of the humans"):
        audit_table(np.zeros(3, dtype=int), np.zeros(2, dtype=int), 1)
    with pytest.raises(MetricsError, match="above 1"):
        audit_table(np.array([2]), np.array([0]), 2)
