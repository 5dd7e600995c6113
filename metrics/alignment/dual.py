"""Dual prices of units: the bound that proves an alignment optimal.

With prices y_u >= 0 such that Σ_{u ∈ T} y_u >= saving(T) for every tuple T, no partition saves more
than Σ y; with y_u <= c too, no covering does. The prices minimise Σ y smoothed by an entropy: each
pass sets the price of a unit so that the tuples that contain it (and leaving it alone) get a total
weight of one, at a temperature that falls from pass to pass. A last step without smoothing makes
every constraint hold.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from metrics.alignment.kernel_types import Floats, Ints, Longs

_PASSES_A_SELECTION = 4
_KEPT = 2.0
"""Between two selections, passes see the tuples that cost less than (2 + log crowd) temperatures,
the crowd being how many tuples a unit had at the selection before: together they weigh much."""


@njit(cache=True, nogil=True, error_model="numpy")
def tuples_of_units(n_units: int, pointer: Longs, members: Ints) -> tuple[Longs, Ints]:
    """CSR (row, column): the tuples that each unit belongs to."""
    row = np.zeros(n_units + 1, np.int64)
    for j in range(members.shape[0]):
        row[members[j] + 1] += 1
    for u in range(n_units):
        row[u + 1] += row[u]
    fill = row.copy()
    column = np.empty(members.shape[0], np.int32)
    for t in range(pointer.shape[0] - 1):
        for j in range(pointer[t], pointer[t + 1]):
            column[fill[members[j]]] = t
            fill[members[j]] += 1
    return row, column


@njit(cache=True, nogil=True, error_model="numpy")
def reduced_costs(pointer: Longs, members: Ints, saving: Floats, price: Floats) -> Floats:
    """float64 (m,): Σ price over the tuple - saving; at least 0 when the prices are feasible."""
    cost = np.empty(saving.shape[0])
    for t in range(saving.shape[0]):
        paid = 0.0
        for j in range(pointer[t], pointer[t + 1]):
            paid += price[members[j]]
        cost[t] = paid - saving[t]
    return cost


@njit(cache=True, nogil=True, error_model="numpy")
def share_prices(n_units: int, pointer: Longs, members: Ints, saving: Floats) -> Floats:
    """float64 (U,): the largest share saving/k of a unit in its tuples; feasible prices."""
    price = np.zeros(n_units)
    for t in range(saving.shape[0]):
        share = saving[t] / (pointer[t + 1] - pointer[t])
        for j in range(pointer[t], pointer[t + 1]):
            price[members[j]] = max(price[members[j]], share)
    return price


@njit(cache=True, nogil=True, error_model="numpy")
def dual_prices(
    row: Longs,
    column: Ints,
    pointer: Longs,
    members: Ints,
    saving: Floats,
    warm: Floats,
    c: Floats,
    covering: bool,
    hot: float,
    cold: float,
    n_passes: int,
) -> tuple[Floats, Floats]:
    """Feasible prices float64 (U,) and the reduced costs float64 (m,) that they give.

    row, column  CSR, unit -> its tuples (`tuples_of_units`)
    warm         prices to start from
    hot, cold    temperatures of the first and of the last smoothed pass
    """
    n_units = row.shape[0] - 1
    price = warm.copy()
    cost = reduced_costs(pointer, members, saving, price)
    cooling = (cold / hot) ** (1.0 / max(1, n_passes - 1))
    temperature = hot
    crowd = members.shape[0] / n_units
    for done in range(n_passes):
        if done % _PASSES_A_SELECTION == 0:
            if done > 0:
                cost = reduced_costs(pointer, members, saving, price)
            reach = (_KEPT + math.log(max(1.0, crowd))) * temperature
            near_row, near_column, near_cost = _near(n_units, pointer, members, cost, reach)
            crowd = near_column.shape[0] / n_units
        _smoothed_pass(near_row, near_column, price, near_cost, c, covering, temperature)
        temperature *= cooling
    cost = reduced_costs(pointer, members, saving, price)
    if covering:
        _raise_prices(row, column, pointer, members, price, cost, c)
    for u in range(n_units):  # exact coordinate descent
        change = -price[u]
        for at in range(row[u], row[u + 1]):
            change = max(change, -cost[column[at]])
        price[u] += change
        for at in range(row[u], row[u + 1]):
            cost[column[at]] += change
    for t in range(cost.shape[0]):
        cost[t] = max(cost[t], 0.0)  # what rounding leaves
    return price, cost


@njit(cache=True, nogil=True, error_model="numpy")
def _smoothed_pass(
    row: Longs,
    column: Ints,
    price: Floats,
    cost: Floats,
    c: Floats,
    covering: bool,
    temperature: float,
) -> None:
    """Set the price of each unit in turn; a tuple weighs (1 - cost/16T)^16, much as e^(-cost/T).

    Any weights do: what makes the prices a bound is the last step of `dual_prices`.
    """
    scale = 1.0 / (16.0 * temperature)
    for u in range(row.shape[0] - 1):
        begin, end = row[u], row[u + 1]
        if begin == end:
            continue
        lowest = price[u]
        for at in range(begin, end):
            lowest = min(lowest, cost[column[at]])
        x = 1.0 + (lowest - price[u]) * scale
        mass = 0.0
        if x > 0.5:
            x *= x
            x *= x
            x *= x
            mass = x * x
        for at in range(begin, end):
            x = 1.0 + (lowest - cost[column[at]]) * scale
            if x > 0.5:
                x *= x
                x *= x
                x *= x
                mass += x * x
        change = temperature * math.log(mass) - lowest
        if covering:
            change = min(change, c[u] - price[u])
        price[u] += change
        for at in range(begin, end):
            cost[column[at]] += change


@njit(cache=True, nogil=True, error_model="numpy")
def _near(
    n_units: int, pointer: Longs, members: Ints, cost: Floats, reach: float
) -> tuple[Longs, Ints, Floats]:
    """(row, column, cost) of the tuples that cost less than `reach`: unit -> tuple, CSR."""
    near_pointer = np.empty(cost.shape[0] + 1, np.int64)
    near_members = np.empty(members.shape[0], np.int32)
    near_cost = np.empty(cost.shape[0])
    near_pointer[0] = 0
    n_near, at = 0, 0
    for t in range(cost.shape[0]):
        if cost[t] < reach:
            for j in range(pointer[t], pointer[t + 1]):
                near_members[at] = members[j]
                at += 1
            near_cost[n_near] = cost[t]
            n_near += 1
            near_pointer[n_near] = at
    row, column = tuples_of_units(n_units, near_pointer[: n_near + 1], near_members[:at])
    return row, column, near_cost[:n_near]


@njit(cache=True, nogil=True, error_model="numpy")
def _raise_prices(
    row: Longs,
    column: Ints,
    pointer: Longs,
    members: Ints,
    price: Floats,
    cost: Floats,
    c: Floats,
) -> None:
    """Make reduced costs nonnegative with prices of at most c."""
    for t in range(cost.shape[0]):
        for j in range(pointer[t], pointer[t + 1]):
            if cost[t] >= 0.0:
                break
            u = members[j]
            change = min(-cost[t], c[u] - price[u])
            price[u] += change
            for at in range(row[u], row[u + 1]):
                cost[column[at]] += change
