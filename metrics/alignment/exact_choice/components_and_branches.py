"""Parts of the solver between enumeration and sweep: components, branches, detours.

Prices represent both problems. A partition starts from price 0 (a tuple costs minus its saving, a
unit alone costs nothing), a covering from price c (absolute costs). With any other feasible prices,
costs become reduced costs, and the value of a solution is its distance from the bound.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...arrays import Flags, Floats, Ints, Ints32
from ...compiling import njit
from .dual import reduced_costs, tuples_of_units
from .sweep import FOUND, NO, new_sweep_buffers, sweep


@njit(cache=True, nogil=True, error_model="numpy")
def connected_components(n_units: int, pointer: Ints, members: Ints32) -> tuple[Ints, Ints]:
    """Return CSR (row, units): units linked by tuples, each component in sweep order."""
    label = np.empty(n_units, np.int64)
    for u in range(n_units):
        label[u] = u
    for t in range(pointer.shape[0] - 1):
        a: Any = label[members[pointer[t]]]
        while label[a] != a:
            label[a] = label[label[a]]
            a = label[a]
        for j in range(pointer[t] + 1, pointer[t + 1]):
            b: Any = label[members[j]]
            while label[b] != b:
                label[b] = label[label[b]]
                b = label[b]
            if a < b:
                label[b] = a
            elif b < a:
                label[a] = b
                a = b
    number = np.empty(n_units, np.int64)
    row = np.zeros(n_units + 1, np.int64)
    n_components = 0
    for u in range(n_units):
        if label[u] == u:
            number[u] = n_components
            n_components += 1
        else:  # the label is an earlier unit of the component
            number[u] = number[label[u]]
        row[number[u] + 1] += 1
    for q in range(n_components):
        row[q + 1] += row[q]
    fill = row.copy()
    units = np.empty(n_units, np.int64)
    for u in range(n_units):
        units[fill[number[u]]] = u
        fill[number[u]] += 1
    return row[: n_components + 1], units


@njit(cache=True, nogil=True, error_model="numpy")
def upper_bounds_of_removal(
    owners: Ints32,
    n_annotators: int,
    indptr: Ints,
    neighbour: Ints32,
    weight: Floats,
    c: Floats,
    covering: bool,
) -> Floats:
    """float64 (U,): upper bound on the cost of removing a unit from a tuple, before prices."""
    n_units = owners.shape[0]
    worth = c.copy()
    if covering:
        return worth
    lowest = np.zeros((n_units, n_annotators))
    for u in range(n_units):
        for j in range(indptr[u], indptr[u + 1]):
            v = neighbour[j]
            lowest[u, owners[v]] = min(lowest[u, owners[v]], weight[j])
            lowest[v, owners[u]] = min(lowest[v, owners[u]], weight[j])
    for u in range(n_units):
        for r in range(n_annotators):
            worth[u] -= lowest[u, r]
    return worth


@njit(cache=True, nogil=True, error_model="numpy")
def first_tuples(n_units: int, pointer: Ints, members: Ints32) -> Ints:
    """int64 (U + 1,): index of the first tuple whose first member is the unit."""
    row = np.zeros(n_units + 1, np.int64)
    for t in range(pointer.shape[0] - 1):
        row[members[pointer[t]] + 1] += 1
    for u in range(n_units):
        row[u + 1] += row[u]
    return row


@njit(cache=True, nogil=True, error_model="numpy")
def tuples_to_branch_on(
    n_units: int, pointer: Ints, members: Ints32, covering: bool
) -> tuple[Ints, Ints32]:
    """Return CSR (row, column): unit → tuples that the sweep branches on at this unit."""
    if covering:
        return tuples_of_units(n_units, pointer, members)
    row = first_tuples(n_units, pointer, members)
    column = np.empty(row[n_units], np.int32)
    for t in range(row[n_units]):
        column[t] = t
    return row, column


@njit(cache=True, nogil=True, error_model="numpy")
def sweep_components(
    row: Ints,
    units: Ints,
    todo: Flags,
    pointer: Ints,
    members: Ints32,
    saving: Floats,
    worth: Floats,
    c: Floats,
    covering: bool,
    max_states: int,
) -> Flags:
    """bool (m,): tuples chosen in the components that a narrow sweep of plain costs can solve.

    The solved components are removed from `todo` (in place).
    """
    n_units = c.shape[0]
    chosen = np.zeros(saving.shape[0], np.bool_)
    price = c.copy() if covering else np.zeros(n_units)
    cost = reduced_costs(pointer, members, saving, price)
    branch_row, branch_column = tuples_to_branch_on(n_units, pointer, members, covering)
    scratch = new_sweep_buffers(n_units)
    excess, free = np.empty(n_units), np.empty(n_units)
    for u in range(n_units):
        excess[u] = c[u] - price[u]
        free[u] = worth[u] - price[u]
    for q in range(row.shape[0] - 1):
        if not todo[q]:
            continue
        first = units[row[q]]
        if row[q + 1] - row[q] == 2 and branch_row[first + 1] - branch_row[first] == 1:
            t = branch_column[branch_row[first]]
            chosen[t] = cost[t] < price[first] + price[units[row[q] + 1]]
            todo[q] = False
            continue
        status, _, n_picked = sweep(
            units[row[q] : row[q + 1]],
            branch_row,
            branch_column,
            pointer,
            members,
            cost,
            price,
            excess,
            free,
            scratch,
            math.inf,
            covering,
            max_states,
            NO,
        )
        if status == FOUND:
            todo[q] = False
            for i in range(n_picked):
                chosen[scratch.picked[i]] = True
    return chosen


@njit(cache=True, nogil=True, error_model="numpy")
def count_true(flags: Flags) -> int:
    """Return the number of flags that are set."""
    n = 0
    for i in range(flags.shape[0]):
        n += flags[i]
    return n


@njit(cache=True, nogil=True, error_model="numpy")
def select_tuples(
    pointer: Ints, members: Ints32, saving: Floats, kept: Flags
) -> tuple[Ints, Ints, Ints32, Floats]:
    """Return (index, pointer, members, saving) of the tuples that are `kept` (bool (m,))."""
    n_tuples, n_members = 0, 0
    for t in range(saving.shape[0]):
        if kept[t]:
            n_tuples += 1
            n_members += pointer[t + 1] - pointer[t]
    index = np.empty(n_tuples, np.int64)
    sub_pointer = np.zeros(n_tuples + 1, np.int64)
    sub_members = np.empty(n_members, np.int32)
    sub_saving = np.empty(n_tuples)
    i, at = 0, 0
    for t in range(saving.shape[0]):
        if kept[t]:
            for j in range(pointer[t], pointer[t + 1]):
                sub_members[at] = members[j]
                at += 1
            index[i] = t
            sub_saving[i] = saving[t]
            i += 1
            sub_pointer[i] = at
    return index, sub_pointer, sub_members, sub_saving
