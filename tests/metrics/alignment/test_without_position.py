"""Alignments on categories alone, against every unitary alignment of small continua."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.alignment.batch import batch_disorders
from accordeur.metrics.alignment.best_alignment import Objective, best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from tests.metrics.alignment.brute_force import oracle

DISTANCES = np.array([[0, 0.3, 1.0], [0.3, 0, 0.6], [1.0, 0.6, 0]])


def continuum_of(marked: list[list[int]]) -> Continuum:
    """Units of the categories given, for each annotator, end to end."""
    owners = np.repeat(np.arange(len(marked), dtype=np.int32), [len(units) for units in marked])
    starts = np.array([4.0 * i for units in marked for i in range(len(units))])
    codes = np.array([code for units in marked for code in units], dtype=np.int32)
    return Continuum(starts, starts + 3, codes, owners, tuple("abcd"[: len(marked)]), tuple("xyz"))


@settings(max_examples=80)
@given(
    st.lists(st.lists(st.integers(-1, 2), max_size=4), min_size=2, max_size=4),
    st.sampled_from([0.4, 1.0, 3.0]),
    st.booleans(),
)
def test_least_disorder_is_that_of_all_unitary_alignments(
    marked: list[list[int]], beta: float, is_soft: bool
) -> None:
    if not any(marked):
        return
    continuum = continuum_of(marked)
    dissimilarity = Dissimilarity(alpha=0.0, beta=beta, category_distances=DISTANCES)
    objective: Objective = "soft" if is_soft else "sum"
    best = best_alignment(continuum, dissimilarity, objective=objective)
    assert best.optimal
    expected = oracle(continuum, dissimilarity).least_sum(covering=is_soft)
    assert best.total == pytest.approx(expected, abs=1e-9)
    placed = sorted(int(u) for u in best.units.ravel() if u >= 0)
    assert set(placed) == set(range(continuum.n_units))
    if not is_soft:
        assert len(placed) == continuum.n_units
    owners = np.where(best.units >= 0, continuum.owners[best.units], np.arange(len(marked)))
    assert (owners == np.arange(len(marked))).all()


def test_the_mean_disorder_is_the_least_too() -> None:
    continuum = continuum_of([[0, 1, 2, 2], [0, 0, 2], [1, 1, 2, -1]])
    dissimilarity = Dissimilarity(position="none", category_distances=DISTANCES)
    best = best_alignment(continuum, dissimilarity, objective="mean")
    assert best.optimal
    rate = best.holistic_disorder
    every = oracle(continuum, dissimilarity)
    assert every.least_sum(rate=rate) == pytest.approx(0.0, abs=1e-9)


def test_sixty_alike_units_of_four_annotators_are_no_maze() -> None:
    continuum = continuum_of([[k % 3 for k in range(60)] for _ in range(4)])
    best = best_alignment(continuum, Dissimilarity(alpha=0.0, beta=2.0))
    assert best.optimal
    assert best.total == 0.0
    assert len(best.disorders) == 60


def test_a_batch_gives_the_same_disorder() -> None:
    continuum = continuum_of([[0, 1, 2, 2], [0, 0, 2], [1, 1, 2]])
    dissimilarity = Dissimilarity(alpha=0.0, beta=0.4)
    batch = batch_disorders(
        continuum.starts,
        continuum.ends,
        continuum.categories,
        continuum.owners,
        np.array([0, continuum.n_units]),
        3,
        dissimilarity,
        n_categories=3,
    )
    assert batch.totals[0] == pytest.approx(best_alignment(continuum, dissimilarity).total)
    assert batch.optimal.all()
