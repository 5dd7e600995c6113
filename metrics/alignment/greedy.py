"""Greedy alignment of Mathet & Widlöcher 2011, Algorithm 1."""

from __future__ import annotations

import math

import numpy as np

from ..errors import MetricsError
from .best_alignment import DEFAULT_DISSIMILARITY, Alignment, check_objective
from .continuum import Continuum
from .dissimilarity import Dissimilarity
from .engine import chosen_alignment
from .kernel_input import relative_costs_of_continuum, sweep_units
from .pair_graph import useful_pairs
from .tuple_enumeration import enumerate_tuples

_MAX_TUPLES = 8_000_000


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
