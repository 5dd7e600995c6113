"""Limits of agreement and repeatability, on the peak flow data of Bland & Altman (1986)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from accordeur.metrics.agreement.limits_of_agreement import limits_of_agreement, repeatability

# Peak expiratory flow of 17 subjects (l/min), two readings on each of two meters: Table 1.
WRIGHT = [
    [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427],
    [490, 397, 512, 401, 470, 611, 415, 431, 638, 429, 420, 633, 275, 492, 165, 372, 421],
]
MINI = [
    [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451],
    [525, 415, 508, 444, 500, 625, 460, 390, 642, 432, 420, 605, 227, 467, 268, 370, 443],
]


def test_limits_are_those_of_the_publication():
    first = np.array([WRIGHT[0], MINI[0]], float).T
    [found] = limits_of_agreement(first, ("Wright", "mini"))
    sd = float(found.detail.sd)
    # Bland & Altman (1986): mean difference −2.1, standard deviation 38.8, limits (with 2 standard
    # deviations) −79.7 and 75.5, interval of the mean −22.0 to 17.8.
    assert (found.value, sd) == pytest.approx((-2.1, 38.8), abs=0.05)
    assert (found.value - 2 * sd, found.value + 2 * sd) == pytest.approx((-79.7, 75.5), abs=0.1)
    assert found.interval == pytest.approx((-22.0, 17.8), abs=0.1)
    # Their intervals of the limits, with √(3/n) s, are −114.3 to −45.1 around −79.7.
    half = (float(found.detail.lower_high) - float(found.detail.lower_low)) / 2
    assert half == pytest.approx((114.3 - 45.1) / 2, rel=0.01)


def test_the_error_of_a_limit_is_that_of_its_formula():
    [found] = limits_of_agreement(np.array([[0.0, 1], [0, 2], [0, 3], [0, 4]]), ("a", "b"))
    sd, t = math.sqrt(5 / 3), 3.182446305284263  # of 3 degrees of freedom
    half = t * sd * math.sqrt(1 / 4 + 1.959963984540054**2 / 6)
    assert float(found.detail.upper_high) == pytest.approx(-2.5 + 1.959963984540054 * sd + half)


@pytest.mark.parametrize(("meter", "coefficient"), [(WRIGHT, 43.2), (MINI, 56.4)])
def test_repeatability_is_that_of_the_publication(meter, coefficient: float):
    found = repeatability([np.array(meter, float).T])
    # Published with 2 in place of 1.96, from rounded standard deviations of 21.6 and 28.2.
    assert 2 * math.sqrt(2) * found.value == pytest.approx(coefficient, abs=0.15)
    assert found.detail.df == 17


def test_annotators_add_their_squares_and_degrees_of_freedom():
    one, two = np.array([[1.0, 3.0], [2.0, np.nan]]), np.array([[5.0, 5.0, 8.0]])
    found = repeatability([one, two])
    assert found.value == pytest.approx(math.sqrt((2 + 6) / (1 + 2)))
    assert (found.n_items, found.n_annotators) == (2, 2)


def test_the_interval_of_repeatability_holds_the_truth():
    rng = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        lower, upper = repeatability([rng.normal(size=(12, 2))]).interval
        held += lower <= 1 <= upper
    assert 0.92 <= held / 400 <= 0.98


def test_nothing_repeated_is_undefined():
    assert repeatability([np.array([[1.0, np.nan]])]).reason is not None
