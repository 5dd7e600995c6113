"""Exact choice among candidate tuples by dynamic programming over the sweep.

Units are processed in sweep order. A state is the set of later units that chosen tuples already
cover, a bit mask of up to 128 slots (a unit has a slot only from the first tuple that may cover it
until the sweep passes it). Costs may be reduced costs of a dual: then the cost of every solution is
its distance from the dual bound, states and tuples above `threshold` are pruned, and a solution
found below it is optimal.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ...arrays import Floats, Ints, Ints32
from ...compiling import njit
from ..continuum import Index
from ..pair_graph import copy_with_capacity
from .dominance import HIGH, LOW, keep_cheapest_states, keep_undominated_states

FOUND, NONE_WITHIN, TOO_WIDE, HEURISTIC = 0, 1, 2, 3
"""Status of a sweep: solved; no solution within the threshold; too many states or slots; a
solution found after dropping states (with `beam`)."""

NO: Any = np.bool_(False)
"""False for the flags of `sweep`: a literal would compile it once more for each combination."""

_N_SLOTS = 128
_TABLE = 64
_SCANNED = 16  # with more states, equal masks are found by hashing instead of scanning
_COVERED, _ALONE = -1, -2


class SweepBuffers(NamedTuple):
    """Arrays shared by sweeps, so that a small component needs no allocation."""

    low: Ints  # state: covered slots 0..63
    high: Ints  # state: covered slots 64..127
    value: Floats  # state: cost so far
    parent: Ints  # state: previous state
    choice: Ints32  # state: tuple chosen, or covered, or alone
    begin: Ints  # step: first state
    table: Ints  # hash table of a step
    slots: Ints  # unit: slot, -1 for none (and between sweeps)
    slot_worth: Floats
    slot_alone: Floats
    slot_excess: Floats
    picked: Ints32  # result


@njit(cache=True, nogil=True, error_model="numpy")
def new_sweep_buffers(n_units: int) -> SweepBuffers:
    """Allocate scratch arrays for components of up to U units."""
    capacity = 8 * n_units + 256
    return SweepBuffers(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int32),
        np.empty(n_units + 2, np.int64),
        np.empty(_TABLE, np.int64),
        np.full(n_units, -1, np.int64),
        np.empty(_N_SLOTS),
        np.empty(_N_SLOTS),
        np.empty(_N_SLOTS),
        np.empty(n_units, np.int32),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def sweep(
    units: Ints,
    row: Ints,
    column: Ints32,
    pointer: Ints,
    members: Ints32,
    cost: Floats,
    alone: Floats,
    excess: Floats,
    worth: Floats,
    scratch: SweepBuffers,
    threshold: float,
    covering: bool,
    max_states: int,
    beam: bool,
) -> tuple[int, float, int]:
    """Find the cheapest choice of tuples for one component: (status, value, number of tuples).

    The chosen tuples are the first entries of `scratch.picked`.

    units       int64 (u,): the units of the component, in sweep order
    row, column  CSR, unit → tuples to branch on: tuples of which it is the first member
                 (partition), or all tuples that it belongs to (covering)
    cost        float64 (m,): cost of each tuple
    alone       float64 (U,): cost of leaving each unit alone
    excess      float64 (U,): cost of covering a unit once more (covering only)
    worth       float64 (U,): upper bound on the cost of removing the unit from a tuple
    max_states  most states after one unit of the sweep; the total limit is 64 times this plus 64
                per unit
    beam        whether to continue with the `max_states` cheapest states if there are more
    """
    n = units.shape[0]
    low, high, value = scratch.low, scratch.high, scratch.value
    parent, choice, begin = scratch.parent, scratch.choice, scratch.begin
    slots, slot_worth = scratch.slots, scratch.slot_worth
    slot_alone, slot_excess = scratch.slot_alone, scratch.slot_excess
    table, table_size = scratch.table, _TABLE
    capacity = low.shape[0]
    low[0] = 0
    high[0] = 0
    value[0] = 0.0
    parent[0] = -1
    choice[0] = _COVERED
    begin[0] = 0
    begin[1] = 1
    used_low: Any = np.int64(0)
    used_high: Any = np.int64(0)
    status = FOUND
    step = 0
    for step in range(n):
        u = units[step]
        first, last = begin[step], begin[step + 1]
        end = last
        # assign slots to the later members of this unit's tuples
        for at in range(row[u], row[u + 1]):
            opened = column[at]
            if cost[opened] > threshold:
                continue
            for j in range(pointer[opened], pointer[opened + 1]):
                v = members[j]
                if v > u and slots[v] < 0:
                    s = _free_slot(used_low, used_high)
                    if s < 0:
                        status = TOO_WIDE
                        break
                    slots[v] = s
                    slot_worth[s] = worth[v]
                    slot_alone[s] = alone[v]
                    slot_excess[s] = excess[v]
                    if s < 64:
                        used_low |= np.int64(1) << s
                    else:
                        used_high |= np.int64(1) << (s - 64)
            if status == TOO_WIDE:
                break
        if status == TOO_WIDE:
            break
        u_low: Any = np.int64(0)
        u_high: Any = np.int64(0)
        if slots[u] >= 64:
            u_high = np.int64(1) << (slots[u] - 64)
        elif slots[u] >= 0:
            u_low = np.int64(1) << slots[u]
        hashing = False
        for option in range(row[u] - 1, row[u + 1]):
            # option row[u] - 1: choose no tuple; the unit is covered, or alone
            t_low: Any = np.int64(0)
            t_high: Any = np.int64(0)
            price = alone[u]
            t: Any = np.int64(_ALONE)
            if option >= row[u]:
                t = np.int64(column[option])
                price = cost[t]
                if price > threshold:
                    continue
                for j in range(pointer[t], pointer[t + 1]):
                    v = members[j]
                    if v < u:
                        price += excess[v]
                    elif v > u:
                        if slots[v] < 64:
                            t_low |= np.int64(1) << slots[v]
                        else:
                            t_high |= np.int64(1) << (slots[v] - 64)
            for state in range(first, last):
                new = value[state] + price
                pick: Any = t
                if (low[state] & u_low) | (high[state] & u_high):
                    if option >= row[u]:
                        continue
                    new = value[state]
                    pick = np.int64(_COVERED)
                elif (low[state] & t_low) | (high[state] & t_high):
                    if not covering:
                        continue
                    new += _sum_of_slots(low[state] & t_low, slot_excess, LOW)
                    new += _sum_of_slots(high[state] & t_high, slot_excess, HIGH)
                if new > threshold:
                    continue
                new_low = (low[state] | t_low) & ~u_low
                new_high = (high[state] | t_high) & ~u_high
                place: Any = np.int64(-1)
                h: Any = np.int64(0)
                if not hashing:
                    for other in range(last, end):
                        if low[other] == new_low and high[other] == new_high:
                            place = other
                            break
                else:
                    h = _hashed(new_low, new_high, table_size)
                    place = table[h]
                    while place >= 0 and (low[place] != new_low or high[place] != new_high):
                        h = (h + 1) & (table_size - 1)
                        place = table[h]
                if place < 0:
                    if end == capacity:
                        capacity *= 2
                        low = copy_with_capacity(low, capacity)
                        high = copy_with_capacity(high, capacity)
                        value = copy_with_capacity(value, capacity)
                        parent = copy_with_capacity(parent, capacity)
                        choice = copy_with_capacity(choice, capacity)
                    place = end
                    end += 1
                    low[place] = new_low
                    high[place] = new_high
                    value[place] = math.inf
                    if hashing:
                        table[h] = place
                    if (not hashing and end - last == _SCANNED) or 2 * (end - last) > table_size:
                        if hashing:
                            table_size *= 4
                            table = np.empty(table_size, np.int64)
                        hashing = True
                        for h in range(table_size):
                            table[h] = -1
                        for other in range(last, end):
                            h = _hashed(low[other], high[other], table_size)
                            while table[h] >= 0:
                                h = (h + 1) & (table_size - 1)
                            table[h] = other
                if new < value[place]:
                    value[place] = new
                    parent[place] = state
                    choice[place] = pick
            if end - last > 16 * max_states and not beam:
                break
        if slots[u] >= 0:
            used_low &= ~u_low
            used_high &= ~u_high
            slots[u] = -1
        if end - last > 4:
            end = keep_undominated_states(
                low, high, value, parent, choice, last, end, slot_worth, slot_alone
            )
        begin[step + 2] = end
        if end == last:
            status = NONE_WITHIN
            break
        if beam:
            if end - last > max_states:
                end = keep_cheapest_states(low, high, value, parent, choice, last, end, max_states)
                begin[step + 2] = end
                status = HEURISTIC
        elif end - last > max_states or end > 64 * (max_states + n):
            status = TOO_WIDE
            break
    if status in (NONE_WITHIN, TOO_WIDE):
        for j in range(step, n):
            slots[units[j]] = -1
        return status, math.inf, 0
    last_state: Any = begin[n]
    for state in range(begin[n], begin[n + 1]):  # several if tuples extend beyond the units
        if value[state] < value[last_state]:
            last_state = state
    best = value[last_state]
    n_picked = 0
    for _ in range(n):
        if choice[last_state] >= 0:
            scratch.picked[n_picked] = choice[last_state]
            n_picked += 1
        last_state = parent[last_state]
    return status, best, n_picked


@njit(cache=True, nogil=True, error_model="numpy")
def _sum_of_slots(mask: Any, amounts: Floats, s: int) -> float:
    amount = 0.0
    while mask != 0:
        if mask & 1:
            amount += amounts[s]
        mask = (mask >> 1) & np.int64(0x7FFFFFFFFFFFFFFF)
        s += 1
    return amount


@njit(cache=True, nogil=True, error_model="numpy")
def _free_slot(used_low: int, used_high: int) -> int:
    if used_low != -1:
        for s in range(64):
            if not (used_low >> s) & 1:
                return s
    if used_high != -1:
        for s in range(64):
            if not (used_high >> s) & 1:
                return s + 64
    return -1


@njit(cache=True, nogil=True, error_model="numpy")
def _hashed(low: Index, high: Index, size: int) -> Index:
    x = low * np.int64(-7046029254386353131) ^ high * np.int64(-4417276706812531889)
    return ((x ^ (x >> 29)) * np.int64(-4658895280553007687) >> 32) & (size - 1)
