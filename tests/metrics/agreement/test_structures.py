"""Relations between aligned units: small examples by hand, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.structures.relations import (
    Relations,
    relation_agreement,
    relation_matrix,
)
from accordeur.metrics.errors import MetricsError


def relations(*drawn: tuple[int, int, int, int], n_places: int = 4) -> Relations:
    present = np.ones((n_places, 2), dtype=bool)
    present[-1, 1] = False
    columns = np.array(drawn, dtype=int).reshape(-1, 4).T
    return Relations(present, *columns, tagset=("cause", "time"), annotators=("x", "y"))


def test_relations_between_aligned_units() -> None:
    """One relation alike, one of another category, one that y could not draw, one only y drew."""
    document = relations(
        (0, 1, 0, 0), (0, 1, 0, 1), (1, 2, 0, 0), (1, 2, 1, 1), (0, 3, 1, 0), (2, 0, 0, 1)
    )
    matrix = relation_matrix([document])
    assert matrix.n_items == 12
    assert (matrix.codes[:, 1] == -1).sum() == 6
    found = relation_agreement([document], measure="percent_agreement")
    assert found["presence"].value == pytest.approx(5 / 6)
    assert found["category"].value == pytest.approx(4 / 6)
    assert found["typing"].value == pytest.approx(1 / 2)
    assert found["presence_f"].value == pytest.approx(4 / 5)
    assert found["category_f"].value == pytest.approx(2 / 5)


def test_undirected_relations_and_loops() -> None:
    document = relations((1, 0, 0, 0), (0, 1, 0, 1))
    assert relation_agreement([document])["presence_f"].value == 0
    assert relation_agreement([document], directed=False)["presence_f"].value == 1
    with pytest.raises(MetricsError, match="loops=True"):
        relation_matrix([relations((1, 1, 0, 0))])
    assert relation_matrix([relations((1, 1, 0, 0))], loops=True).n_items == 16


def test_weighted_categories_of_relations() -> None:
    document = relations((0, 1, 0, 0), (0, 1, 1, 1), (1, 2, 0, 0), (1, 2, 0, 1))
    near = np.array([[0, 0.2], [0.2, 0]])
    found = relation_agreement([document], measure="weighted_agreement", distance=near)
    assert found["typing"].value == pytest.approx(0.9)
    assert found["category"].value == pytest.approx(1 - 0.2 / 6)


def test_repeated_relations_are_counted() -> None:
    matrix = relation_matrix([relations((0, 1, 0, 0), (0, 1, 1, 0))])
    assert matrix.n_duplicates == 1
    assert matrix.codes[0, 0] == 0


def test_relations_that_cannot_be_are_refused() -> None:
    with pytest.raises(MetricsError, match="check the alignment"):
        relations((0, 3, 0, 1))
    with pytest.raises(MetricsError, match="categories must lie in"):
        relations((0, 1, 5, 0))
    with pytest.raises(MetricsError, match="no document"):
        relation_matrix([])
    nothing = relation_agreement([relations()])
    assert str(nothing["presence_f"].reason) == "no relation drawn"
    assert str(nothing["presence"].reason) == "single category used"
