"""Ties by the nearest mean: the kernel against listing every count vector."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordeur.metrics.resampling.majority import majority_shares
from accordeur.metrics.resampling.subsets.majority_of_drawn_labels import (
    majority_probabilities_by_size,
)


def listed(counts: list[int], values: np.ndarray) -> np.ndarray:
    """Winner's probabilities (labels + 1, K) by the multivariate hypergeometric distribution."""
    vectors = np.array(list(itertools.product(*[range(c + 1) for c in counts])), dtype=np.int64)
    ways = [math.prod(map(math.comb, counts, vector)) for vector in vectors.tolist()]
    wins = majority_shares(vectors, ties="nearest_mean", values=values)
    found = np.zeros((sum(counts) + 1, len(counts)))
    for ways_of, vector, won in zip(ways, vectors, wins, strict=True):
        found[vector.sum()] += ways_of / math.comb(sum(counts), int(vector.sum())) * won
    return found


@settings(max_examples=150)
@given(
    counts=st.lists(st.integers(0, 4), min_size=2, max_size=6),
    places=st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, 7.25]), min_size=6, max_size=6),
)
def test_the_kernel_is_the_list_of_vectors(counts: list[int], places: list[float]) -> None:
    values = np.array(places[: len(counts)])  # in any order, some equal
    found = majority_probabilities_by_size(
        np.array([counts]), most=sum(counts), ties="nearest_mean", values=values, threads=1
    )
    assert found[0] == pytest.approx(listed(counts, values), abs=1e-13)


@pytest.mark.parametrize("counts", [[9, 8, 8, 7, 3], [2, 2, 3, 2, 2, 3, 2], [11, 11, 11, 1]])
def test_longer_runs_on_the_ranks(counts: list[int]) -> None:
    values = np.arange(len(counts), dtype=np.float64)
    found = majority_probabilities_by_size(
        np.array([counts]), most=sum(counts), ties="nearest_mean", values=values, threads=1
    )
    assert found[0] == pytest.approx(listed(counts, values), abs=1e-13)
    assert found[0, 1:].sum(axis=1) == pytest.approx(np.ones(sum(counts)))
