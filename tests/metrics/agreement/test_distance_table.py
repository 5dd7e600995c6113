"""Distances that a user declares, pair by pair or as a square."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordeur.metrics.agreement.distance_checks import resolve_distance
from accordeur.metrics.agreement.distance_table import DistanceTable
from accordeur.metrics.errors import MetricsError

HALF = DistanceTable((("a", "b", 0.5), ("c", "a", 1.0)))


def test_a_pair_that_is_not_given_has_distance_1_and_both_directions_are_one() -> None:
    expected = [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]]
    assert HALF.distances_in_tagset(("a", "b", "c")).tolist() == expected
    both = DistanceTable((*HALF.pairs, ("b", "a", 0.5), ("a", "a", 0)))
    assert both.distances_in_tagset(("a", "b", "c")).tolist() == expected
    assert HALF.distances_in_tagset(("b", "a")).tolist() == [[0, 0.5], [0.5, 0]]


def test_an_empty_cell_of_a_square_is_completed_from_its_mirror_image() -> None:
    rows: list[tuple[str, list[object]]] = [("b", ["0.25", "0"]), ("a", [0, ""])]
    square = DistanceTable.from_square_table(["a", "b"], rows)
    assert square.distances_in_tagset(("a", "b")).tolist() == [[0, 0.25], [0.25, 0]]


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([("a", "b", -0.1)], "the distance of 'a' and 'b' must lie in 0..1, not -0.1"),
        ([("a", "b", 2)], "must lie in 0..1, not 2"),
        ([("a", "b", "nan")], "must lie in 0..1, not nan"),
        ([("a", "b", "far")], "the distance of 'a' and 'b' must be a number, not 'far'"),
        ([("a", "a", 0.5)], "the distance of 'a' to itself must be 0, not 0.5"),
        ([("a", "b", 0.5), ("b", "a", 0.4)], "two distances are given for 'b' and 'a': 0.5 and"),
        ([("a", "b", 0.5), ("a", "b", 0.4)], "two distances are given for 'a' and 'b': 0.5 and"),
    ],
)
def test_impossible_distances_are_refused(pairs: list[Any], message: str) -> None:
    with pytest.raises(MetricsError, match=message):
        DistanceTable.from_pairs(pairs)


def test_the_categories_are_those_of_the_tagset_or_of_the_table() -> None:
    with pytest.raises(MetricsError, match=r"which is not one of the categories \(a, b\)"):
        resolve_distance(("a", "b"), "nominal", HALF, tagset_is_declared=True)
    with pytest.raises(MetricsError, match=r"no category 'd', which is in the data.*--categories"):
        resolve_distance(("a", "d"), "nominal", HALF, tagset_is_declared=False)
    found = resolve_distance(("a", "b", "c", "d"), "nominal", HALF, tagset_is_declared=True)
    assert np.asarray(found)[3].tolist() == [1, 1, 1, 0]
    with pytest.raises(MetricsError, match="give either --distance or a table of distances"):
        resolve_distance(("a", "b", "c"), "ordinal", HALF, tagset_is_declared=True)
