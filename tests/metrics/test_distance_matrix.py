"""The one rule for a table of distances, wherever a table enters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from accordeur.metrics.agreement.distances import distance_table
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.arrays import Floats
from accordeur.metrics.distance_matrix import distance_matrix
from accordeur.metrics.errors import MetricsError
from accordeur.metrics.scores.baseline import observed_agreement

ENTRIES: dict[str, Callable[[Floats], object]] = {
    "rule": lambda table: distance_matrix(table, 2),
    "agreement": lambda table: distance_table(table, tagset="AB", marginals=np.ones(2)),
    "alignment": lambda table: Dissimilarity(category_distances=table),
    "scores": lambda table: observed_agreement([0, 1], [0, 1], tagset="AB", distances=table),
}


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros((2, 3)), "shape"),
        (np.zeros(()), "shape"),
        (np.array([[0, 2], [2, 0]]), "is 2: it must be between 0 and 1"),
        (np.array([[0, np.nan], [np.nan, 0]]), "is nan: it must be between 0 and 1"),
        (np.array([[0.1, 1], [1, 0]]), "category 0 is at distance 0.1 from itself"),
        (np.array([[0, 1], [0.5, 0]]), "not symmetric: 1 from category 0 to 1, 0.5 in the other"),
    ],
)
def test_a_table_must_be_a_distance(entry: str, bad: Floats, message: str) -> None:
    with pytest.raises(MetricsError, match=message):
        ENTRIES[entry](bad)


def test_a_table_is_symmetric_after_rounding() -> None:
    table = distance_matrix([[0, 0.3], [0.3 + 1e-14, 0]])
    assert (table == table.T).all()
