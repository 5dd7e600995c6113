"""A layer of units in pieces, dealt to tasks."""

from __future__ import annotations

import pytest

from accordeur.tasks.units.unit_analysis import GAMMA, split_pieces


@pytest.mark.parametrize("n_tasks", [1, 2, 3, 9])
def test_the_pieces_of_a_layer_are_dealt_once_each(n_tasks: int) -> None:
    parts = ["categories", "gamma_cat", "pairs", "without"]
    dealt = split_pieces(parts, n_tasks)
    assert sorted(piece for task in dealt for piece in task) == sorted([GAMMA, *parts])
    assert len(dealt) == min(n_tasks, 5)
    together = [task for task in dealt if {GAMMA, "gamma_cat"} <= set(task)]
    assert bool(together) == (n_tasks == 1)  # the two that resample all documents are apart
