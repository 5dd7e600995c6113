"""Alignments of equal disorder: nothing is left that could be put together for free."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_costs

UNIT = st.tuples(st.integers(0, 8), st.integers(1, 3), st.integers(0, 1))


def continuum_of(marked: list[list[tuple[int, int, int]]]) -> Continuum:
    rows = [(*unit, a) for a, units in enumerate(marked) for unit in sorted(set(units))]
    starts = np.array([row[0] for row in rows], dtype=np.float64)
    return Continuum(
        starts,
        starts + [row[1] for row in rows],
        np.array([row[2] for row in rows], dtype=np.int32),
        np.array([row[3] for row in rows], dtype=np.int32),
        tuple("abcd"[: len(marked)]),
        ("x", "y"),
    )


def together(continuum: Continuum, row: np.ndarray, dissimilarity: Dissimilarity) -> float:
    """Disorder of one unitary alignment; the empty unit costs 1."""
    units = [int(u) for u in row if u >= 0]
    n = continuum.n_annotators
    n_empty = n * (n - 1) // 2 - len(units) * (len(units) - 1) // 2
    real = sum(
        float(pair_costs(continuum, np.array([u]), np.array([v]), dissimilarity)[0])
        for u, v in combinations(units, 2)
    )
    return (real + n_empty) / (n * (n - 1) / 2)


@settings(max_examples=60)  # the first one compiles
@given(st.lists(st.lists(UNIT, max_size=4), min_size=3, max_size=4))
def test_no_two_unitary_alignments_could_be_put_together_for_free(
    marked: list[list[tuple[int, int, int]]],
) -> None:
    if not any(marked):
        return
    continuum = continuum_of(marked)
    dissimilarity = Dissimilarity(alpha=3.0)
    best = best_alignment(continuum, dissimilarity)
    rows = [*best.units]
    assert sorted(u for row in rows for u in row if u >= 0) == list(range(continuum.n_units))
    for row, disorder in zip(rows, best.disorders, strict=True):
        assert together(continuum, row, dissimilarity) == pytest.approx(disorder, abs=1e-9)
    for a, b in combinations(range(len(rows)), 2):
        if ((rows[a] >= 0) & (rows[b] >= 0)).any():
            continue
        merged = together(continuum, np.maximum(rows[a], rows[b]), dissimilarity)
        assert merged > best.disorders[a] + best.disorders[b] + 1e-12


def test_units_that_cost_the_same_apart_stand_together() -> None:
    # d = 4·(2/4)² + 1 = 2: aligned or alone, the two units cost 2
    continuum = continuum_of([[(0, 2, 0)], [(1, 2, 1)]])
    dissimilarity = Dissimilarity(alpha=4.0)
    best = best_alignment(continuum, dissimilarity)
    assert best.total == pytest.approx(2.0)
    assert best.units.shape[0] == 1
