"""Exact alignments of many annotators, listing only the tuples that prices require.

This is column generation. Prices are computed for a pool of tuples, tuples outside the pool with a
negative cost are added, and so on until there are none: then the prices bound every alignment. The
pool then has all tuples under a threshold, and islands (see `islands`) choose among them. A tuple
that was never listed can only help if it costs less than all the islands that it touches, so the
choice is proven if no tuple can touch islands that together cost as much as the threshold.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from ...arrays import Flags, Floats, Ints, Ints32
from ..engine import NEAR, SCHEDULE
from ..exact_choice.components_and_branches import select_tuples
from ..exact_choice.dual import dual_prices, optimistic_prices, temperature_unit
from ..exact_choice.islands import choose_by_islands
from .priced_tuples import priced_tuples

MAX_LISTED = 300_000
"""Limit on the tuples listed at once; above it, a lower threshold is tried."""

_FIRST, _WIDER = 8, 1.5  # tuples per unit in the first pool; growth of the threshold until then
_BEYOND = 1.1  # margin on the threshold, because islands that are swept again may cost more
_ROUNDS, _NARROWER = 60, 5
_ROUNDING = 1e-9

Tuples = tuple[Ints, Ints32, Floats]


@dataclass(frozen=True, slots=True)
class UsefulPairs:
    """Useful pairs of one continuum (see `pair_graph`), from which its tuples are built."""

    indptr: Ints
    neighbour: Ints32
    weight: Floats
    owners: Ints32
    n_annotators: int
    c: Floats

    def tuples_below(self, price: Floats, threshold: float) -> tuple[Tuples, Floats, bool]:
        """Return (tuples below the threshold, their costs, whether the list is complete)."""
        pointer, members, saving, cost, reached = priced_tuples(
            self.indptr,
            self.neighbour,
            self.weight,
            self.owners,
            self.n_annotators,
            self.c,
            price,
            threshold,
            MAX_LISTED,
        )
        return (pointer, members, saving), cost, reached == len(self.owners)


@dataclass(frozen=True, slots=True)
class TuplePool:
    """A pool of tuples, prices at which no tuple at all has a negative cost, and a choice.

    threshold  lower bound on the cost of tuples outside the pool
    chosen     bool (m,), None if no choice is proven to be optimal
    """

    tuples: Tuples
    price: Floats
    threshold: float
    chosen: Flags | None


def choose_by_pricing(
    pairs: UsefulPairs, worth: Floats, covering: bool, deadline: float
) -> TuplePool | None:
    """Choose the best of all tuples; None if no valid prices were found in time.

    worth     float64 (U,), from `solver.detour_costs`
    deadline  time limit on the clock of `time.monotonic`
    """
    c, n = pairs.c, pairs.n_annotators
    near = threshold = NEAR * 0.5 * n * (n - 1)
    begin = optimistic_prices(worth, c, n)
    if covering:
        begin = np.minimum(begin, c)
    pool = _first_pool(pairs, begin, near)
    found: TuplePool | None = None
    for hot, cold, n_passes, max_states in SCHEDULE:
        temperatures = (hot * temperature_unit(n), cold * temperature_unit(n), int(n_passes))
        for _ in range(_ROUNDS):
            if time.monotonic() > deadline:
                return found
            price, cost = dual_prices(*pool, begin, c, covering, *temperatures)
            pool, cost, complete = _extend_pool(pairs, pool, cost, price, threshold)
            if cost.min(initial=0.0) > -_ROUNDING * near:
                break
        else:
            return found
        found = TuplePool(pool, price, threshold if complete else 0.0, None)
        if not complete:
            return found
        while True:
            chosen, unsolved, home, value = choose_by_islands(
                *pool[:2], np.maximum(cost, 0.0), price, worth, c, near, covering, int(max_states)
            )
            if unsolved.any():
                break
            asked = _dearest_meeting(pairs, home, value)
            if asked <= threshold:
                return TuplePool(pool, price, threshold, chosen)
            wider, wider_cost, complete = pairs.tuples_below(price, _BEYOND * asked)
            if not complete:  # prices at a lower temperature may need fewer tuples
                break
            pool, cost, threshold = wider, wider_cost, _BEYOND * asked
        begin = price
    return found


def _first_pool(pairs: UsefulPairs, price: Floats, threshold: float) -> Tuples:
    """Return a few tuples per unit, those with the least reduced cost."""
    pool, _, complete = pairs.tuples_below(price, threshold)
    while complete and len(pool[2]) < _FIRST * len(pairs.owners) and threshold < math.inf:
        threshold *= _WIDER
        if threshold > 2.0 * float(price.sum()):
            threshold = math.inf
        pool, _, complete = pairs.tuples_below(price, threshold)
    return pool


def _extend_pool(
    pairs: UsefulPairs, pool: Tuples, cost: Floats, price: Floats, threshold: float
) -> tuple[Tuples, Floats, bool]:
    """Return (pool with all tuples below the threshold, its costs, whether all of them fit).

    If they do not fit, only the cheapest ones are added.
    """
    new, new_cost, complete = pairs.tuples_below(price, threshold)
    at, listed, lowest = threshold, complete, new_cost.min(initial=0.0)
    for _ in range(_NARROWER):
        if listed:
            break
        at = 0.5 * (min(at, 0.0) + lowest)
        new, new_cost, listed = pairs.tuples_below(price, at)
        lowest = min(lowest, new_cost.min(initial=0.0))
    if not listed:  # keep the whole pool: duplicates do no harm
        at = -math.inf
    index, pointer, members, saving = select_tuples(*pool, cost >= at)
    return (*_join_tuples((pointer, members, saving), new, cost[index], new_cost), complete)


def _join_tuples(a: Tuples, b: Tuples, cost_a: Floats, cost_b: Floats) -> tuple[Tuples, Floats]:
    """Join two lists of tuples, sorted by first member, and their costs."""
    pointer = np.concatenate([a[0], b[0][1:] + a[0][-1]])
    members, saving = np.concatenate([a[1], b[1]]), np.concatenate([a[2], b[2]])
    order = np.argsort(members[pointer[:-1]], kind="stable")
    sizes = np.diff(pointer)[order]
    begin = np.concatenate([[0], np.cumsum(sizes)])
    places = np.repeat(pointer[:-1][order] - begin[:-1], sizes) + np.arange(len(members))
    cost = np.concatenate([cost_a, cost_b])[order]
    return (begin, members[places], saving[order]), cost


def _dearest_meeting(pairs: UsefulPairs, home: Ints, value: Floats) -> float:
    """Return an upper bound on the total cost of the islands that any tuple touches.

    home, value  from `choose_by_islands`
    """
    n_units = len(pairs.owners)
    root = np.repeat(np.arange(n_units), np.diff(pairs.indptr))
    met = home[pairs.neighbour]
    elsewhere = met != home[root]
    root, met = np.divmod(np.unique(root[elsewhere] * n_units + met[elsewhere]), n_units)
    dearest_first = np.lexsort((-value[met], root))
    root, met = root[dearest_first], met[dearest_first]
    rank = np.arange(len(root)) - np.searchsorted(root, root)
    among_others = np.where(rank < pairs.n_annotators - 1, value[met], 0.0)
    return float((value[home] + np.bincount(root, among_others, minlength=n_units)).max())
