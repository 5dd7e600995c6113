"""Dissimilarities: their formulas, their settings, and what they refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import (
    Dissimilarity,
    mean_unit_length,
    numerical_distances,
    ordinal_distances,
    pair_cost,
    pair_costs,
)
from accordeur.metrics.errors import MetricsError


def continuum_of(
    *units: tuple[float, float, int, int], annotators: int = 2, categories: int = 3
) -> Continuum:
    """Units as (start, end, category, annotator)."""
    columns = list(zip(*units, strict=True)) or [(), (), (), ()]
    return Continuum(
        np.array(columns[0], dtype=np.float64),
        np.array(columns[1], dtype=np.float64),
        np.array(columns[2], dtype=np.int32),
        np.array(columns[3], dtype=np.int32),
        tuple("abcdefghijkl"[:annotators]),
        tuple(f"k{k}" for k in range(categories)),
    )


def test_sporadic_lets_equal_units_align_until_they_stop_touching() -> None:
    # Mathet & Widlöcher 2011, section 4.4.1: ((l + l) / l)² = 4
    touching = continuum_of((10, 20, 0, 0), (20, 30, 0, 1))
    assert pair_cost(touching, 0, 1, Dissimilarity.sporadic()) == 4.0
    assert Dissimilarity.sporadic().delta_empty == 4.0


def test_hamming_takes_the_mean_length_given_or_the_continuums_own() -> None:
    units = continuum_of((0, 10, 0, 0), (0, 14, 0, 1))
    assert mean_unit_length(units) == 12.0
    assert pair_cost(units, 0, 1, Dissimilarity("hamming")) == pytest.approx(4 / 6)
    assert pair_cost(units, 0, 1, Dissimilarity("hamming", mean_length=4.0)) == pytest.approx(2.0)


def test_delta_empty_rescales_the_categorical_part_too() -> None:
    units = continuum_of((0, 10, 0, 0), (2, 10, 1, 1))
    one = pair_cost(units, 0, 1, Dissimilarity(alpha=2.0, beta=0.5))
    assert pair_cost(units, 0, 1, Dissimilarity(alpha=2.0, beta=0.5, delta_empty=3.0)) == (
        pytest.approx(3.0 * one)
    )


def test_the_empty_unit_costs_delta_empty() -> None:
    units = continuum_of((0, 10, 0, 0), (2, 10, 1, 1))
    costs = pair_costs(units, [0, -1, -1], [-1, 1, -1], Dissimilarity(delta_empty=2.5))
    assert costs.tolist() == [2.5, 2.5, 2.5]


def test_unlabelled_units_are_alike_and_stand_apart_from_labelled_ones() -> None:
    units = continuum_of((0, 10, -1, 0), (0, 10, -1, 1), (0, 10, 2, 1))
    for distance in (0.0, 0.5, 1.0):
        settings = Dissimilarity(unlabelled_distance=distance)
        assert pair_cost(units, 0, 1, settings) == 0.0
        assert pair_cost(units, 0, 2, settings) == distance


def test_category_distances_of_scales() -> None:
    np.testing.assert_allclose(ordinal_distances(3), [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]])
    np.testing.assert_allclose(numerical_distances([1, 2, 5])[0], [0, 0.25, 1])
    assert not numerical_distances([2, 2]).any()
    with pytest.raises(MetricsError, match="finite number"):
        numerical_distances([1.0, math.nan])


def test_the_order_of_ordinal_labels_counts() -> None:
    units = continuum_of((0, 10, 0, 0), (0, 10, 1, 1), (0, 10, 2, 1))
    settings = Dissimilarity(category_distances=ordinal_distances(3))
    assert pair_cost(units, 0, 1, settings) < pair_cost(units, 0, 2, settings)


def test_a_users_own_cost_replaces_position_and_category() -> None:
    def only_starts(
        continuum: Continuum, u: NDArray[np.int64], v: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        return np.abs(continuum.starts[u] - continuum.starts[v])

    units = continuum_of((0, 10, 0, 0), (3, 10, 1, 1))
    assert pair_cost(units, 0, 1, Dissimilarity(pair_function=only_starts)) == 3.0


@pytest.mark.parametrize("value", [-1.0, math.nan])
def test_a_users_own_cost_must_be_a_cost(value: float) -> None:
    units = continuum_of((0, 10, 0, 0), (3, 10, 1, 1))
    settings = Dissimilarity(pair_function=lambda c, u, v: np.full(u.shape, value))
    with pytest.raises(MetricsError, match="costs must be at least 0"):
        pair_cost(units, 0, 1, settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"position": "euclidean"}, "position 'euclidean' is unknown"),
        ({"alpha": -1.0}, "alpha is -1.0"),
        ({"beta": math.inf}, "beta is inf"),
        ({"delta_empty": 0.0}, "it must be above 0"),
        ({"delta_empty": -1.0}, "it must be above 0"),
        ({"delta_empty": math.nan}, "it must be above 0"),
        ({"mean_length": 0.0}, "mean_length is 0.0"),
        ({"unlabelled_distance": 2.0}, "unlabelled_distance is 2.0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(MetricsError, match=message):
        Dissimilarity(**settings)  # type: ignore[arg-type]


def test_the_matrix_must_fit_the_tagset() -> None:
    units = continuum_of((0, 10, 0, 0), (0, 10, 1, 1))
    with pytest.raises(MetricsError, match="for 2 categories, but there are 3"):
        pair_cost(units, 0, 1, Dissimilarity(category_distances=ordinal_distances(2)))


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        ((5, 5, 0, 0), "must be after start"),
        ((9, 5, 0, 0), "must be after start"),
        ((-2, 5, 0, 0), "negative start"),
        ((math.nan, 5, 0, 0), "not a number"),
        ((1, 5, 7, 0), "category codes must lie in -1..2"),
        ((1, 5, 0, 4), "owners must lie in 0..1"),
    ],
)
def test_units_that_make_no_sense_are_refused(
    unit: tuple[float, float, int, int], message: str
) -> None:
    with pytest.raises(MetricsError, match=message):
        continuum_of(unit)
