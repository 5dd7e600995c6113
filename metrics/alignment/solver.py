"""From useful pairs to an exact alignment: enumeration, components, sweep, dual.

Everything here is compiled and works on units in sweep order with relative costs (`pair_graph`).
Prices carry both problems: a partition starts from price 0 (a tuple costs minus its saving, a unit
alone costs nothing), a covering from price c (absolute costs); any other feasible prices turn the
costs into reduced costs, and the value of a solution into its distance from the bound.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from metrics.alignment.candidates import enumerate_tuples
from metrics.alignment.dual import dual_prices, reduced_costs, tuples_of_units
from metrics.alignment.sweep import FOUND, NONE_WITHIN, sweep

_FIRST_THRESHOLD = 0.02  # of C(n, 2)


@njit(cache=True, nogil=True)
def components(n_units, pointer, members):
    """CSR (row, units): units linked by tuples, each component in sweep order."""
    label = np.arange(n_units)
    for t in range(pointer.shape[0] - 1):
        a = _representative(label, members[pointer[t]])
        for j in range(pointer[t] + 1, pointer[t + 1]):
            b = _representative(label, members[j])
            if a != b:
                if b < a:
                    a, b = b, a
                label[b] = a
    number = np.empty(n_units, np.int64)
    row = np.zeros(n_units + 1, np.int64)
    n_components = 0
    for u in range(n_units):
        root = _representative(label, u)
        if root == u:
            number[u] = n_components
            n_components += 1
        number[u] = number[root]
        row[number[u] + 1] += 1
    for q in range(n_components):
        row[q + 1] += row[q]
    fill = row[:n_components].copy()
    units = np.empty(n_units, np.int64)
    for u in range(n_units):
        units[fill[number[u]]] = u
        fill[number[u]] += 1
    return row[: n_components + 1], units


@njit(cache=True, nogil=True)
def _representative(label, u):
    while label[u] != u:
        label[u] = label[label[u]]
        u = label[u]
    return u


@njit(cache=True, nogil=True)
def detour_costs(owners, n_annotators, indptr, neighbour, weight, c, covering):
    """float64 (U,): the most that taking a unit out of a tuple can cost, before prices."""
    n_units = owners.shape[0]
    worth = np.full(n_units, c)
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


@njit(cache=True, nogil=True)
def branches(n_units, pointer, members, covering):
    """CSR (row, column), unit -> tuples that the sweep branches on there."""
    if covering:
        return tuples_of_units(n_units, pointer, members)
    n_tuples = pointer.shape[0] - 1
    row = np.zeros(n_units + 1, np.int64)
    for t in range(n_tuples):
        row[members[pointer[t]] + 1] += 1
    for u in range(n_units):
        row[u + 1] += row[u]
    return row, np.arange(n_tuples).astype(np.int32)


@njit(cache=True, nogil=True)
def sweep_components(
    row,
    units,
    todo,
    branch_row,
    branch_column,
    pointer,
    members,
    cost,
    price,
    worth,
    c,
    chosen,
    threshold,
    covering,
    max_states,
):
    """Solve each component of `todo` (bool, changed in place), with growing thresholds.

    Sets `chosen` (bool, one for each tuple) and returns the summed value of those solved now.
    """
    slots = np.full(price.shape[0], -1, np.int64)
    excess = c - price
    free = worth - price
    value = 0.0
    for q in range(row.shape[0] - 1):
        if not todo[q]:
            continue
        mine = units[row[q] : row[q + 1]]
        limit = threshold
        while True:
            status, found, picked = sweep(
                mine,
                branch_row,
                branch_column,
                pointer,
                members,
                cost,
                price,
                excess,
                free,
                slots,
                limit,
                covering,
                max_states,
                False,
            )
            if status != NONE_WITHIN:
                break
            limit *= 4.0
        if status == FOUND:
            todo[q] = False
            value += found
            for t in picked:
                chosen[t] = True
    return value


@njit(cache=True, nogil=True)
def solve(owners, n_annotators, indptr, neighbour, weight, c, covering, max_tuples, n_rounds):
    """The best choice of tuples, as far as the given effort goes.

    Returns (pointer, members, saving, complete, chosen, open_units): the tuples as
    `enumerate_tuples` gives them, bool (m,) those chosen, and the units of the components that
    were left unsolved (none: the choice is optimal; all, when the enumeration is not complete).
    """
    n_units = owners.shape[0]
    pointer, members, saving, complete = enumerate_tuples(
        indptr, neighbour, weight, owners, n_annotators, c, np.zeros(0), 0.0, max_tuples
    )
    chosen = np.zeros(saving.shape[0], np.bool_)
    if not complete:
        return pointer, members, saving, complete, chosen, np.arange(n_units)
    row, units = components(n_units, pointer, members)
    todo = np.empty(row.shape[0] - 1, np.bool_)
    for q in range(todo.shape[0]):
        todo[q] = row[q + 1] - row[q] > 1
    worth = detour_costs(owners, n_annotators, indptr, neighbour, weight, c, covering)
    branch_row, branch_column = branches(n_units, pointer, members, covering)
    price = np.full(n_units, c if covering else 0.0)
    cost = reduced_costs(pointer, members, saving, price)
    max_states = 512 if n_annotators <= 4 else 64
    sweep_components(
        row,
        units,
        todo,
        branch_row,
        branch_column,
        pointer,
        members,
        cost,
        price,
        worth,
        c,
        chosen,
        math.inf,
        covering,
        max_states,
    )
    if not todo.any():
        return pointer, members, saving, complete, chosen, np.empty(0, np.int64)
    # what is left gets prices of its own
    is_open = _open_units(row, units, todo)
    index, sub_pointer, sub_members, sub_saving = tuples_within(pointer, members, saving, is_open)
    sub_chosen = np.zeros(index.shape[0], np.bool_)
    all_row, all_column = tuples_of_units(n_units, sub_pointer, sub_members)
    branch_row, branch_column = branches(n_units, sub_pointer, sub_members, covering)
    price[:] = 0.5 * max(c, 0.1)
    scale = 0.5 * n_annotators * (n_annotators - 1)
    hot, cold, n_passes, max_states = 0.3 * scale, 0.01 * scale, 20, 400
    for _ in range(n_rounds):
        price, cost = dual_prices(
            all_row,
            all_column,
            sub_pointer,
            sub_members,
            sub_saving,
            price,
            c,
            covering,
            hot,
            cold,
            n_passes,
        )
        sweep_components(
            row,
            units,
            todo,
            branch_row,
            branch_column,
            sub_pointer,
            sub_members,
            cost,
            price,
            worth,
            c,
            sub_chosen,
            _FIRST_THRESHOLD * scale,
            covering,
            max_states,
        )
        if not todo.any():
            break
        hot, cold, n_passes, max_states = 3.0 * cold, 0.4 * cold, 2 * n_passes, 3 * max_states
    for t in range(index.shape[0]):
        chosen[index[t]] = sub_chosen[t]
    is_open = _open_units(row, units, todo)
    return pointer, members, saving, complete, chosen, np.flatnonzero(is_open)


@njit(cache=True, nogil=True)
def _open_units(row, units, todo):
    is_open = np.zeros(units.shape[0], np.bool_)
    for q in range(todo.shape[0]):
        if todo[q]:
            for j in range(row[q], row[q + 1]):
                is_open[units[j]] = True
    return is_open


@njit(cache=True, nogil=True)
def tuples_within(pointer, members, saving, is_open):
    """(index, pointer, members, saving) of the tuples whose units are open."""
    n_tuples, n_members = 0, 0
    for t in range(saving.shape[0]):
        if is_open[members[pointer[t]]]:
            n_tuples += 1
            n_members += pointer[t + 1] - pointer[t]
    index = np.empty(n_tuples, np.int64)
    sub_pointer = np.zeros(n_tuples + 1, np.int64)
    sub_members = np.empty(n_members, np.int32)
    i = 0
    for t in range(saving.shape[0]):
        if is_open[members[pointer[t]]]:
            index[i] = t
            k = pointer[t + 1] - pointer[t]
            sub_pointer[i + 1] = sub_pointer[i] + k
            sub_members[sub_pointer[i] : sub_pointer[i + 1]] = members[pointer[t] : pointer[t + 1]]
            i += 1
    return index, sub_pointer, sub_members, saving[index]
