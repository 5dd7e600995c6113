"""Tuples as bit words, and the arrays of a sweep whose states are words.

Bit i of a word stands for the i-th unit from its first one; `window_sweep` uses them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...arrays import Floats, Ints, Ints32
from ...compiling import njit

BITS = 63
"""Number of units that a word can span; the last bit is the sign."""

TABLE, GROWTH = 64, 4
"""Initial size of the hash table of states, and its growth factor."""


class Windows(NamedTuple):
    """Tuples of a sequence of units as words, and the arrays of its sweep."""

    word: Ints  # tuple: bit i for the i-th unit from its first one
    last: Ints32  # place: first place of the last tuple that could cover the unit
    leaving: Ints  # place: units charged here, bit i for the i-th from here
    leaver: Ints32  # place: a unit charged here, -1 for none
    next_leaver: Ints32  # place: another unit charged at the same place, -1 for none
    begin: Ints32  # place: first state in the history, since the last cut
    parent: Ints32  # state of the history: previous state
    choice: Ints32  # state of the history: tuple chosen
    state: Ints
    value: Floats
    new_state: Ints
    new_value: Floats
    table: Ints32  # hash table: number of the new state
    cleared: Ints  # (1,): number of leading entries of the table that are initialised
    home: Ints32  # new state: place in the table


@njit(cache=True, nogil=True, error_model="numpy")
def new_windows(n_units: int, n_tuples: int, max_states: int) -> Windows:
    """Allocate arrays for sequences of up to U units and m tuples, and sweeps of `max_states`."""
    history = 64 * max_states + 16 * n_units
    room = 16 * max_states + 1024
    size = TABLE
    while size < 2 * room:
        size *= GROWTH
    table, cleared = np.empty(size, np.int32), np.empty(1, np.int64)
    for h in range(TABLE):
        table[h] = 0
    cleared[0] = TABLE
    return Windows(
        np.empty(n_tuples, np.int64),
        np.empty(n_units, np.int32),
        np.empty(n_units, np.int64),
        np.empty(n_units, np.int32),
        np.empty(n_units, np.int32),
        np.empty(n_units + 2, np.int32),
        np.empty(history, np.int32),
        np.empty(history, np.int32),
        np.empty(room, np.int64),
        np.empty(room),
        np.empty(room, np.int64),
        np.empty(room),
        table,
        cleared,
        np.empty(room, np.int32),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def fill_windows(
    units: Ints, place: Ints32, row: Ints, pointer: Ints, members: Ints32, windows: Windows
) -> None:
    """Fill the words of the tuples of `units`, 0 for tuples that are too long for a word.

    units   int64 (u,): in sweep order
    place   int32 (U,): the place of each unit among `units`
    row     int64 (U + 1,): index of the first tuple whose first member is the unit
    """
    word, last, leaving = windows.word, windows.last, windows.leaving
    leaver, next_leaver = windows.leaver, windows.next_leaver
    n = units.shape[0]
    for i in range(n):
        last[i] = i
        leaving[i] = 0
        leaver[i] = -1
    for i in range(n):
        for t in range(row[units[i]], row[units[i] + 1]):
            bits: Any = np.int64(1)
            for j in range(pointer[t] + 1, pointer[t + 1]):
                ahead = place[members[j]] - i
                bits |= np.int64(1) << min(ahead, BITS)
                last[i + ahead] = i
            last[i] = i
            word[t] = max(bits, 0)
    for i in range(n):
        leaving[last[i]] |= np.int64(1) << min(i - last[i], BITS)
        next_leaver[i] = leaver[last[i]]
        leaver[last[i]] = i
