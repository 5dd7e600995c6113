"""Greedy alignment of Mathet & Widlöcher 2011, Algorithm 1, and the size of its search space.

Section 5.1 and table 2: a unitary alignment of a best alignment costs at most n·Δ∅ (equation 8),
because its units could stand alone. The greedy algorithm sorts the unitary alignments within this
bound; the exact alignment uses a sharper one (`candidates`).
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from ..errors import MetricsError
from .best_alignment import DEFAULT_DISSIMILARITY, Alignment, check_objective
from .continuum import Continuum
from .dissimilarity import Dissimilarity, pair_costs
from .engine import chosen_alignment
from .kernel_input import relative_costs_of_continuum, sweep_units
from .pair_graph import useful_pairs
from .tuple_enumeration import enumerate_tuples

_MAX_TUPLES = 8_000_000
MOST_COUNTED = 20_000_000  # unitary alignments of a document
_ROUNDING = 1e-9


def greedy_alignment(
    continuum: Continuum, dissimilarity: Dissimilarity = DEFAULT_DISSIMILARITY
) -> Alignment:
    """Choose unitary alignments by increasing disorder, skipping any that share a unit.

    This is the approximation that the 2011 paper used for its mean objective: compare its
    `holistic_disorder` with that of `best_alignment(..., objective="mean")`. Of equal disorders,
    the larger tuple comes first. `optimal` is False and `gap` is `nan`, because nothing is proven.
    Dominated tuples are removed beforehand, which changes nothing: one of their parts has at most
    the same disorder and would have been chosen earlier.

    Raises MetricsError for fewer than two annotators, or beyond eight million candidate tuples.
    """
    n, n_units = continuum.n_annotators, continuum.n_units
    check_objective(n, "mean")
    if n_units == 0:
        empty = np.empty((0, n), dtype=np.int32)
        return Alignment(empty, np.empty(0), 0.0, 0.0, optimal=False, gap=math.nan)
    costs = relative_costs_of_continuum(continuum, dissimilarity)
    settings = (n, costs.kind, costs.position_weight, costs.category, costs.matrix)
    sweep = sweep_units(continuum, costs.kind)
    n_pairs = n * (n - 1) / 2.0
    c = np.full(n_units, n_pairs)
    indptr, neighbour, weight = useful_pairs(*sweep.kernel_arrays, *settings, c)
    pointer, members, saving, reached = enumerate_tuples(
        indptr, neighbour, weight, sweep.owners, n, c, _MAX_TUPLES
    )
    if reached < n_units:
        raise MetricsError(
            f"more than {_MAX_TUPLES} unitary alignments to sort: the greedy algorithm is for "
            "smaller continua; use best_alignment"
        )
    sizes = np.diff(pointer)
    excess = (sizes - 1) * n_pairs - saving  # Σ w, which is 0 for a single unit
    useful = np.flatnonzero(excess < 0)
    useful = useful[np.lexsort((-sizes[useful], excess[useful]))]
    taken = np.zeros(n_units, dtype=np.bool_)
    chosen = np.zeros(len(saving), dtype=np.bool_)
    for t in useful:
        units = members[pointer[t] : pointer[t + 1]]
        if not taken[units].any():
            taken[units] = True
            chosen[t] = True
    aligned, disorders = chosen_alignment(
        pointer, members, saving, chosen, sweep.owners, sweep.order, n, c
    )
    disorders *= dissimilarity.delta_empty
    return Alignment(
        aligned, disorders, float(disorders.sum()), n_units / n, optimal=False, gap=math.nan
    )


def search_space_size(continuum: Continuum, dissimilarity: Dissimilarity) -> tuple[int, int | None]:
    """Return the number of unitary alignments, ∏ (units of an annotator + 1) − 1, and within n·Δ∅.

    The second is None beyond `MOST_COUNTED`. Pairs with an empty unit cost Δ∅.
    """
    n, empty = continuum.n_annotators, dissimilarity.delta_empty
    units = [np.append(np.flatnonzero(continuum.owners == a), -1) for a in range(n)]
    shape = tuple(one.size for one in units)
    in_all = math.prod(shape) - 1
    if in_all > MOST_COUNTED or n < 2:
        return in_all, None
    disorders = np.zeros(shape)
    for a, b in combinations(range(n), 2):
        costs = pair_costs(continuum, units[a][:, None], units[b][None, :], dissimilarity)
        axes = [1] * n
        axes[a], axes[b] = shape[a], shape[b]
        disorders += costs.reshape(axes)
    bound = n * empty * math.comb(n, 2)
    return in_all, int((disorders <= bound * (1 + _ROUNDING)).sum()) - 1
