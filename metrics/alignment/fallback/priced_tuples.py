"""Enumeration of only those unitary alignments that are cheap at given prices.

With many annotators a continuum has millions of undominated tuples (see `candidates`), of which a
few thousand matter. At prices y a tuple T costs Σ y - saving(T) = c + Σ (y - c) + Σ w, summed over
its units and its pairs. The search is the same as in `candidates`: depth-first over the annotators,
from each unit to later units of the sweep. The possible gain of a partial tuple P is bounded by
annotator: each remaining annotator adds at most one unit x, at (y_x - c) + w(x, P) plus half of the
least w of x with each of the other remaining annotators; the other half is counted for their units.
"""

from __future__ import annotations

import math

import numpy as np

from ...arrays import Floats, Ints, Ints32
from ...compiling import njit
from ..pair_graph import copy_with_capacity


@njit(cache=True, nogil=True, error_model="numpy")
def priced_tuples(
    indptr: Ints,
    neighbour: Ints32,
    weight: Floats,
    owners: Ints32,
    n_annotators: int,
    c: Floats,
    price: Floats,
    threshold: float,
    max_tuples: int,
) -> tuple[Ints, Ints32, Floats, Floats, int]:
    """Return the tuples of at least two units under a threshold.

    The result is (pointer, members, saving, cost, reached).

    indptr, neighbour, weight  useful pairs (see `pair_graph`)
    owners, c, price           arrays (U,)
    pointer, members, saving   as in `candidates.enumerate_tuples`
    cost      float64 (m,): Σ price - saving, below the threshold
    reached   U, or the unit at which there were more than `max_tuples`
    """
    n_units, last = owners.shape[0], n_annotators - 1
    capacity = min(4 * n_units + 64, max_tuples)
    pointer = np.zeros(capacity + 1, np.int64)
    saving, cost = np.empty(capacity), np.empty(capacity)
    members = np.empty(n_annotators * capacity, np.int32)
    longest = 0
    for u in range(n_units):
        longest = max(longest, indptr[u + 1] - indptr[u])
    place = np.zeros(n_units, np.int32)
    # the later units of a root, grouped by annotator, are at 1 to m - 1, any other unit at 0
    unit = np.empty(longest + 1, np.int32)
    group = np.empty(longest + 1, np.int32)
    group[0] = last
    start = np.zeros(n_annotators + 1, np.int64)
    fill = np.zeros(n_annotators + 1, np.int64)
    local = np.empty((longest + 1, longest + 1))  # w between these units
    hope = np.empty((longest + 1, n_annotators))  # half Σ over groups >= g of min(0, min w(x, ·))
    # the following arrays are indexed by the number of members of P
    at = np.zeros(n_annotators + 1, np.int64)  # next unit to try
    chosen = np.zeros(n_annotators, np.int64)
    added = np.zeros((n_annotators + 1, longest + 1))  # amount that x would add to the cost of P
    total = np.zeros(n_annotators + 1)
    n_tuples, n_members = 0, 0
    for root in range(n_units):
        first, end = indptr[root], indptr[root + 1]
        before, c_root = n_tuples, c[root]
        for g in range(n_annotators + 1):
            start[g] = 0
        for j in range(first, end):
            g = owners[neighbour[j]] - owners[root]
            start[g if g > 0 else g + n_annotators] += 1
        start[0] = 1
        for g in range(n_annotators):
            start[g + 1] += start[g]
            fill[g] = start[g]
        m = start[last]
        for x in range(m):
            for y in range(m):
                local[x, y] = math.inf
            for g in range(n_annotators):
                hope[x, g] = 0.0
        for j in range(first, end):
            v = neighbour[j]
            g = owners[v] - owners[root] - 1
            g += n_annotators if g < 0 else 0
            x = fill[g]
            fill[g] += 1
            unit[x] = v
            group[x] = g
            place[v] = x
            added[1, x] = price[v] - c_root + weight[j]
        for x in range(1, m):
            for j in range(indptr[unit[x]], indptr[unit[x] + 1]):
                y, w = place[neighbour[j]], weight[j]
                local[x, y] = w
                local[y, x] = w
                hope[x, group[y]] = min(hope[x, group[y]], 0.5 * w)
                hope[y, group[x]] = min(hope[y, group[x]], 0.5 * w)
        for x in range(1, m):
            place[unit[x]] = 0
            hope[x, last] = 0.0
            for g in range(last - 1, -1, -1):
                hope[x, g] += hope[x, g + 1]
        total[1] = price[root]
        bound = price[root]
        for g in range(last):
            least = 0.0
            for x in range(start[g], start[g + 1]):
                least = min(least, added[1, x] + hope[x, 0])
            bound += least
        at[1] = 1
        k = 1 if bound < threshold else 0
        while k > 0:
            x = at[k]
            if x == m:
                k -= 1
                continue
            at[k] += 1
            g = group[x] + 1
            spent = total[k] + added[k, x]
            bound = spent
            for h in range(g, last):
                least = 0.0
                for y in range(start[h], start[h + 1]):
                    more = added[k, y] + local[x, y]
                    added[k + 1, y] = more
                    least = min(least, more + hope[y, g])
                bound += least
            if not bound < threshold:
                continue
            chosen[k] = x
            size = k + 1
            if start[g] < m:
                k += 1
                at[k] = start[g]
                total[k] = spent
            if spent >= threshold:
                continue
            if n_tuples == capacity:
                if capacity == max_tuples:
                    n_members = pointer[before]
                    pointer, members = pointer[: before + 1], members[:n_members]
                    return pointer, members, saving[:before], cost[:before], root
                capacity = min(2 * capacity, max_tuples)
                pointer = copy_with_capacity(pointer, capacity + 1)
                saving, cost = (
                    copy_with_capacity(saving, capacity),
                    copy_with_capacity(cost, capacity),
                )
                members = copy_with_capacity(members, n_annotators * capacity)
            paid = price[root]
            members[n_members] = root
            for b in range(1, size):
                v = unit[chosen[b]]
                members[n_members + b] = v
                paid += price[v]
            n_members += size
            cost[n_tuples] = spent
            saving[n_tuples] = paid - spent
            n_tuples += 1
            pointer[n_tuples] = n_members
    pointer, members = pointer[: n_tuples + 1], members[:n_members]
    return pointer, members, saving[:n_tuples], cost[:n_tuples], n_units
