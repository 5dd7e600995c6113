"""Long components, of which islands are swept apart, against HiGHS on the same candidates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

from accordeur.metrics.alignment.best_alignment import DEFAULT_DISSIMILARITY, best_alignment
from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.alignment.exact_choice.components_and_branches import connected_components
from accordeur.metrics.alignment.kernel_input import relative_costs_of_continuum, sweep_units
from accordeur.metrics.alignment.pair_graph import useful_pairs
from accordeur.metrics.alignment.tuple_enumeration import enumerate_tuples


def crowded(n_annotators: int, n_units: int, seed: int) -> Continuum:
    """Units without gaps between them, drawn apart for each annotator: one long component."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(3, 20, (n_annotators, n_units)).astype(float)
    ends = np.cumsum(lengths, axis=1)
    owners = np.repeat(np.arange(n_annotators, dtype=np.int32), n_units)
    return Continuum(
        (ends - lengths).ravel(),
        ends.ravel(),
        rng.integers(0, 4, owners.size).astype(np.int32),
        owners,
        tuple("abcdefgh"[:n_annotators]),
        tuple("wxyz"),
    )


def least_disorder(continuum: Continuum) -> tuple[float, int]:
    """(least total disorder by HiGHS, units of the longest component)."""
    n = continuum.n_annotators
    n_pairs = n * (n - 1) / 2.0
    costs = relative_costs_of_continuum(continuum, DEFAULT_DISSIMILARITY)
    sweep = sweep_units(continuum, costs.kind)
    c = np.full(continuum.n_units, n_pairs)
    settings = (n, costs.kind, costs.position_weight, costs.category, costs.matrix)
    pairs = useful_pairs(*sweep.kernel_arrays, *settings, c)
    pointer, members, saving, _ = enumerate_tuples(*pairs, sweep.owners, n, c, 10_000_000)
    row, _ = connected_components(continuum.n_units, pointer, members)
    tuples = np.repeat(np.arange(saving.size), np.diff(pointer))
    matrix = csc_array((np.ones(members.size), (members, tuples)), (continuum.n_units, saving.size))
    solution = milp(
        -saving,
        constraints=LinearConstraint(matrix, 0.0, 1.0),
        integrality=np.ones(saving.size),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0.0},
    )
    assert solution.status == 0
    return (n_pairs * continuum.n_units + solution.fun) / n_pairs, int(np.diff(row).max())


@pytest.mark.parametrize(("n_annotators", "n_units"), [(4, 60), (5, 40)])
@pytest.mark.parametrize("seed", range(2))
def test_long_component_is_solved_exactly(n_annotators: int, n_units: int, seed: int) -> None:
    continuum = crowded(n_annotators, n_units, seed)
    expected, longest = least_disorder(continuum)
    assert longest >= 128
    found = best_alignment(continuum)
    assert found.optimal
    assert found.total == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n_annotators", [2, 3, 4])
@pytest.mark.long
def test_a_unit_that_spans_a_hundred_others_is_aligned_exactly(n_annotators: int) -> None:
    rng = np.random.default_rng(n_annotators)
    starts, ends, owners = [], [], []
    for annotator in range(n_annotators):
        short = np.sort(rng.uniform(0, 1000, 90))
        long = rng.uniform(0, 300, 3)
        starts.append(np.concatenate([short, long]))
        ends.append(np.concatenate([short + rng.uniform(2, 12, 90), long + rng.uniform(500, 700)]))
        owners.append(np.full(93, annotator, dtype=np.int32))
    continuum = Continuum(
        np.concatenate(starts),
        np.concatenate(ends),
        rng.integers(0, 3, 93 * n_annotators).astype(np.int32),
        np.concatenate(owners),
        tuple("abcd"[:n_annotators]),
        tuple("xyz"),
    )
    expected, _ = least_disorder(continuum)
    best = best_alignment(continuum)
    assert best.optimal
    assert best.total == pytest.approx(expected, abs=1e-9)
