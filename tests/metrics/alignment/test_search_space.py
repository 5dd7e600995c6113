"""The search space of 2011 before and after its bound (Mathet & Widlöcher 2011, section 5.1)."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity, pair_cost
from accordeur.metrics.alignment.greedy import search_space_size
from accordeur.metrics.units.gamma_settings import GammaSettings
from accordeur.metrics.units.holistic_agreement import HOLISTIC_2011, compare_greedy, holistic


def continuum(seed: int, units: tuple[int, ...], length: float) -> Continuum:
    rng = np.random.default_rng(seed)
    owners = np.repeat(np.arange(len(units)), units)
    starts = rng.uniform(0, length - 10, owners.size)
    ends = starts + rng.uniform(1, 10, owners.size)
    names = tuple("abcd"[: len(units)])
    codes = rng.integers(0, 2, owners.size)
    return Continuum(starts, ends, codes, owners, names, ("x", "y"), length=length)


@pytest.mark.parametrize("units", [(3, 4), (2, 3, 2), (0, 3, 1), (2, 1, 2, 1)])
@pytest.mark.parametrize("dissimilarity", [HOLISTIC_2011, Dissimilarity()])
def test_candidates_are_those_of_brute_force(
    units: tuple[int, ...], dissimilarity: Dissimilarity
) -> None:
    some = continuum(1, units, 40.0)
    n, empty = len(units), dissimilarity.delta_empty
    of = [[*np.flatnonzero(some.owners == a).tolist(), None] for a in range(n)]
    within = 0
    for chosen in itertools.product(*of):
        costs = [
            empty if None in (u, v) else pair_cost(some, u, v, dissimilarity)
            for u, v in itertools.combinations(chosen, 2)
        ]
        is_real = any(u is not None for u in chosen)
        within += is_real and np.mean(costs) <= n * empty * (1 + 1e-9)
    assert search_space_size(some, dissimilarity) == (np.prod(np.add(units, 1)) - 1, within)


def test_the_greedy_value_states_the_search_space() -> None:
    """2011: of 26³ − 1 = 17,575 (“about 19,000”) some 1,000 are left, in text full of units."""
    document = continuum(2, (25, 25, 25), 150.0)
    in_all, within = search_space_size(document, HOLISTIC_2011)
    assert in_all == 17_575
    assert 500 < within < 1_500
    settings = GammaSettings(processes=("random1",), precision=0.2, replicates=0)
    greedy = compare_greedy([document], holistic([document], settings=settings), settings=settings)
    assert greedy.agreement.detail.n_unitary_alignments == in_all
    assert greedy.agreement.detail.n_candidates == within
