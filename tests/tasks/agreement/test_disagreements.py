"""What is put on the agenda of a guideline meeting."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.label_matrix import LabelMatrix
from accordeur.metrics.item_name import ItemName
from accordeur.tasks.agreement.effects_and_causes import label_disagreements
from accordeur.tasks.layers import LayerSpec

CODES = [[0, 2, 2], [1, 2, -1], [0, 0, 0], [2, -1, -1]]


@pytest.mark.parametrize(
    ("distance", "costs"),
    [("nominal", {"0": 2 / 3, "1": 1.0}), ("interval", {"0": 2 / 3, "1": 1 / 4})],
)
def test_items_cost_what_the_layers_own_distance_says(
    distance: str, costs: dict[str, float]
) -> None:
    """1 against 3 costs four times 2 against 3 on an interval scale; all cost alike as names."""
    people, tagset = ("a", "b", "c"), ("1", "2", "3")
    items = tuple(ItemName("d", str(i)) for i in range(len(CODES)))
    matrix = LabelMatrix(
        codes=np.array(CODES, dtype=np.int32), tagset=tagset, annotators=people, items=items
    )
    layer = LayerSpec("l", "items", tagset, people, distance=distance)
    found = label_disagreements(matrix, layer)
    assert {one.where: one.cost for one in found} == pytest.approx(costs)
    assert [one.cost for one in found] == sorted(costs.values(), reverse=True)
