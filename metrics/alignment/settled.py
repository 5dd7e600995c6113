"""Tuples that every best partition holds, found one by one before any search.

A tuple T is settled when it saves more than any choice of disjoint rivals that could take its
units. A rival meets T in some of its units; the best choice is bounded by cutting the units of T
into groups and giving each group the best rival that meets T in just that group, as if rivals never
met one another elsewhere. Where T saves more than that, any partition without T gets better by
taking T and leaving the other units of the rivals alone. What then meets T is dead, which may
settle others. With two annotators that solves nearly all, with three about half.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from metrics.alignment.dual import tuples_of_units
from metrics.alignment.kernel_types import Flags, Floats, Index, Ints, Longs

_CLEARLY = 1e-9
"""Of the saving: a tuple that saves as much as its rivals is a tie, and is left to the sweep."""


@njit(cache=True, nogil=True, error_model="numpy")
def settled_tuples(
    n_units: int, pointer: Longs, members: Ints, saving: Floats, n_annotators: int
) -> tuple[Flags, Flags]:
    """(settled, live): bool (m,) each, for a partition; a live tuple is still to be decided.

    pointer, members, saving  as `candidates.enumerate_tuples` returns them
    """
    row, column = tuples_of_units(n_units, pointer, members)
    settled = np.zeros(saving.shape[0], np.bool_)
    live = np.ones(saving.shape[0], np.bool_)
    bit = np.zeros(n_units, np.int64)  # of each unit of the tuple in question
    rival = np.zeros(1 << n_annotators)  # group of its units -> the best rival that meets it there
    best = np.zeros(1 << n_annotators)  # set of its units -> the best groups
    for u in range(n_units):
        t = _largest_share(row, column, pointer, saving, live, u)
        if t < 0 or members[pointer[t]] != u:
            continue
        _rivals(row, column, pointer, members, saving, live, t, bit, rival)
        n_sets = 1 << (pointer[t + 1] - pointer[t])
        for units in range(1, n_sets):
            first = units & -units
            others = units ^ first
            most, group = best[others], others
            while True:
                most = max(most, rival[group | first] + best[others ^ group])
                if group == 0:
                    break
                group = (group - 1) & others
            best[units] = most
        if best[n_sets - 1] < saving[t] * (1.0 - _CLEARLY):
            settled[t] = True
            for j in range(pointer[t], pointer[t + 1]):
                for at in range(row[members[j]], row[members[j] + 1]):
                    live[column[at]] = False
    return settled, live


@njit(cache=True, nogil=True, error_model="numpy")
def _largest_share(
    row: Longs, column: Ints, pointer: Longs, saving: Floats, live: Flags, u: Index
) -> int:
    """The live tuple of the unit with the largest saving a unit; -1 for none."""
    found, largest = -1, 0.0
    for at in range(row[u], row[u + 1]):
        t = column[at]
        if live[t]:
            share = saving[t] / (pointer[t + 1] - pointer[t])
            if share > largest:
                found, largest = t, share
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _rivals(
    row: Longs,
    column: Ints,
    pointer: Longs,
    members: Ints,
    saving: Floats,
    live: Flags,
    t: Index,
    bit: Longs,
    rival: Floats,
) -> None:
    """Fill `rival` for the tuple t; `bit` is zero before and after."""
    begin, end = pointer[t], pointer[t + 1]
    for units in range(1 << (end - begin)):
        rival[units] = 0.0
    for j in range(begin, end):
        bit[members[j]] = 1 << (j - begin)
    for j in range(begin, end):
        for at in range(row[members[j]], row[members[j] + 1]):
            other = column[at]
            if live[other] and other != t:
                met = 0
                for i in range(pointer[other], pointer[other + 1]):
                    met |= bit[members[i]]
                rival[met] = max(rival[met], saving[other])
    for j in range(begin, end):
        bit[members[j]] = 0
