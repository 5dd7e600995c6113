"""Sweep for short tuples: a state is one word, shifted by one bit per unit.

Bit i of a state says whether the i-th unit from the current one is covered by a tuple chosen
before. This needs tuples that span at most 63 units, as in most continua; `sweep` has slots for
longer ones. A unit is charged, covered or alone, at the last tuple that could cover it, and then
leaves the state, so that states with the same future merge. If only the empty state is left, the
sweep is cut there: everything before is decided, whatever follows.

Costs may be plain (minus the saving, nothing for a unit alone) or reduced costs of a dual, as in
`sweep`, with which this module shares thresholds, status and dominance.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from ...arrays import Flags, Floats, Ints, Ints32
from ...compiling import njit
from ..continuum import Index
from .sweep import FOUND, NONE_WITHIN, TOO_WIDE
from .windows import GROWTH, TABLE, Windows, fill_windows, new_windows


def _lowest_bit(_context: Any, _word: Any) -> Any:
    def count_zeros(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), count_zeros


def _lowest_bit_uncompiled(word: int) -> int:
    return (int(word) & -int(word)).bit_length() - 1


_is_compiled = not numba.config.DISABLE_JIT  # type: ignore[attr-defined]
lowest_bit: Any = intrinsic(_lowest_bit) if _is_compiled else _lowest_bit_uncompiled
"""Position, from 0, of the lowest set bit of a nonzero int64."""

TOO_LONG = 4
"""Status of a sweep with a tuple that spans more than 63 units."""

_TAKEN_OR_ALONE = -1
_CROWD, _RIVALS = 16, 8  # above 16 states with prices, compare the 8 cheapest with all others


@njit(cache=True, nogil=True, error_model="numpy")
def sweep_windows(
    first: Index,
    end: Index,
    units: Ints,
    row: Ints,
    cost: Floats,
    alone: Floats,
    worth: Floats,
    windows: Windows,
    island: Ints,
    threshold: float,
    max_states: int,
    chosen: Flags,
    paid: Floats,
) -> tuple[int, Index]:
    """Find the cheapest choice for the places `first` to `end`: (status, last cut).

    No tuple may extend beyond these places. The tuples chosen before the last cut are marked in
    `chosen`; `paid` has the cost of each stretch at its last place, 0 elsewhere.

    status  as in `sweep`, or TOO_LONG if a tuple is too long for a word
    cost    float64 (m,): cost of each tuple
    alone   float64 (U,): cost of leaving each unit alone
    worth   float64 (U,): upper bound on the cost of removing the unit from a tuple
    island  int64 (U,): place: number of the island; no island may cost more than `threshold`
    """
    word, leaving, begin = windows.word, windows.leaving, windows.begin
    parent, choice = windows.parent, windows.choice
    state, value = windows.state, windows.value
    new_state, new_value = windows.new_state, windows.new_value
    table, home = windows.table, windows.home
    cleared = windows.cleared
    leaver, next_leaver = windows.leaver, windows.next_leaver
    room, states_room = parent.shape[0], state.shape[0]
    cut: Any = first
    left = threshold
    n_states = 1
    state[0] = 0
    value[0] = 0.0
    begin[0] = 0
    begin[1] = 1
    free = True  # whether units alone cost nothing
    for i in range(first, end):
        if alone[units[i]] > 0.0:
            free = False
            break
    for i in range(first, end):
        u = units[i]
        low, high = row[u], row[u + 1]
        step = i - cut
        paid[i] = 0.0
        if i > first and island[i] != island[i - 1]:
            left = threshold
        if step == 0 and low == high:  # no open tuples and no options
            if leaving[i] & 1:
                paid[i] = alone[u]
                left -= alone[u]
            cut = i + 1
            continue
        old, new = begin[step], begin[step + 1]
        gone: Any = leaving[i]
        stays: Any = ~(gone | 1)
        charged: Any = np.int64(0) if free else gone
        n_new = 0
        size = TABLE
        for s in range(n_states):
            if n_new + high - low + 1 > states_room or new + n_new + high - low + 1 > room:
                return TOO_WIDE, cut
            while 2 * (n_new + high - low + 1) > size:
                size *= GROWTH
                while cleared[0] < size:
                    table[cleared[0]] = 0
                    cleared[0] += 1
                for other in range(n_new):
                    home[other] = -1
                for other in range(n_new):
                    h = _hashed(new_state[other], size)
                    while table[h] < n_new and home[table[h]] == h:
                        h = (h + 1) & (size - 1)
                    table[h] = other
                    home[other] = h
            taken: Any = state[s]
            options = high if taken & 1 == 0 else low
            for t in range(low - 1, options):
                # option low - 1: choose no tuple
                cover: Any = taken
                spent = value[s]
                if t >= low:
                    if word[t] == 0:
                        return TOO_LONG, cut
                    if taken & word[t]:
                        continue
                    cover = taken | word[t]
                    spent += cost[t]
                if charged & ~cover:
                    at = leaver[i]
                    while at >= 0:
                        if not (cover >> (at - i)) & 1:
                            spent += alone[units[at]]
                        at = next_leaver[at]
                if spent > left:
                    continue
                cover = (cover & stays) >> 1
                h = _hashed(cover, size)
                found = table[h]
                while found < n_new and home[found] == h and new_state[found] != cover:
                    h = (h + 1) & (size - 1)
                    found = table[h]
                if found >= n_new or home[found] != h:
                    found = n_new
                    n_new += 1
                    table[h] = found
                    home[found] = h
                    new_state[found] = cover
                    new_value[found] = math.inf
                if spent < new_value[found]:
                    new_value[found] = spent
                    parent[new + found] = old + s
                    choice[new + found] = t if t >= low else _TAKEN_OR_ALONE
        if n_new == 0:
            return NONE_WITHIN, cut
        n_states = n_new
        n_rivals = 1 if free or n_new <= _CROWD else _RIVALS
        r = 0
        while r < min(n_rivals, n_states):  # compare each cheap state with all costlier ones
            best = r
            for s in range(r + 1, n_states):
                if new_value[s] < new_value[best]:
                    best = s
            rival: Any = new_state[best]
            floor = new_value[best]
            x, y = new + r, new + best
            new_state[best], new_value[best] = new_state[r], new_value[r]
            new_state[r], new_value[r] = rival, floor
            parent[x], parent[y] = parent[y], parent[x]
            choice[x], choice[y] = choice[y], choice[x]
            r += 1
            kept = r
            for s in range(r, n_states):
                rest: Any = new_state[s]
                slack = new_value[s] - floor
                more: Any = rival
                while more:
                    b = lowest_bit(more)
                    slack -= worth[units[i + 1 + b]] * (1.0 - ((rest >> b) & 1))
                    more &= more - 1
                if not free:
                    less: Any = rest & ~rival
                    while less:
                        slack -= alone[units[i + 1 + lowest_bit(less)]]
                        less &= less - 1
                new_state[kept], new_value[kept] = rest, new_value[s]
                parent[new + kept], choice[new + kept] = parent[new + s], choice[new + s]
                kept += slack < 0.0
            n_states = kept
        for s in range(n_states):
            state[s], value[s] = new_state[s], new_value[s]
        if n_states > max_states:
            return TOO_WIDE, cut
        begin[step + 2] = new + n_states
        if n_states == 1 and state[0] == 0:
            at = new
            for _ in range(step + 1):
                if choice[at] >= 0:
                    chosen[choice[at]] = True
                at = parent[at]
            paid[i] = value[0]
            left -= value[0]
            value[0] = 0.0
            cut = i + 1
            begin[1] = 1
    return FOUND, cut


@njit(cache=True, nogil=True, error_model="numpy")
def _hashed(word: Any, size: int) -> Index:
    return ((word * np.int64(-7046029254386353131)) >> 40) & (size - 1)


@njit(cache=True, nogil=True, error_model="numpy")
def choose_by_windows(
    row: Ints, pointer: Ints, members: Ints32, saving: Floats, worth: Floats, max_states: int
) -> tuple[Flags, Flags, bool]:
    """Return (chosen (m,), unsolved (U,), whether a tuple was too long).

    The choice is the best partition except in stretches whose sweep is too wide. An unsolved
    stretch lies between a cut and the next place that no tuple crosses, so it can be solved
    separately, with the tuples whose first member is in it.
    """
    n_units = worth.shape[0]
    chosen = np.zeros(saving.shape[0], np.bool_)
    unsolved = np.zeros(n_units, np.bool_)
    units, place = np.empty(n_units, np.int64), np.empty(n_units, np.int32)
    for u in range(n_units):
        units[u] = u
        place[u] = u
    windows = new_windows(n_units, saving.shape[0], max_states)
    fill_windows(units, place, row, pointer, members, windows)
    cost, alone, paid = np.empty(saving.shape[0]), np.zeros(n_units), np.empty(n_units)
    for t in range(saving.shape[0]):
        cost[t] = -saving[t]
    one = np.zeros(n_units, np.int64)  # one island
    at: Any = np.int64(0)  # typed, because a literal would compile the sweep twice
    long = False
    while at < n_units:
        status, at = sweep_windows(
            at,
            n_units,
            units,
            row,
            cost,
            alone,
            worth,
            windows,
            one,
            math.inf,
            max_states,
            chosen,
            paid,
        )
        if status == FOUND:
            break
        long = long or status == TOO_LONG
        farthest = at
        while at <= farthest:
            for j in range(pointer[row[at]], pointer[row[at + 1]]):
                farthest = max(farthest, members[j])
            unsolved[at] = True
            at += 1
    return chosen, unsolved, long
