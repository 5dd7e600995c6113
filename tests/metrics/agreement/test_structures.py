"""Relations between aligned units: small examples by hand, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from accordeur.metrics.agreement.coefficients import coefficient_from_counts
from accordeur.metrics.agreement.structures.relation_counts import (
    Relations,
    relation_counts,
    relation_estimates,
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
    counts = relation_counts(document)
    assert counts.category.n_items == 12
    assert counts.category.n_unpaired == 6  # places that y has no unit at
    assert coefficient_from_counts("percent_agreement", counts.category).value == pytest.approx(
        4 / 6
    )
    assert coefficient_from_counts("percent_agreement", counts.typing).value == pytest.approx(1 / 2)
    found = relation_estimates(counts)
    assert found["presence_f"].value == pytest.approx(4 / 5)
    assert found["category_f"].value == pytest.approx(2 / 5)


def test_undirected_relations() -> None:
    document = relations((1, 0, 0, 0), (0, 1, 0, 1))
    for directed, f in ((True, 0), (False, 1)):
        counts = relation_counts(document, directed=directed)
        assert relation_estimates(counts)["presence_f"].value == f


def test_repeated_relations_are_counted_and_the_first_stays() -> None:
    counts = relation_counts(relations((0, 1, 0, 0), (0, 1, 1, 0), (0, 1, 0, 1)))
    assert counts.category.n_duplicates == 1
    assert relation_estimates(counts)["category_f"].value == 1


def test_relations_that_cannot_be_are_refused() -> None:
    with pytest.raises(MetricsError, match="check the alignment"):
        relations((0, 3, 0, 1))
    with pytest.raises(MetricsError, match="categories must lie in"):
        relations((0, 1, 5, 0))
    nothing = relation_estimates(relation_counts(relations()))
    assert str(nothing["presence_f"].reason) == "no relation drawn"
    assert str(nothing["presence"].reason) == "single category used"
