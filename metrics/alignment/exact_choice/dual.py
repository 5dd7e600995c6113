"""Dual prices of units: the bound that proves an alignment optimal.

With prices y_u >= 0 such that Σ_{u ∈ T} y_u >= saving(T) for every tuple T, no partition saves more
than Σ y; if also y_u <= c, no covering does. The prices minimise Σ y smoothed by an entropy: each
pass sets the price of a unit so that the tuples that contain it, and the option to leave it alone,
have a total weight of one, at a temperature that falls from pass to pass. A last step without
smoothing makes every constraint hold.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...arrays import Floats, Ints, Ints32
from ...compiling import njit

_PASSES_A_SELECTION = 3
_SELECTIONS_AMONG_ALL = 2  # every second one; the others select from the one before
_KEPT = 1.6
"""Passes use the tuples that cost less than (1.6 + log crowd) temperatures, where crowd is the
number of tuples per unit in the previous selection: many tuples have a large total weight."""

_OVERSHOOT = 1.2
"""Each price moves beyond its optimum for the given others, because its neighbours will follow."""

_FINAL = 0.2
"""The last step considers tuples up to this share of the largest c."""


class _Near(NamedTuple):
    """Tuples selected for a pass, each at a place."""

    paid: Floats  # all tuples: reduced cost at the last selection from all
    tuple_at: Ints32  # place: tuple
    cost: Floats  # place: reduced cost
    row: Ints  # (U + 3,): CSR, unit -> places
    column: Ints32


@njit(cache=True, nogil=True, error_model="numpy")
def tuples_of_units(n_units: int, pointer: Ints, members: Ints32) -> tuple[Ints, Ints32]:
    """Return CSR (row, column): the tuples that each unit belongs to."""
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
def reduced_costs(pointer: Ints, members: Ints32, saving: Floats, price: Floats) -> Floats:
    """float64 (m,): Σ price over the tuple - saving; non-negative if the prices are feasible."""
    cost = np.empty(saving.shape[0])
    for t in range(saving.shape[0]):
        paid = 0.0
        for j in range(pointer[t], pointer[t + 1]):
            paid += price[members[j]]
        cost[t] = paid - saving[t]
    return cost


def optimistic_prices(worth: Floats, c: Floats, n_annotators: int) -> Floats:
    """float64 (U,): upper bound on the saving of each unit, with half of each of its best pairs.

    Feasible for partitions with saving(T) = (k - 1)·c - Σ w, because Σ w is half of the sum, over
    the units, of w of their pairs. `worth` is from `solver.detour_costs`.
    """
    return (n_annotators - 1) / n_annotators * c + 0.5 * (worth - c)


def temperature_unit(n_annotators: int) -> float:
    """Unit of the temperatures: C(n, 2) for four annotators, less than C(n, 2) for more.

    The number of tuples near the bound grows faster than their cost: with C(n, 2), the first passes
    for ten annotators would select most of millions of tuples.
    """
    return float(0.75 * n_annotators**1.5)


@njit(cache=True, nogil=True, error_model="numpy")
def dual_prices(
    pointer: Ints,
    members: Ints32,
    saving: Floats,
    warm: Floats,
    c: Floats,
    covering: bool,
    hot: float,
    cold: float,
    n_passes: int,
) -> tuple[Floats, Floats]:
    """Return feasible prices float64 (U,) and the resulting reduced costs float64 (m,).

    warm         initial prices
    hot, cold    temperatures of the first and the last smoothed pass
    """
    n_units, n_tuples = warm.shape[0], saving.shape[0]
    price = np.zeros(n_units + 1)  # the last entry is for no unit
    for u in range(n_units):
        price[u] = warm[u]
    padded = _padded_members(n_units, pointer, members)
    near = _Near(
        np.empty(n_tuples),
        np.empty(n_tuples, np.int32),
        np.empty(n_tuples),
        np.empty(n_units + 3, np.int64),
        np.empty(padded.size, np.int32),
    )
    cooling = (cold / hot) ** (1.0 / max(1, n_passes - 1))
    temperature, n_near = hot, 0
    crowd = members.shape[0] / n_units
    for done in range(n_passes):
        if done % _PASSES_A_SELECTION == 0:
            among_all = done // _PASSES_A_SELECTION % _SELECTIONS_AMONG_ALL == 0
            n_seen = n_tuples if among_all else n_near
            reach = (_KEPT + math.log(max(1.0, crowd))) * temperature
            n_near = _select_cheap_tuples(padded, saving, price, reach, n_seen, near)
            crowd = near.row[n_units] / n_units
        _smoothed_pass(near.row, near.column, price, near.cost, c, covering, temperature)
        temperature *= cooling
    if covering:
        row, column = tuples_of_units(n_units, pointer, members)
        cost = reduced_costs(pointer, members, saving, price)
        _raise_prices(row, column, pointer, members, price, cost, c)
    _descend_prices(padded, saving, price, c, near)
    cost = near.paid
    _add_up(padded, saving, price, cost)
    for t in range(n_tuples):
        cost[t] = max(cost[t], 0.0)  # negative values are rounding errors
    return price[:n_units], cost


@njit(cache=True, nogil=True, error_model="numpy")
def _padded_members(n_units: int, pointer: Ints, members: Ints32) -> Ints32:
    """int32 (longest, m): the members of each tuple, padded with U.

    A loop over tuples, member by member, has no branches and is vectorised.
    """
    n_tuples, longest = pointer.shape[0] - 1, 1
    for t in range(n_tuples):
        longest = max(longest, pointer[t + 1] - pointer[t])
    padded = np.full((longest, n_tuples), n_units, np.int32)
    for t in range(n_tuples):
        for j in range(pointer[t], pointer[t + 1]):
            padded[j - pointer[t], t] = members[j]
    return padded


@njit(cache=True, nogil=True, error_model="numpy")
def _add_up(padded: Ints32, saving: Floats, price: Floats, paid: Floats) -> None:
    """Write the reduced costs of all tuples to `paid`."""
    for t in range(saving.shape[0]):
        paid[t] = -saving[t]
    for j in range(padded.shape[0]):
        member = padded[j]
        for t in range(saving.shape[0]):
            paid[t] += price[member[t]]


@njit(cache=True, nogil=True, error_model="numpy")
def _select_cheap_tuples(
    padded: Ints32, saving: Floats, price: Floats, reach: float, n_seen: int, near: _Near
) -> int:
    """Fill `near` with the tuples that cost less than `reach`; return their number.

    n_seen  number of all tuples, or of the tuples in `near`, to select only among those
    """
    n_units, longest = price.shape[0] - 1, padded.shape[0]
    tuple_at, cost, row, column = near.tuple_at, near.cost, near.row, near.column
    among_all = n_seen == saving.shape[0]
    n_near = 0
    if among_all:
        _add_up(padded, saving, price, near.paid)
        for t in range(n_seen):
            tuple_at[n_near] = t
            cost[n_near] = near.paid[t]
            n_near += near.paid[t] < reach
    else:
        for i in range(n_seen):
            t = tuple_at[i]
            paid = -saving[t]
            for j in range(longest):
                paid += price[padded[j, t]]
            tuple_at[n_near] = t
            cost[n_near] = paid
            n_near += paid < reach
    row[:] = 0
    for i in range(n_near):
        for j in range(longest):
            row[padded[j, tuple_at[i]] + 2] += 1
    for u in range(n_units + 1):
        row[u + 2] += row[u + 1]
    for i in range(n_near):
        for j in range(longest):
            u = padded[j, tuple_at[i]]
            column[row[u + 1]] = i
            row[u + 1] += 1
    return n_near


@njit(cache=True, nogil=True, error_model="numpy")
def _smoothed_pass(
    row: Ints,
    column: Ints32,
    price: Floats,
    cost: Floats,
    c: Floats,
    covering: bool,
    temperature: float,
) -> None:
    """Update the price of each unit in turn; a tuple has weight (1 - cost/16T)^16 ≈ e^(-cost/T).

    Any weights will do, and any increasing function of their sum that is 0 at 1, because the last
    step of `dual_prices` makes the prices a bound. The function used stays within ±3, so no pass
    changes a price by more than a few temperatures, and the cheapest tuple need not be found first.
    """
    scale = 1.0 / (16.0 * temperature)
    for u in range(price.shape[0] - 1):
        begin, end = row[u], row[u + 1]
        if begin == end:
            price[u] = max(0.0, price[u] - temperature)
            continue
        x = max(0.0, 1.0 - price[u] * scale)
        x *= x
        x *= x
        x *= x
        mass = x * x
        for at in range(begin, end):
            x = max(0.0, 1.0 - cost[column[at]] * scale)
            x *= x
            x *= x
            x *= x
            mass += x * x
        surplus = 3.0 * (mass * mass - 1.0) / (mass * mass + 4.0 * mass + 1.0)  # ≈ log(mass)
        change = _OVERSHOOT * temperature * surplus
        if covering:
            change = min(change, c[u] - price[u])
        price[u] += change
        for at in range(begin, end):
            cost[column[at]] += change


@njit(cache=True, nogil=True, error_model="numpy")
def _descend_prices(padded: Ints32, saving: Floats, price: Floats, c: Floats, near: _Near) -> None:
    """Make the prices feasible, each as low as the others permit; modifies `price`.

    Only cheap tuples are considered: no price falls so far that any other tuple, over all its
    members, could get a negative cost.
    """
    reach = 0.0
    for u in range(c.shape[0]):
        reach = max(reach, _FINAL * c[u])
    _select_cheap_tuples(padded, saving, price, reach, saving.shape[0], near)
    for u in range(c.shape[0]):
        change = max(-price[u], -reach / padded.shape[0])
        for at in range(near.row[u], near.row[u + 1]):
            change = max(change, -near.cost[near.column[at]])
        price[u] += change
        for at in range(near.row[u], near.row[u + 1]):
            near.cost[near.column[at]] += change


@njit(cache=True, nogil=True, error_model="numpy")
def _raise_prices(
    row: Ints,
    column: Ints32,
    pointer: Ints,
    members: Ints32,
    price: Floats,
    cost: Floats,
    c: Floats,
) -> None:
    """Make reduced costs non-negative with prices of at most c."""
    for t in range(cost.shape[0]):
        for j in range(pointer[t], pointer[t + 1]):
            if cost[t] >= 0.0:
                break
            u = members[j]
            change = min(-cost[t], c[u] - price[u])
            price[u] += change
            for at in range(row[u], row[u + 1]):
                cost[column[at]] += change
