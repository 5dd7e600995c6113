"""Alignments by many annotators: column generation against brute force and full enumeration."""

from __future__ import annotations

import numpy as np
import pytest

import accordeur.metrics.alignment.best_alignment as module
from accordeur.metrics.alignment.best_alignment import Alignment, Objective, best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.dissimilarity import Dissimilarity
from accordeur.metrics.alignment.exact_choice.components_and_branches import upper_bounds_of_removal
from accordeur.metrics.alignment.exact_choice.dual import optimistic_prices
from accordeur.metrics.alignment.fallback import column_generation, solver
from accordeur.metrics.alignment.fallback.priced_tuples import priced_tuples
from accordeur.metrics.alignment.kernel_input import relative_costs_of_continuum, sweep_units
from accordeur.metrics.alignment.pair_graph import useful_pairs
from accordeur.metrics.alignment.tuple_enumeration import enumerate_tuples
from tests.metrics.alignment.brute_force import oracle, random_case

OBJECTIVES: tuple[Objective, ...] = ("sum", "mean", "soft")


def clusters(n_annotators: int, n_clusters: int, seed: int) -> Continuum:
    """Every annotator near each of some places: unitary alignments grow as 2^annotators."""
    rng = np.random.default_rng(seed)
    places = np.repeat(np.arange(n_clusters) * 7.0, n_annotators) + 20.0
    starts = places + rng.normal(0.0, 1.5, places.size)
    return Continuum(
        starts,
        starts + rng.uniform(3.0, 8.0, starts.size),
        rng.integers(0, 3, starts.size).astype(np.int32),
        np.tile(np.arange(n_annotators, dtype=np.int32), n_clusters),
        tuple("abcdefghijkl"[:n_annotators]),
        tuple("xyz"),
    )


def priced(
    monkeypatch: pytest.MonkeyPatch,
    continuum: Continuum,
    settings: Dissimilarity,
    objective: Objective,
    time_limit: float | None = None,
) -> Alignment:
    """The alignment by prices alone, however few the tuples are."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "TUPLES_A_UNIT", 0)
        patch.setattr(solver, "_choose_tuples", lambda *_: pytest.fail("not settled by prices"))
        return best_alignment(continuum, settings, objective=objective, time_limit=time_limit)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("listed", [40, 300_000])
def test_prices_find_what_brute_force_finds(
    objective: Objective, listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(column_generation, "MAX_LISTED", listed)
    for seed in range(60):
        continuum, settings = random_case(seed)
        if continuum.n_annotators < 3 or continuum.n_units == 0:
            continue
        if settings.position == "none" or settings.alpha == 0.0:
            continue  # aligned by classes
        every = oracle(continuum, settings)
        monkeypatch.setattr(module, "TUPLES_A_UNIT", 0)
        found = best_alignment(continuum, settings, objective=objective)
        assert found.optimal or listed < 300_000
        if objective == "mean":
            shortfall = every.least_sum(rate=found.holistic_disorder)
            assert shortfall <= 1e-9
            assert shortfall == pytest.approx(0.0, abs=1e-9) or not found.optimal
        else:
            least = every.least_sum(covering=objective == "soft")
            assert found.total >= least - 1e-9
            assert found.total * (1.0 - found.gap) <= least + 1e-9


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("n_annotators", "n_clusters"), [(4, 12), (6, 6), (8, 4)])
def test_prices_find_what_full_enumeration_finds(
    n_annotators: int, n_clusters: int, objective: Objective, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(3):
        continuum = clusters(n_annotators, n_clusters, seed)
        full = best_alignment(continuum, objective=objective)
        found = priced(monkeypatch, continuum, Dissimilarity(), objective)
        assert full.optimal
        assert found.optimal
        assert found.total / len(found.disorders) ** (objective == "mean") == pytest.approx(
            full.total / len(full.disorders) ** (objective == "mean"), abs=1e-9
        )


def test_twelve_annotators_are_aligned_exactly() -> None:
    """More unitary alignments than can be listed; whoever comes first, and where, is all one."""
    continuum = clusters(12, 8, 1)
    best = best_alignment(continuum)
    assert best.optimal
    turned = Continuum(
        continuum.starts + 1e6,
        continuum.ends + 1e6,
        continuum.categories,
        (continuum.owners + 5) % 12,
        continuum.annotators,
        continuum.tagset,
    )
    assert best_alignment(turned).total == pytest.approx(best.total, abs=1e-7)


@pytest.mark.parametrize("seed", range(4))
def test_no_tuple_under_the_threshold_is_missed(seed: int) -> None:
    continuum = clusters(6, 4, seed)
    n, c = 6, np.full(continuum.n_units, 15.0)
    costs = relative_costs_of_continuum(continuum, Dissimilarity())
    sweep = sweep_units(continuum, costs.kind)
    pairs = useful_pairs(*sweep.kernel_arrays, n, *costs.kernel_arguments, c)
    rng = np.random.default_rng(seed)
    worth = upper_bounds_of_removal(sweep.owners, n, *pairs, c, False)
    price = optimistic_prices(worth, c, n) - rng.uniform(0.0, 2.0, len(c))
    pointer, members, saving, _ = enumerate_tuples(*pairs, sweep.owners, n, c, 1_000_000)
    cost = np.add.reduceat(price[members], pointer[:-1]) - saving
    threshold = float(np.quantile(cost, 0.3))
    listed = priced_tuples(*pairs, sweep.owners, n, c, price, threshold, 1_000_000)
    found = {
        tuple(sorted(listed[1][a:b].tolist())): amount
        for a, b, amount in zip(listed[0], listed[0][1:], listed[3], strict=False)
    }
    assert listed[4] == len(c)
    assert max(found.values()) < threshold
    for t in np.flatnonzero(cost < threshold - 1e-9):
        key = tuple(sorted(members[pointer[t] : pointer[t + 1]].tolist()))
        assert found[key] == pytest.approx(cost[t], abs=1e-9)


def test_without_time_the_gap_is_honest(monkeypatch: pytest.MonkeyPatch) -> None:
    continuum = clusters(7, 5, 2)
    best = best_alignment(continuum)
    monkeypatch.setattr(module, "TUPLES_A_UNIT", 0)
    found = best_alignment(continuum, time_limit=0.0)
    assert found.total >= best.total - 1e-9
    assert found.total * (1.0 - found.gap) <= best.total + 1e-9
