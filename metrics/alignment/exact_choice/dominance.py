"""Selection of the states that a sweep keeps.

Exchange dominance: state A can follow any completion of state B. The units that only A covers are
removed from their tuples, which costs at most their `worth`, and the units that only B covers stay
alone. If A is cheaper than B by at least these costs, B is useless.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...arrays import Floats, Ints, Ints32
from ...compiling import njit

LOW: Any = np.int64(0)
HIGH: Any = np.int64(64)
"""First slot of each word of a mask; literals would compile their callees twice."""

_RIVALS = 8  # number of cheapest states that every other state is compared with


@njit(cache=True, nogil=True, error_model="numpy")
def keep_cheapest_states(
    low: Ints,
    high: Ints,
    value: Floats,
    parent: Ints,
    choice: Ints32,
    begin: int,
    end: int,
    n_kept: int,
) -> int:
    """Keep at most `n_kept` of the cheapest states (at least one); return the new end."""
    under, cut = value[begin], value[begin]
    for b in range(begin, end):
        under, cut = min(under, value[b]), max(cut, value[b])
    for _ in range(40):  # bisection
        middle = 0.5 * (under + cut)
        n_cheaper = 0
        for b in range(begin, end):
            n_cheaper += value[b] < middle
        if n_cheaper > n_kept:
            cut = middle
        else:
            under = middle
    cut = under
    kept = begin
    for b in range(begin, end):
        if value[b] < cut or kept == begin:
            _copy_state(low, high, value, parent, choice, b, kept)
            kept += 1
    return kept


@njit(cache=True, nogil=True, error_model="numpy")
def keep_undominated_states(
    low: Ints,
    high: Ints,
    value: Floats,
    parent: Ints,
    choice: Ints32,
    begin: int,
    end: int,
    slot_worth: Floats,
    slot_alone: Floats,
) -> int:
    """Keep the states that none of the cheapest states dominates; return the new end."""
    n_rivals = min(_RIVALS, end - begin)
    for i in range(n_rivals):  # move the cheapest states to the front
        lowest = begin + i
        for j in range(begin + i + 1, end):
            if value[j] < value[lowest]:
                lowest = j
        if lowest != begin + i:
            a, b = begin + i, lowest
            low[a], low[b] = low[b], low[a]
            high[a], high[b] = high[b], high[a]
            value[a], value[b] = value[b], value[a]
            parent[a], parent[b] = parent[b], parent[a]
            choice[a], choice[b] = choice[b], choice[a]
    kept = begin + 1
    for b in range(begin + 1, end):
        useless = False
        for a in range(begin, min(kept, begin + n_rivals)):
            slack = value[b] - value[a]
            slack = _after_exchange(slack, low[a], low[b], slot_worth, slot_alone, LOW)
            slack = _after_exchange(slack, high[a], high[b], slot_worth, slot_alone, HIGH)
            if slack >= 0.0:
                useless = True
                break
        if not useless:
            if kept != b:
                _copy_state(low, high, value, parent, choice, b, kept)
            kept += 1
    return kept


@njit(cache=True, nogil=True, error_model="numpy")
def _copy_state(
    low: Ints, high: Ints, value: Floats, parent: Ints, choice: Ints32, b: int, to: int
) -> None:
    low[to] = low[b]
    high[to] = high[b]
    value[to] = value[b]
    parent[to] = parent[b]
    choice[to] = choice[b]


@njit(cache=True, nogil=True, error_model="numpy")
def _after_exchange(
    slack: float, a: Any, b: Any, slot_worth: Floats, slot_alone: Floats, s: int
) -> float:
    """Return B's extra cost over A, minus A's cost for the units that differ."""
    differing = a ^ b
    while differing != 0 and slack >= 0.0:
        if differing & 1:
            slack -= slot_worth[s] if a & 1 else slot_alone[s]
        differing = (differing >> 1) & np.int64(0x7FFFFFFFFFFFFFFF)
        a >>= 1
        s += 1
    return slack
