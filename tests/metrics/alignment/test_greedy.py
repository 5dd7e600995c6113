"""Algorithm 1 of 2011 against its own text, and against the optimum."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.alignment.best_alignment import best_alignment
from accordeur.metrics.alignment.greedy import greedy_alignment
from tests.metrics.alignment.brute_force import oracle, random_case, random_continuum


def test_greedy_takes_what_the_algorithm_takes_on_all_tuples() -> None:
    for seed in range(150):
        continuum, settings = random_case(seed)
        if not continuum.n_units:
            continue
        everything = oracle(continuum, settings)
        rounded = np.round(everything.disorders, 9)
        if len(np.unique(rounded)) < len(rounded):  # ties: the order is free
            continue
        taken = np.zeros(continuum.n_units)
        chosen = []
        for t in np.argsort(everything.disorders):
            if not (taken * everything.incidence[:, t]).any():
                taken += everything.incidence[:, t]
                chosen.append(everything.disorders[t])
        found = greedy_alignment(continuum, settings)
        np.testing.assert_allclose(np.sort(found.disorders), np.sort(chosen), atol=1e-9)


def test_greedy_is_never_better_than_the_optimum() -> None:
    differences = []
    for seed in range(20):
        continuum = random_continuum(3, 25, np.random.default_rng(seed))
        greedy = greedy_alignment(continuum)
        best = best_alignment(continuum, objective="mean")
        assert greedy.holistic_disorder >= best.holistic_disorder - 1e-12
        assert np.isnan(greedy.gap)
        assert not greedy.optimal
        differences.append(greedy.holistic_disorder / best.holistic_disorder - 1)
    assert max(differences) > 0.01  # the approximation shows
