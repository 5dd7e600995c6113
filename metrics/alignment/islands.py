"""Exact choice among tuples of known reduced costs, island by island.

With feasible prices every partition costs its distance from the dual bound, and the best one costs
little: of thousands of tuples a few hundred are near enough to the bound to matter. Tuples near the
bound link units into islands, and each island is swept by itself. A tuple that was left out is a
bridge when it costs less than the best choices of all the islands that it touches: only bridges can
make the whole cheaper. For let S be any choice with a set X of tuples left out. The islands that X
does not touch cost at least their best in S, so S is cheaper than the best of every island by at
most Σ over the islands touched by X - Σ cost(X), hence by at most Σ over x in X of (the islands
touched by x - cost(x)), of which no term is positive without a bridge. Bridges are built, and the
islands that they link are swept again, until there is none.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from metrics.alignment.kernel_types import Flags, Floats, Index, Ints, Longs
from metrics.alignment.solver import branches, components, kept_tuples
from metrics.alignment.sweep import FOUND, NO, NONE_WITHIN, Scratch, new_scratch, sweep

GROWTH = 4.0
"""The threshold of a sweep that found nothing grows by this factor."""

_ROUNDING = 1e-12


@njit(cache=True, nogil=True, error_model="numpy")
def choose_by_islands(
    pointer: Longs,
    members: Ints,
    cost: Floats,
    price: Floats,
    worth: Floats,
    c: Floats,
    near: float,
    covering: bool,
    max_states: int,
) -> tuple[Flags, Flags]:
    """(chosen (m,), unsolved (U,)): the cheapest choice but for the units of unsolved islands.

    cost      float64 (m,): reduced costs, at least 0
    price     float64 (U,): of leaving a unit alone
    near      tuples that cost no more are on the islands from the start
    """
    n_units, n_tuples = price.shape[0], cost.shape[0]
    chosen = np.zeros(n_tuples, np.bool_)
    unsolved = np.zeros(n_units, np.bool_)
    built = np.empty(n_tuples, np.bool_)
    for t in range(n_tuples):
        built[t] = cost[t] <= near
    stale = np.ones(n_units, np.bool_)  # its island changed since it was swept
    value = np.zeros(n_units)  # of the island, at its first unit
    home = np.empty(n_units, np.int64)  # the first unit of the island
    excess = c - price
    free = worth - price
    scratch = new_scratch(n_units)
    bridges = True
    while bridges:
        index, sub_pointer, sub_members, sub_cost = kept_tuples(pointer, members, cost, built)
        row, units = components(n_units, sub_pointer, sub_members)
        branch_row, branch_column = branches(n_units, sub_pointer, sub_members, covering)
        highest = 0.0
        for q in range(row.shape[0] - 1):
            mine = units[row[q] : row[q + 1]]
            changed = False
            for u in mine:
                home[u] = mine[0]
                changed = changed or stale[u]
                stale[u] = False
            if changed:
                value[mine[0]] = _sweep_island(
                    mine,
                    branch_row,
                    branch_column,
                    index,
                    sub_pointer,
                    sub_members,
                    sub_cost,
                    price,
                    excess,
                    free,
                    scratch,
                    near,
                    covering,
                    max_states,
                    chosen,
                )
                if value[mine[0]] == math.inf:
                    value[mine[0]] = 0.0
                    for u in mine:
                        unsolved[u] = True
            highest = max(highest, value[mine[0]])
        bridges = False
        for t in range(n_tuples):
            k = pointer[t + 1] - pointer[t]
            if built[t] or cost[t] + _ROUNDING >= k * highest:
                continue
            if cost[t] + _ROUNDING < _touched(members, pointer[t], pointer[t + 1], home, value):
                built[t] = True
                bridges = True
                for j in range(pointer[t], pointer[t + 1]):
                    stale[members[j]] = True
    return chosen, unsolved


@njit(cache=True, nogil=True, error_model="numpy")
def _touched(members: Ints, begin: Index, end: Index, home: Longs, value: Floats) -> float:
    """What the islands that a tuple touches cost together."""
    paid = 0.0
    for j in range(begin, end):
        island = home[members[j]]
        for i in range(begin, j):
            if home[members[i]] == island:
                break
        else:
            paid += value[island]
    return paid


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep_island(
    units: Longs,
    row: Longs,
    column: Ints,
    index: Longs,
    pointer: Longs,
    members: Ints,
    cost: Floats,
    price: Floats,
    excess: Floats,
    free: Floats,
    scratch: Scratch,
    near: float,
    covering: bool,
    max_states: int,
    chosen: Flags,
) -> float:
    """What the island costs at best, its tuples marked in `chosen`; inf when it is too wide."""
    for u in units:
        for at in range(row[u], row[u + 1]):
            chosen[index[column[at]]] = False
    first = units[0]
    if units.shape[0] == 1:
        return price[first]
    threshold, status, value, n_picked = near, NONE_WITHIN, math.inf, 0
    while status == NONE_WITHIN:
        status, value, n_picked = sweep(
            units,
            row,
            column,
            pointer,
            members,
            cost,
            price,
            excess,
            free,
            scratch,
            threshold,
            covering,
            max_states,
            NO,
        )
        threshold *= GROWTH
    if status != FOUND:
        return math.inf
    for i in range(n_picked):
        chosen[index[scratch.picked[i]]] = True
    return value
