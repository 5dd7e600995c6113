"""The width of an interval after a round, from products over pairs of labels of an item."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest

from accordeur.metrics.agreement.distances import distance_table
from accordeur.metrics.agreement.interval_methods import linearized_intervals
from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.agreement.resampling_units import resampling_units
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.measures import coefficient_of
from accordeur.metrics.resampling import interval_forecast
from accordeur.metrics.resampling.interval_forecast import (
    PairVariance,
    interval_width_ratio,
    label_pair_variance,
    unit_pair_variance,
)
from accordeur.metrics.resampling.next_labels import Limits, next_for_agreement
from accordeur.metrics.units.gamma import GAMMA_2015
from accordeur.metrics.units.observed import count_disorder


def matrix_of(codes: np.ndarray) -> LabelMatrix:
    return LabelMatrix(
        codes=codes.astype(np.int32),
        tagset=("1", "2", "4"),
        annotators=tuple(f"ann{a}" for a in range(codes.shape[1])),
        items=tuple(f"item{i}" for i in range(len(codes))),
        roles=("human",) * codes.shape[1],
    )


def error_of_alpha(matrix: LabelMatrix) -> float:
    groups, alpha = resampling_units(matrix), coefficient_of("krippendorff_alpha")
    return linearized_intervals(groups, [alpha])[0].standard_error


def crowd(n_items: int, n_annotators: int, seed: int, *, hard: float = 0.3) -> np.ndarray:
    """Annotators are right on an easy item with a probability of .95, on a hard one of .5."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n_items)
    right = np.where(rng.random(n_items) < hard, 0.5, 0.95)
    wrong = (truth[:, None] + rng.integers(1, 3, (n_items, n_annotators))) % 3
    return np.where(rng.random(wrong.shape) < right[:, None], truth[:, None], wrong)


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_components_are_mean_products_over_pairs(
    distance: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interval_forecast, "USUAL", 0)
    codes = crowd(12, 6, 1)
    codes[:4, 4:] = -1
    matrix = matrix_of(codes)
    items = [row[row >= 0] for row in codes]
    values = [int(k) for row in items for k in row]
    table = distance_table(
        distance, tagset=matrix.tagset, marginals=np.bincount(values, minlength=3)
    )
    pairs = [[table[k, m] for k, m in permutations(row, 2)] for row in items]
    n = len(values)
    d_o = sum(sum(of) / (len(row) - 1) for of, row in zip(pairs, items, strict=True)) / n
    d_e = sum(table[k, m] for k, m in permutations(values, 2)) / (n * (n - 1))
    e = [np.mean([table[k, m] for m in values]) for k in range(3)]
    mean = np.mean([e[k] for k in values])

    def g(k: int, m: int) -> float:
        return float((table[k, m] - d_o) / d_e - d_o / d_e**2 * (e[k] + e[m] - 2 * mean))

    same, sharing, disjoint = [], [], []
    for row in items:
        of_item: dict[int, list[float]] = {0: [], 1: [], 2: []}
        for one, other in product(combinations(range(len(row)), 2), repeat=2):
            shared = len({*one} & {*other})
            of_item[shared].append(g(*row[list(one)]) * g(*row[list(other)]))
        same.append(np.mean(of_item[2]))
        sharing.append(np.mean(of_item[1]))
        disjoint.append(np.mean(of_item[0]))
    found = label_pair_variance(matrix, distance)
    assert found is not None
    assert found.same == pytest.approx(np.mean(same), abs=1e-12)
    assert found.disjoint == pytest.approx(max(np.mean(disjoint), 0), abs=1e-12)
    expected = np.clip(np.mean(sharing), found.disjoint, (found.same + found.disjoint) / 2)
    assert found.sharing == pytest.approx(expected, abs=1e-12)


def test_the_variance_is_about_the_jackknifes() -> None:
    matrix = matrix_of(crowd(400, 5, 2))
    found = label_pair_variance(matrix)
    assert found is not None
    n_labels = np.full(400, 5)
    assert found.variance_of_agreement(n_labels) ** 0.5 == pytest.approx(
        error_of_alpha(matrix), rel=0.05
    )


@pytest.mark.parametrize(("items_before", "depth_after"), [(60, 3), (100, 2), (100, 5)])
def test_the_forecast_is_the_standard_error_after_the_round(
    items_before: int, depth_after: int
) -> None:
    """Items with 3 labels, then 100 more with `depth_after`: the median of 30 campaigns."""
    ratios = []
    for seed in range(30):
        codes = crowd(items_before + 100, 6, seed)
        before, after = codes.copy(), codes.copy()
        before[items_before:] = -1
        before[:items_before, 3:] = after[:items_before, 3:] = -1
        after[items_before:, depth_after:] = -1
        variance = label_pair_variance(matrix_of(before))
        forecast = interval_width_ratio(
            variance, (before >= 0).sum(axis=1), (after >= 0).sum(axis=1)
        )
        errors = [error_of_alpha(matrix_of(one)) for one in (before, after)]
        ratios.append(forecast * errors[0] / errors[1])
    assert np.median(ratios) == pytest.approx(1, abs=0.06)


def test_units_are_treated_like_labels() -> None:
    """Pairs of annotators of a document, aligned; with two annotators the sums of γ itself."""
    rng = np.random.default_rng(3)
    continua = [
        Continuum(
            np.tile([0.0, 50.0], 3) + rng.integers(0, 12, 6),
            np.tile([20.0, 70.0], 3) + rng.integers(0, 12, 6),
            np.zeros(6, np.int32),
            np.repeat([0, 1, 2], 2).astype(np.int32),
            ("a", "b", "c"),
            ("x",),
            roles=("human",) * 3,
        )
        for _ in range(40)
    ]
    found = unit_pair_variance(continua, GAMMA_2015)
    assert found is not None
    counts = count_disorder(continua, GAMMA_2015)
    residuals = counts.totals - counts.totals.sum() / counts.weights.sum() * counts.weights
    residuals /= counts.weights.mean()
    assert found.variance_of_item(np.array([3]))[0] == pytest.approx(
        (residuals**2).mean(), rel=0.35
    )
    assert found.variance_of_agreement(np.array([2, 2, 1, 0])) == pytest.approx(found.same / 2)


def test_nothing_is_forecast_without_disagreement() -> None:
    assert label_pair_variance(matrix_of(np.zeros((5, 3), int))) is None
    assert np.isnan(interval_width_ratio(None, np.array([2]), np.array([3])))
    one_label = np.where(np.arange(3) < 1, crowd(5, 3, 1), -1)
    assert label_pair_variance(matrix_of(one_label)) is None


def chosen(variance: PairVariance, budget: int) -> np.ndarray:
    """Labels of each item after a round: 30 items with four, 100 with one, 100 without any."""
    given = np.arange(8) < np.repeat([4, 1, 0], [30, 100, 100])[:, None]
    for one in next_for_agreement(
        given,
        budget,
        Limits(),
        items=[f"item{i}" for i in range(230)],
        annotators=list("abcdefgh"),
        variance=variance.variance_of_agreement,
    ):
        assert one.purpose == "random"
        given = given.copy()
        given[one.item, one.annotator] = True
    return given.sum(axis=1)


def test_labels_go_where_the_interval_narrows_most() -> None:
    """Items alike: more labels on each. Items that differ: a second label on many."""
    assert (chosen(PairVariance(1, 0.9, 0.9), 60)[30:130] == 2).sum() == 60
    deep = chosen(PairVariance(1, 0.05, 0.0), 60)
    assert deep.max() > 4
    assert deep[130:].max() == 0  # items without a label would need two for a pair
