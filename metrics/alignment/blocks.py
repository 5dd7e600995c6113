"""Lower bounds of the stretches of a long component, which keep its sweep narrow.

The distance of the best choice from the dual bound grows with the length of a component, and with
it what a sweep has to allow at each step. So the component is cut into blocks, and each block is
solved with its first units set free: a unit that some earlier tuple could cover costs nothing. What
a block costs then is the least that it costs in any choice, and the sweep of the whole component
only has to allow what the blocks ahead leave over.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from metrics.alignment.kernel_types import Floats, Ints, Longs
from metrics.alignment.sweep import FOUND, NO, NONE_WITHIN, Scratch, sweep

BLOCK = 64
"""Units of a block; components of fewer than two blocks are swept as they are."""


@njit(cache=True, nogil=True, error_model="numpy")
def bound_blocks(
    units: Longs,
    row: Longs,
    column: Ints,
    pointer: Longs,
    members: Ints,
    cost: Floats,
    price: Floats,
    relaxed: Floats,
    worth: Floats,
    scratch: Scratch,
    reach: float,
    threshold: float,
    max_states: int,
    ahead: Floats,
) -> float:
    """What a partition of the component costs at least, if it costs no more than `reach`.

    Fills `ahead` (u,): what the blocks after that of each unit cost at least.

    units, row, column, pointer, members, cost, worth, max_states  as in `sweep`
    price      float64 (U,): of leaving a unit alone; `relaxed` is a copy to write in, given back
               as it was
    threshold  how much of the cost of a block matters at first; four times as much at most
    """
    n = units.shape[0]
    nothing_ahead = np.zeros(n)
    earliest = np.full(n, n, np.int64)  # the first step whose tuples may cover the unit
    step_of = np.full(price.shape[0], -1, np.int64)
    for step in range(n):
        step_of[units[step]] = step
    for step in range(n):
        for at in range(row[units[step]], row[units[step] + 1]):
            t = column[at]
            if cost[t] <= reach:
                for j in range(pointer[t] + 1, pointer[t + 1]):
                    v = step_of[members[j]]
                    earliest[v] = min(earliest[v], step)
    n_blocks = n // BLOCK
    bound = 0.0
    for b in range(n_blocks - 1, -1, -1):
        begin, end = b * n // n_blocks, (b + 1) * n // n_blocks
        for step in range(begin, end):
            ahead[step] = bound
            if earliest[step] < begin:
                relaxed[units[step]] = 0.0
        limit = threshold
        for _ in range(2):
            status, value, _ = sweep(
                units[begin:end],
                row,
                column,
                pointer,
                members,
                cost,
                relaxed,
                relaxed,
                worth,
                scratch,
                limit,
                nothing_ahead,
                NO,
                max_states,
                NO,
            )
            if status == NONE_WITHIN:
                value = limit
                limit *= 4.0
            else:
                break
        if status in (FOUND, NONE_WITHIN):
            bound += value
        for step in range(begin, end):
            relaxed[units[step]] = price[units[step]]
            for at in range(row[units[step]], row[units[step] + 1]):
                for j in range(pointer[column[at]], pointer[column[at] + 1]):
                    scratch.slots[members[j]] = -1  # also of units after the block
    return bound
