"""Who works with other categories, or in another unit of time."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.annotator_checks import (
    annotators_in_other_time_unit,
    annotators_with_own_categories,
)


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ([[9, 3, 0], [8, 4, 0], [0, 0, 12]], [2]),
        ([[9, 3, 0], [8, 4, 0], [0, 1, 12]], []),  # one category in common is enough
        ([[9, 3, 0], [8, 4, 0], [0, 0, 4]], []),  # too few to say anything
        ([[9, 0], [0, 9]], [0, 1]),
        ([[9, 3]], []),
        ([[9, 3], [0, 0]], [0]),  # who gave nothing has nothing in common
        ([[1] * 6 + [0] * 6, [0] * 6 + [1] * 6], []),  # measurements: nobody gives one twice
        ([[2] * 6 + [0] * 6, [0] * 6 + [1] * 6], [0, 1]),
    ],
)
def test_with_other_categories(counts, found):
    assert annotators_with_own_categories(np.array(counts)) == found


def test_with_another_time_unit():
    seconds, also, thousandths = {"anna": 30.0}, {"ben": 32.0}, {"carla": 31_000.0}
    assert annotators_in_other_time_unit([seconds | also | thousandths]) == {"carla": 1000.0}
    assert annotators_in_other_time_unit([seconds | thousandths]) == {
        "carla": pytest.approx(31_000 / 30)
    }
    assert annotators_in_other_time_unit([{"anna": 0.03, "ben": 30.0, "carla": 31.0}]).keys() == {
        "anna"
    }
    assert annotators_in_other_time_unit([seconds | also, seconds, {}]) == {}
    # who stopped early in one of three documents is no stranger
    assert annotators_in_other_time_unit([{"anna": 5.0, "ben": 900.0}] + [seconds | also] * 2) == {}
