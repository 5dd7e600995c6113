"""Enumeration of the unitary alignments that can stand in a best alignment.

Depth-first over the annotators, from each unit to later units of the sweep. A tuple T is dominated
when w(A, T∖A) >= c for some part A (see `pair_graph`); a partial tuple is cut as soon as a member b
has w(b, T∖b) + Σ over the annotators still to come of min(0, min w(b, ·)) >= c.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from metrics.alignment.pair_graph import _grown_float64, _grown_int32


@njit(cache=True, nogil=True)
def enumerate_tuples(indptr, neighbour, weight, owners, n_annotators, c, price, slack, max_tuples):
    """Undominated tuples of two units and more: (pointer, members, saving, complete).

    pointer   int64 (m + 1,), members int32 (pointer[-1],): tuple t is
              `members[pointer[t]:pointer[t + 1]]`, its first member being the first in the sweep;
              tuples stand in the order of their first members
    saving    float64 (m,): (k - 1)·c - Σ w
    price     float64 (U,) dual prices, or an empty array. With prices, only the tuples whose
              reduced cost Σ price - saving is at most `slack`
    complete  whether there were no more than `max_tuples`
    """
    n_units = owners.shape[0]
    priced = price.shape[0] > 0
    capacity = 8 * n_units + 64
    pointer = np.zeros(capacity + 1, np.int64)
    saving = np.empty(capacity)
    member_capacity = 4 * capacity
    members = np.empty(member_capacity, np.int32)
    n_tuples = 0
    n_members = 0
    local_of = np.full(n_units, -1, np.int32)
    last = n_annotators - 1
    # one row for each level of the search (one annotator a level)
    at = np.zeros(n_annotators + 1, np.int64)
    size = np.zeros(n_annotators + 1, np.int64)
    chosen = np.zeros(n_annotators + 1, np.int64)
    tied = np.zeros((n_annotators + 1, n_annotators))  # w(b, T∖b) of each member b
    total = np.zeros(n_annotators + 1)  # Σ w over the pairs of T
    paid = np.zeros(n_annotators + 1)  # Σ price over T
    start = np.zeros(n_annotators + 2, np.int64)
    fill = np.zeros(n_annotators + 1, np.int64)
    for root in range(n_units):
        m = indptr[root + 1] - indptr[root]
        if m == 0:
            continue
        # later units, grouped by annotator counted from the root's own: 0..n-2; the root is m
        start[:] = 0
        for j in range(indptr[root], indptr[root + 1]):
            group = (owners[neighbour[j]] - owners[root] - 1) % n_annotators
            start[group + 1] += 1
        for g in range(n_annotators):
            start[g + 1] += start[g]
            fill[g] = start[g]
        unit = np.empty(m + 1, np.int32)
        group_of = np.empty(m + 1, np.int64)
        local = np.full((m + 1, m + 1), math.inf)
        for j in range(indptr[root], indptr[root + 1]):
            v = neighbour[j]
            group = (owners[v] - owners[root] - 1) % n_annotators
            x = fill[group]
            fill[group] += 1
            unit[x] = v
            group_of[x] = group
            local_of[v] = x
            local[x, m] = weight[j]
            local[m, x] = weight[j]
        unit[m] = root
        for x in range(m):
            for j in range(indptr[unit[x]], indptr[unit[x] + 1]):
                y = local_of[neighbour[j]]
                if y >= 0:
                    local[x, y] = weight[j]
                    local[y, x] = weight[j]
        for x in range(m):
            local_of[unit[x]] = -1
        # hope[x, g]: Σ over groups >= g of min(0, min w(x, units of the group))
        hope = np.zeros((m + 1, n_annotators + 1))
        for x in range(m + 1):
            for g in range(last - 1, -1, -1):
                lowest = 0.0
                for y in range(start[g], start[g + 1]):
                    if local[x, y] < lowest:
                        lowest = local[x, y]
                hope[x, g] = hope[x, g + 1] + lowest
        chosen[0] = m
        level = 0
        at[0] = start[0] - 1  # start[g] - 1 stands for "no unit of this annotator"
        size[0] = 1
        tied[0, 0] = 0.0
        total[0] = 0.0
        paid[0] = price[root] if priced else 0.0
        while level >= 0:
            if at[level] >= start[level + 1]:
                level -= 1
                continue
            x = at[level]
            at[level] += 1
            k = size[level]
            alive = True
            if x < start[level]:
                for b in range(k):
                    tied[level + 1, b] = tied[level, b]
                    if tied[level, b] + hope[chosen[b], level + 1] >= c:
                        alive = False
                        break
                if not alive:
                    continue
                size[level + 1] = k
                total[level + 1] = total[level]
                paid[level + 1] = paid[level]
            else:
                added = 0.0
                for b in range(k):
                    w = local[x, chosen[b]]
                    added += w
                    tied[level + 1, b] = tied[level, b] + w
                    if tied[level + 1, b] + hope[chosen[b], level + 1] >= c:
                        alive = False
                        break
                if not alive or added + hope[x, level + 1] >= c:
                    continue
                tied[level + 1, k] = added
                chosen[k] = x
                size[level + 1] = k + 1
                total[level + 1] = total[level] + added
                paid[level + 1] = paid[level] + (price[unit[x]] if priced else 0.0)
            level += 1
            if level < last:
                at[level] = start[level] - 1
                continue
            k = size[level]
            gain = (k - 1) * c - total[level]
            level -= 1
            if k < 2 or (priced and paid[level + 1] - gain > slack):
                continue
            if k >= 4 and _splits_in_pairs(tied[level + 1], local, chosen, k, c):
                continue
            if n_tuples == max_tuples:
                return pointer[: n_tuples + 1], members[:n_members], saving[:n_tuples], False
            if n_tuples == capacity:
                capacity *= 2
                pointer = _grown_int64(pointer, capacity + 1)
                saving = _grown_float64(saving, capacity)
            if n_members + k > member_capacity:
                member_capacity *= 2
                members = _grown_int32(members, member_capacity)
            saving[n_tuples] = gain
            members[n_members] = root
            for b in range(1, k):
                members[n_members + b] = unit[chosen[b]]
            n_members += k
            n_tuples += 1
            pointer[n_tuples] = n_members
    return pointer[: n_tuples + 1], members[:n_members], saving[:n_tuples], True


@njit(cache=True, nogil=True)
def _splits_in_pairs(tied, local, chosen, k, c):
    """Whether w({x, y}, others) >= c for two members x, y."""
    for a in range(k):
        for b in range(a):
            if tied[a] + tied[b] - 2.0 * local[chosen[a], chosen[b]] >= c:
                return True
    return False


@njit(cache=True, nogil=True)
def _grown_int64(array, capacity):
    larger = np.empty(capacity, np.int64)
    larger[: array.shape[0]] = array
    return larger
