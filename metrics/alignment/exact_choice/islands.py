"""Exact choice among tuples with known reduced costs, island by island.

With feasible prices, the cost of a partition is its distance from the dual bound, and the best
partition costs little: of thousands of tuples, a few hundred are close enough to the bound to
matter. Tuples near the bound link units into islands, and each island is swept separately. A tuple
that was left out is a bridge if it costs less than the sum of the best choices of all islands that
it touches: only bridges can make the total cheaper.

Proof: let S be any choice that includes a set X of tuples that were left out. The islands that X
does not touch cost at least their best in S, so S is cheaper than the sum of the best choices by at
most Σ over the islands touched by X - Σ cost(X), hence by at most Σ over x in X of (the islands
touched by x - cost(x)), and no term is positive without a bridge. Bridges are added, and the
islands that they link are swept again, until there are none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays import Flags, Floats, Ints, Ints32
from ...compiling import njit
from .components_and_branches import (
    connected_components,
    count_true,
    select_tuples,
    tuples_to_branch_on,
)
from .sweep import (
    FOUND,
    NO,
    NONE_WITHIN,
    TOO_WIDE,
    SweepBuffers,
    new_sweep_buffers,
    sweep,
)
from .window_sweep import TOO_LONG, sweep_windows
from .windows import Windows, fill_windows, new_windows

GROWTH = 4.0
"""Growth of the threshold after a sweep that found nothing."""

NARROW_STATES = 256
"""Initial limit on the states of a sweep; few islands need more, and memory for more costs time."""

_ROUNDING = 1e-12


@njit(cache=True, nogil=True, error_model="numpy")
def choose_by_islands(
    pointer: Ints,
    members: Ints32,
    cost: Floats,
    price: Floats,
    worth: Floats,
    c: Floats,
    near: float,
    covering: bool,
    max_states: int,
) -> tuple[Flags, Flags, Ints, Floats]:
    """Return (chosen (m,), unsolved (U,), home (U,), value (U,)) of the cheapest choice by islands.

    Units of unsolved islands are left alone. `home` is the first unit of a unit's island; `value`
    is the cost of an island, at its first unit.

    cost      float64 (m,): reduced costs, non-negative
    price     float64 (U,): cost of leaving a unit alone
    near      tuples that cost no more than this are in the initial islands
    """
    n_units, n_tuples = price.shape[0], cost.shape[0]
    chosen = np.zeros(n_tuples, np.bool_)
    unsolved = np.zeros(n_units, np.bool_)
    built = np.empty(n_tuples, np.bool_)
    for t in range(n_tuples):
        built[t] = cost[t] <= near
    stale = np.ones(n_units, np.bool_)  # unit's island changed since it was swept
    value = np.zeros(n_units)  # cost of the island, at its first unit
    home = np.empty(n_units, np.int64)  # first unit of the island
    place = np.empty(n_units, np.int32)  # position of the unit, island by island
    excess, free = np.empty(n_units), np.empty(n_units)
    for u in range(n_units):
        excess[u] = c[u] - price[u]
        free[u] = worth[u] - price[u]
    n_states = min(NARROW_STATES, max_states)
    island = np.empty(n_units, np.int64)  # place: number of the island
    paid = np.zeros(n_units)  # place: cost of the stretch that ends there
    scratch = new_sweep_buffers(n_units)
    windows = new_windows(n_units, n_tuples, n_states)
    bridges = True
    while bridges:
        index, sub_pointer, sub_members, sub_cost = select_tuples(pointer, members, cost, built)
        row, units = connected_components(n_units, sub_pointer, sub_members)
        branch_row, branch_column = tuples_to_branch_on(n_units, sub_pointer, sub_members, covering)
        n_islands = row.shape[0] - 1
        changed = np.zeros(n_islands + 1, np.bool_)  # the last entry is for no island
        for q in range(n_islands):
            for i in range(row[q], row[q + 1]):
                place[units[i]] = i
                home[units[i]] = units[row[q]]
                island[i] = q
                changed[q] |= stale[units[i]]
                stale[units[i]] = False
        picked = np.zeros(index.shape[0], np.bool_)
        status = np.full(n_islands, TOO_LONG, np.int64)
        todo = changed
        while not covering:
            fill_windows(units, place, branch_row, sub_pointer, sub_members, windows)
            _sweep_in_windows(
                row,
                units,
                todo,
                branch_row,
                sub_cost,
                price,
                free,
                windows,
                island,
                near,
                n_states,
                picked,
                paid,
                status,
            )
            todo = np.zeros(n_islands + 1, np.bool_)
            for q in range(n_islands):
                todo[q] = status[q] == TOO_WIDE
            if n_states == max_states or count_true(todo) == 0:
                break
            n_states = max_states
            windows = new_windows(n_units, n_tuples, n_states)
        highest = 0.0
        for q in range(n_islands):
            first = units[row[q]]
            if changed[q]:
                value[first] = 0.0
                if status[q] == TOO_LONG:
                    status[q], value[first] = _swept_in_slots(
                        units[row[q] : row[q + 1]],
                        branch_row,
                        branch_column,
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
                        picked,
                    )
                elif status[q] == FOUND:
                    for i in range(row[q], row[q + 1]):
                        value[first] += paid[i]
                for i in range(row[q], row[q + 1]):
                    unsolved[units[i]] = status[q] != FOUND
                    for at in range(branch_row[units[i]], branch_row[units[i] + 1]):
                        t = branch_column[at]
                        chosen[index[t]] = picked[t] and status[q] == FOUND
            highest = max(highest, value[first])
        bridges = False
        for t in range(n_tuples):
            k = pointer[t + 1] - pointer[t]
            if built[t] or cost[t] + _ROUNDING >= k * highest:
                continue
            together = 0.0  # total cost of the islands that the tuple touches
            for j in range(pointer[t], pointer[t + 1]):
                touched = home[members[j]]
                for i in range(pointer[t], j):
                    if home[members[i]] == touched:
                        break
                else:
                    together += value[touched]
            if cost[t] + _ROUNDING < together:
                built[t] = True
                bridges = True
                for j in range(pointer[t], pointer[t + 1]):
                    stale[members[j]] = True
    return chosen, unsolved, home, value


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep_in_windows(
    row: Ints,
    units: Ints,
    todo: Flags,
    branch_row: Ints,
    cost: Floats,
    price: Floats,
    free: Floats,
    windows: Windows,
    island: Ints,
    near: float,
    max_states: int,
    picked: Flags,
    paid: Floats,
    status: Ints,
) -> None:
    """Sweep the islands of `todo` one after the other, in as few calls as possible.

    Modifies `status` and, where it is FOUND, `picked` and `paid`.
    """
    q: Any = np.int64(0)
    threshold = near
    while q < status.shape[0]:
        if not todo[q]:
            q += 1
            continue
        end = q + 1
        while threshold == near and todo[end]:
            end += 1
        found, at = sweep_windows(
            row[q],
            row[end],
            units,
            branch_row,
            cost,
            price,
            free,
            windows,
            island,
            threshold,
            max_states,
            picked,
            paid,
        )
        while q < end and (found == FOUND or row[q + 1] <= at):
            status[q] = FOUND
            q += 1
        if found == NONE_WITHIN:
            threshold *= GROWTH
        else:
            threshold = near
        if found != FOUND:  # discard the choices of the unsolved island
            for i in range(row[q], row[q + 1]):
                picked[branch_row[units[i]] : branch_row[units[i] + 1]] = False
        if found in (TOO_WIDE, TOO_LONG):
            status[q] = found
            q += 1


@njit(cache=True, nogil=True, error_model="numpy")
def _swept_in_slots(
    units: Ints,
    row: Ints,
    column: Ints32,
    pointer: Ints,
    members: Ints32,
    cost: Floats,
    price: Floats,
    excess: Floats,
    free: Floats,
    scratch: SweepBuffers,
    near: float,
    covering: bool,
    max_states: int,
    picked: Flags,
) -> tuple[int, float]:
    """Return (status, least cost of the island) and mark its tuples in `picked`."""
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
    if status == FOUND:
        for i in range(n_picked):
            picked[scratch.picked[i]] = True
    return status, value
