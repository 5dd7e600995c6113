"""Alignment engine: from the units of any number of continua to their best alignments.

The units of many continua go through one sweep, document after document. Units of different
documents are never paired, so each document is solved separately, without the cost of a call. All
values are relative to Δ∅ (the empty unit costs 1).
"""

from __future__ import annotations

import numpy as np

from ..arrays import Flags, Floats, Ints, Ints32
from ..compiling import njit
from .exact_choice.components_and_branches import (
    connected_components,
    first_tuples,
    select_tuples,
    sweep_components,
    upper_bounds_of_removal,
)
from .exact_choice.dual import dual_prices, optimistic_prices, temperature_unit
from .exact_choice.islands import choose_by_islands
from .exact_choice.window_sweep import choose_by_windows
from .pair_graph import useful_pairs
from .tuple_enumeration import enumerate_tuples

TUPLES_A_UNIT = 600
"""Candidates per unit above which only those that matter are listed (`column_generation`)."""

FEW_ANNOTATORS = 3
"""Number of annotators up to which sweeps of plain costs stay narrow."""

STATES_OF_FEW = 128
"""States of a sweep of plain costs before dual prices are used, with few annotators."""

STATES_OF_MANY = 8
"""The same, with more annotators."""

CROWD = 4
"""Tuples per unit above which sweeps of plain costs are not tried for many annotators."""

PLAIN_STATES = 8
"""States of a sweep of plain costs in slots."""

SCHEDULE = np.array(
    [
        [0.15, 0.05, 14, 1000],
        [0.02, 0.003, 40, 2000],
        [0.01, 0.0015, 80, 3600],
        [0.006, 0.001, 160, 10000],
    ]
)
"""Rounds of the dual: first, last temperature (× `dual.temperature_unit`), passes, sweep states."""

NEAR = 0.2
"""Share of C(n, 2); tuples that cost at most this much above the bound are near it."""


def align(
    arrays: tuple[Floats, Floats, Ints32, Ints32, Floats, Ints, Ints],
    n_annotators: int,
    costs: tuple[int, float, Floats, Floats],
    c: Floats,
    covering: bool,
    max_tuples: int,
    schedule: Floats = SCHEDULE,
) -> tuple[Ints32, Floats, Flags]:
    """Return (units (m, n) in the original order, relative disorders (m,), units unsolved (U,)).

    arrays  arrays of the sweep, see `problem.Sweep`
    costs   kind of position, its weight, category costs, matrix

    The alignment of a document is optimal if none of its units is unsolved. Most documents are
    solved by windows of plain costs; slots and prices follow for the rest.
    """
    owners, order = arrays[3], arrays[6]
    indptr, neighbour, weight = useful_pairs(*arrays, n_annotators, *costs, c)
    pointer, members, saving, reached = enumerate_tuples(
        indptr, neighbour, weight, owners, n_annotators, c, max_tuples
    )
    chosen = np.zeros(len(saving), np.bool_)
    unsolved = np.zeros(len(owners), np.bool_)
    if reached < len(owners):
        unsolved[:] = True
    else:
        worth = upper_bounds_of_removal(
            owners, n_annotators, indptr, neighbour, weight, c, covering
        )
        few = n_annotators <= FEW_ANNOTATORS
        in_slots = covering
        if covering or (not few and len(saving) > CROWD * len(owners)):
            unsolved[:] = True
        else:
            chosen, unsolved, in_slots = choose_by_windows(
                first_tuples(len(owners), pointer, members),
                pointer,
                members,
                saving,
                worth,
                STATES_OF_FEW if few else STATES_OF_MANY,
            )
        if in_slots:
            choose_by_sweep(pointer, members, saving, worth, c, covering, chosen, unsolved)
        if unsolved.any():
            n_rounds = len(schedule)
            if n_annotators == 2 and not covering:
                n_rounds = 1  # linear assignment solves the rest
            rounds = schedule[:n_rounds]
            choose_by_prices(
                pointer, members, saving, worth, c, n_annotators, covering, rounds, chosen, unsolved
            )
    units, disorders = chosen_alignment(
        pointer, members, saving, chosen, owners, order, n_annotators, c
    )
    return units, disorders, unsolved


def choose_by_sweep(
    pointer: Ints,
    members: Ints32,
    saving: Floats,
    worth: Floats,
    c: Floats,
    covering: bool,
    chosen: Flags,
    unsolved: Flags,
) -> None:
    """Sweep the unsolved components at plain costs; modifies `chosen` and `unsolved`."""
    live = unsolved[members[pointer[:-1]]]  # no tuple links unsolved units to others
    index, some_pointer, some_members, some_saving = select_tuples(pointer, members, saving, live)
    row, units = connected_components(len(c), some_pointer, some_members)
    sizes = np.diff(row)
    todo = sizes > 1
    chosen[index] = sweep_components(
        row, units, todo, some_pointer, some_members, some_saving, worth, c, covering, PLAIN_STATES
    )
    unsolved[units] = np.repeat(todo, sizes)


def choose_by_prices(
    pointer: Ints,
    members: Ints32,
    saving: Floats,
    worth: Floats,
    c: Floats,
    n_annotators: int,
    covering: bool,
    schedule: Floats,
    chosen: Flags,
    unsolved: Flags,
) -> None:
    """Choose among the unsolved tuples by dual prices and islands, in rounds of better prices.

    A component with an unsolved island goes through the next round as a whole, because its other
    islands were solved under an assumption about it. Modifies `chosen` and `unsolved`.
    """
    price, degrees = optimistic_prices(worth, c, n_annotators), temperature_unit(n_annotators)
    near = NEAR * 0.5 * n_annotators * (n_annotators - 1)
    index: Ints | slice = slice(None)
    some_pointer, some_members, some_saving = pointer, members, saving
    for hot, cold, n_passes, max_states in schedule:
        if np.count_nonzero(unsolved) < len(c):
            live = unsolved[members[pointer[:-1]]]  # no tuple links unsolved units to others
            index, some_pointer, some_members, some_saving = select_tuples(
                pointer, members, saving, live
            )
        price, cost = dual_prices(
            some_pointer,
            some_members,
            some_saving,
            price,
            c,
            covering,
            hot * degrees,
            cold * degrees,
            int(n_passes),
        )
        chosen[index], left, _, _ = choose_by_islands(
            some_pointer, some_members, cost, price, worth, c, near, covering, int(max_states)
        )
        unsolved.fill(False)
        if not np.count_nonzero(left):
            break
        row, units = connected_components(len(c), some_pointer, some_members)
        todo = np.logical_or.reduceat(left[units], row[:-1])
        unsolved[units] = np.repeat(todo, np.diff(row))


@njit(cache=True, nogil=True, error_model="numpy")
def chosen_alignment(
    pointer: Ints,
    members: Ints32,
    saving: Floats,
    chosen: Flags,
    owners: Ints32,
    order: Ints,
    n_annotators: int,
    c: Floats,
) -> tuple[Ints32, Floats]:
    """Return (units, relative disorders) of the chosen tuples and of the units left alone."""
    n_units, n_tuples = order.shape[0], chosen.shape[0]
    taken, n_taken = np.empty(n_tuples, np.int64), 0
    for t in range(n_tuples):
        taken[n_taken] = t  # no branch, because few tuples are chosen and prediction would fail
        n_taken += chosen[t]
    covered = np.zeros(n_units, np.bool_)
    n_rows = n_units + n_taken
    for i in range(n_taken):
        for j in range(pointer[taken[i]], pointer[taken[i] + 1]):
            n_rows -= not covered[members[j]]
            covered[members[j]] = True
    units = np.full((n_rows, n_annotators), -1, np.int32)
    disorders = np.ones(n_rows)
    n_pairs = 0.5 * n_annotators * (n_annotators - 1)
    row, i = 0, 0
    for u in range(n_units):
        if not covered[u]:
            units[row, owners[u]] = order[u]
            row += 1
        while i < n_taken and members[pointer[taken[i]]] <= u:
            t = taken[i]
            for j in range(pointer[t], pointer[t + 1]):
                units[row, owners[members[j]]] = order[members[j]]
            w = (pointer[t + 1] - pointer[t] - 1) * c[u] - saving[t]
            disorders[row] = max(0.0, (n_pairs + w) / n_pairs)
            row += 1
            i += 1
    return units, disorders
