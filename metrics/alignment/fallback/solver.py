"""Solver for continua that the compiled fast path leaves unsolved: larger limits, then HiGHS.

If there are too many tuples to list, `column_generation` lists only those that prices require,
which usually solves the continuum. Otherwise components are solved one by one: by linear assignment
for two annotators; else prices are refined in rounds, each followed by the islands with more states
than the fast path allows; then a beam search over the sweep gives an incumbent, tuples whose
reduced cost exceeds the incumbent's distance from the bound are fixed at zero, and the
mixed-integer solver HiGHS solves the rest. The proven gap is the difference between incumbent and
bound.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from ...arrays import Flags, Floats, Ints, Ints32
from ..engine import NEAR, SCHEDULE, chosen_alignment
from ..exact_choice.components_and_branches import (
    connected_components,
    select_tuples,
    sweep_components,
    tuples_to_branch_on,
    upper_bounds_of_removal,
)
from ..exact_choice.dual import dual_prices, optimistic_prices, temperature_unit
from ..exact_choice.islands import GROWTH, choose_by_islands
from ..exact_choice.sweep import NONE_WITHIN, new_sweep_buffers, sweep
from ..kernel_input import RelativeCosts, SweepUnits
from ..pair_graph import useful_pairs
from ..tuple_enumeration import enumerate_tuples
from .column_generation import Tuples, UsefulPairs, choose_by_pricing

MAX_TUPLES_HELD = 8_000_000
"""About 1 GB; beyond, only the best tuples are kept and the gap is not closed."""
_TOLERANCE = 1e-9
EASY_STATES = 64
"""States with which a sweep of plain costs solves easy components."""
BEAM_STATES = 300
BEAM_WORK = 100_000_000
"""States times near tuples: one or two seconds."""
_FACTORS = (1.0, 0.7, 0.5, 0.3, 0.1)  # factors on c


@dataclass(slots=True)
class _Component:
    """A component: its units in sweep order and its tuples."""

    units: Ints
    index: Ints
    pointer: Ints
    members: Ints32
    saving: Floats


def align_unsolved(
    arrays: SweepUnits,
    n_annotators: int,
    costs: RelativeCosts,
    c: Floats,
    covering: bool,
    deadline: float,
    *,
    crowded: bool = True,
) -> tuple[Ints32, Floats, float]:
    """Return (units, relative disorders, gap) of one continuum; see `engine.align`.

    gap       gap of Σ (disorder - rate) relative to Σ disorder, 0 if the alignment is optimal
    deadline  time limit on the clock of `time.monotonic`; `inf` for none
    crowded   whether there may be too many tuples to list
    """
    owners = arrays.owners
    n_pairs = 0.5 * n_annotators * (n_annotators - 1)
    settings = (n_annotators, costs.kind, costs.position_weight, costs.category, costs.matrix)
    indptr, neighbour, weight = useful_pairs(*arrays.kernel_arrays, *settings, c)
    worth = upper_bounds_of_removal(owners, n_annotators, indptr, neighbour, weight, c, covering)
    pairs = UsefulPairs(indptr, neighbour, weight, owners, n_annotators, c)
    pool = None
    if crowded and n_annotators > 2:
        pool = choose_by_pricing(pairs, worth, covering, deadline)
    if pool is not None:
        tuples, most_saved, left_out = pool.tuples, float(pool.price.sum()), pool.threshold
    else:
        tuples, most_saved, left_out = _list_tuples(pairs, covering)
    chosen, distance = (None if pool is None else pool.chosen), 0.0
    proven = chosen is not None
    if chosen is None:
        chosen, distance = _choose_tuples(pairs, tuples, worth, covering, deadline)
    aligned, disorders = chosen_alignment(*tuples, chosen, owners, arrays.order, n_annotators, c)
    total = float(disorders.sum()) * n_pairs
    from_bound = total - (n_pairs - float(c[0])) * len(disorders)
    from_bound -= float(c.sum()) - most_saved
    if not proven and left_out < math.inf and (distance > 0.0 or from_bound > left_out):
        distance = from_bound  # tuples that are not listed could improve it
    gap = min(1.0, distance / total) if distance > _TOLERANCE * max(total, 1.0) else 0.0
    return aligned, disorders, gap


def _choose_tuples(
    pairs: UsefulPairs,
    tuples: Tuples,
    worth: Floats,
    covering: bool,
    deadline: float,
) -> tuple[Flags, float]:
    """Choose the best of the listed tuples: (chosen, distance of their cost from a bound)."""
    owners, n_annotators, c = pairs.owners, pairs.n_annotators, pairs.c
    pointer, members, saving = tuples
    row, units = connected_components(len(c), pointer, members)
    todo = np.diff(row) > 1
    flags = sweep_components(
        row, units, todo, pointer, members, saving, worth, c, covering, EASY_STATES
    )
    distance = 0.0
    for q in np.flatnonzero(todo):
        mine = np.zeros(len(c), dtype=np.bool_)
        mine[units[row[q] : row[q + 1]]] = True
        component = _Component(
            units[row[q] : row[q + 1]],
            *select_tuples(pointer, members, saving, mine[members[pointer[:-1]]]),
        )
        if n_annotators == 2 and not covering:
            picked, gap = _best_matching(component, owners), 0.0
        else:
            picked, gap = _solve_component(component, worth, c, n_annotators, covering, deadline)
        flags[component.index[picked]] = True
        distance += gap
    return flags, distance


def _list_tuples(pairs: UsefulPairs, covering: bool) -> tuple[Tuples, float, float]:
    """Return (tuples, largest possible saving, least cost of an unlisted tuple beyond that).

    Lists all tuples. If there are too many, a smaller constant lists fewer, all of them good; at
    the smallest constant, the list is cut after the first tuples of the sweep.
    """
    arguments = (pairs.indptr, pairs.neighbour, pairs.weight, pairs.owners, pairs.n_annotators)
    c, n_units = pairs.c, len(pairs.owners)
    for factor in _FACTORS:
        pointer, members, saving, reached = enumerate_tuples(
            *arguments, factor * c, MAX_TUPLES_HELD
        )
        if reached == n_units:
            break
    complete = reached == n_units and factor == 1.0
    saving = saving + (np.diff(pointer) - 1) * (1.0 - factor) * c[0]
    most_saved = float(c.sum()) if covering else _pair_bound(pairs)
    return (pointer, members, saving), most_saved, math.inf if complete else 0.0


def _pair_bound(pairs: UsefulPairs) -> float:
    """Return an upper bound on the saving of any partition, over all tuples.

    A tuple of k units saves (k - 1)·c - Σ w <= Σ_u ((n - 1)/n · c + h_u / 2), where h_u is the sum
    over the other annotators of the largest -w with a unit of theirs. Valid for partitions only.
    """
    c, n = pairs.c, pairs.n_annotators
    helped = (
        upper_bounds_of_removal(
            pairs.owners, n, pairs.indptr, pairs.neighbour, pairs.weight, c, False
        )
        - c
    )
    return float((c * (n - 1) / n + 0.5 * helped).sum())


def _best_matching(component: _Component, owners: Ints32) -> Ints:
    """Return the tuples of the best matching of two annotators."""
    from scipy.optimize import linear_sum_assignment  # slow to import, rarely needed

    pairs = component.members.reshape(-1, 2)
    flipped = owners[pairs[:, 0]] == 1
    pairs = np.where(flipped[:, None], pairs[:, ::-1], pairs)
    left, rows = np.unique(pairs[:, 0], return_inverse=True)
    right, columns = np.unique(pairs[:, 1], return_inverse=True)
    saving = np.zeros((len(left), len(right)))
    saving[rows, columns] = component.saving
    tuple_of = np.full(saving.shape, -1, dtype=np.int64)
    tuple_of[rows, columns] = np.arange(len(pairs))
    picked = tuple_of[linear_sum_assignment(saving, maximize=True)]
    return picked[picked >= 0]


def _solve_component(
    component: _Component,
    worth: Floats,
    c: Floats,
    n_annotators: int,
    covering: bool,
    deadline: float,
) -> tuple[Ints, float]:
    """Return (tuples chosen, distance of their cost from the bound: 0 if they are optimal)."""
    pointer, members, saving = component.pointer, component.members, component.saving
    scale = 0.5 * n_annotators * (n_annotators - 1)
    price = optimistic_prices(worth, c, n_annotators)
    bound, seconds_a_pass = -math.inf, 0.0
    for hot, cold, passes, states in SCHEDULE:
        n_passes, begun = int(passes), time.monotonic()
        if seconds_a_pass > 0.0 and begun + n_passes * seconds_a_pass > deadline:
            break
        price, cost = dual_prices(
            pointer,
            members,
            saving,
            price,
            c,
            covering,
            hot * temperature_unit(n_annotators),
            cold * temperature_unit(n_annotators),
            n_passes,
        )
        seconds_a_pass = (time.monotonic() - begun) / n_passes
        # a unit alone costs 0 (partition) or c (covering); `base` is the bound in absolute costs
        base = float(c[component.units].sum()) - float(price[component.units].sum())
        bound = max(bound, base)
        near, n_states = NEAR * scale, 5 * int(states)
        chosen, unsolved, _, _ = choose_by_islands(
            pointer, members, cost, price, worth, c, near, covering, n_states
        )
        if not unsolved.any():
            return np.flatnonzero(chosen), 0.0
    best, distance = _incumbent(component, cost, price, worth, c, scale, covering)
    best_value = base + distance
    if best_value - bound <= _TOLERANCE * scale:
        return best, 0.0
    if time.monotonic() > deadline:
        return best, best_value - bound
    return _mixed_integer(
        component, cost, float(c[0]), scale, covering, best, best_value, bound, base, deadline
    )


def _incumbent(
    component: _Component,
    cost: Floats,
    price: Floats,
    worth: Floats,
    c: Floats,
    scale: float,
    covering: bool,
) -> tuple[Ints, float]:
    """Search with a beam, without costly tuples: (tuples chosen, distance from the bound)."""
    branch = tuples_to_branch_on(len(c), component.pointer, component.members, covering)
    scratch = new_sweep_buffers(len(c))
    threshold, status = NEAR * scale, NONE_WITHIN
    while status == NONE_WITHIN:
        n_near = int(np.count_nonzero(cost <= threshold))
        status, value, n_picked = sweep(
            component.units,
            *branch,
            component.pointer,
            component.members,
            cost,
            price,
            c - price,
            worth - price,
            scratch,
            threshold,
            covering,
            max(1, min(BEAM_STATES, BEAM_WORK // max(1, n_near))),
            True,
        )
        threshold *= GROWTH
    return scratch.picked[:n_picked].astype(np.int64), value


def _mixed_integer(
    component: _Component,
    cost: Floats,
    c: float,
    scale: float,
    covering: bool,
    best: Ints,
    best_value: float,
    bound: float,
    base: float,
    deadline: float,
) -> tuple[Ints, float]:
    """Run HiGHS on the tuples whose reduced cost permits a better choice."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow to import, rarely needed
    from scipy.sparse import csc_array

    units = component.units
    kept = np.flatnonzero(cost <= best_value - base + _TOLERANCE * scale)
    sizes = np.diff(component.pointer)[kept]
    place = np.full(int(units.max()) + 1, -1, dtype=np.int64)
    place[units] = np.arange(len(units))
    spans = [component.members[component.pointer[t] : component.pointer[t + 1]] for t in kept]
    rows = np.concatenate([*(place[span] for span in spans), np.arange(len(units))])
    columns = np.concatenate(
        [np.repeat(np.arange(len(kept)), sizes), len(kept) + np.arange(len(units))]
    )
    n_columns = len(kept) + len(units)
    matrix = csc_array((np.ones(len(rows)), (rows, columns)), shape=(len(units), n_columns))
    absolute = np.concatenate([sizes * c - component.saving[kept], np.full(len(units), c)])
    options: dict[str, float] = {"mip_rel_gap": 0.0}
    if deadline < math.inf:
        options["time_limit"] = max(0.1, deadline - time.monotonic())
    solution = milp(
        absolute,
        constraints=LinearConstraint(matrix, 1.0, np.inf if covering else 1.0),
        integrality=np.ones(n_columns),
        bounds=Bounds(0, 1),
        options=options,
    )
    if solution.mip_dual_bound is not None:
        bound = max(bound, float(solution.mip_dual_bound))
    if solution.x is not None and solution.fun < best_value:
        best, best_value = kept[solution.x[: len(kept)] > 0.5], float(solution.fun)
    if solution.status == 0:
        return best, 0.0
    return best, max(0.0, best_value - bound)
