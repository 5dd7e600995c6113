"""Enumeration of the unitary alignments that can stand in a best alignment.

Depth-first over the annotators, from each unit to later units of the sweep. A tuple T is dominated
when w(A, T∖A) >= c for some part A (see `pair_graph`); a partial tuple is cut as soon as a member b
has w(b, T∖b) + Σ over the annotators still to come of min(0, min w(b, ·)) >= c.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from metrics.alignment.kernel_types import Floats, Ints, Longs
from metrics.alignment.pair_graph import grown_floats, grown_ints, grown_longs


@njit(cache=True, nogil=True, error_model="numpy")
def enumerate_tuples(
    indptr: Longs,
    neighbour: Ints,
    weight: Floats,
    owners: Ints,
    n_annotators: int,
    c: Floats,
    max_tuples: int,
) -> tuple[Longs, Ints, Floats, int]:
    """Undominated tuples of two units and more: (pointer, members, saving, reached).

    pointer   int64 (m + 1,), members int32 (pointer[-1],): tuple t is
              `members[pointer[t]:pointer[t + 1]]`, its first member being the first in the sweep;
              tuples stand in the order of their first members
    saving    float64 (m,): (k - 1)·c - Σ w
    reached   U, or the unit at which there were more than `max_tuples`
    """
    n_units = owners.shape[0]
    if n_annotators == 2 and weight.shape[0] <= max_tuples:
        pointer, members, saving = _pairs(indptr, neighbour, weight, c)
        return pointer, members, saving, n_units
    capacity = 4 * n_units + 64
    pointer = np.zeros(capacity + 1, np.int64)
    saving = np.empty(capacity)
    member_capacity = 4 * capacity
    members = np.empty(member_capacity, np.int32)
    n_tuples, n_members = 0, 0
    longest = 0
    for u in range(n_units):
        longest = max(longest, indptr[u + 1] - indptr[u])
    last = n_annotators - 1
    # the later units of a root, grouped by annotator; the root itself comes last
    place = np.full(n_units, -1, np.int32)
    unit = np.empty(longest + 1, np.int32)
    start = np.zeros(n_annotators + 1, np.int64)
    fill = np.zeros(n_annotators + 1, np.int64)
    local = np.empty((longest + 1) * (longest + 1))  # w between them
    hope = np.empty((longest + 1) * n_annotators)  # Σ over groups >= g of min(0, min w(x, group))
    # one row for each level of the search: an annotator a level
    at = np.zeros(n_annotators + 1, np.int64)
    size = np.zeros(n_annotators + 1, np.int64)
    chosen = np.zeros(n_annotators + 1, np.int64)
    tied = np.zeros((n_annotators + 1, n_annotators))  # w(b, T∖b) of each member b
    total = np.zeros(n_annotators + 1)  # Σ w over the pairs of T
    for root in range(n_units):
        m = indptr[root + 1] - indptr[root]
        if m == 0:
            continue
        c_root = c[root]
        for g in range(n_annotators + 1):
            start[g] = 0
        for j in range(indptr[root], indptr[root + 1]):
            start[(owners[neighbour[j]] - owners[root] - 1) % n_annotators + 1] += 1
        for g in range(n_annotators):
            start[g + 1] += start[g]
            fill[g] = start[g]
        width = m + 1
        for x in range(width * width):
            local[x] = math.inf
        for j in range(indptr[root], indptr[root + 1]):
            v = neighbour[j]
            group = (owners[v] - owners[root] - 1) % n_annotators
            x = fill[group]
            fill[group] += 1
            unit[x] = v
            place[v] = x
            local[x * width + m] = weight[j]
            local[m * width + x] = weight[j]
        unit[m] = root
        if n_annotators > 2:
            for x in range(m):
                for j in range(indptr[unit[x]], indptr[unit[x] + 1]):
                    y = place[neighbour[j]]
                    if y >= 0:
                        local[x * width + y] = weight[j]
                        local[y * width + x] = weight[j]
        for x in range(m):
            place[unit[x]] = -1
        for x in range(width):
            hope[x * n_annotators + last] = 0.0
            for g in range(last - 1, -1, -1):
                lowest = 0.0
                for y in range(start[g], start[g + 1]):
                    lowest = min(lowest, local[x * width + y])
                hope[x * n_annotators + g] = hope[x * n_annotators + g + 1] + lowest
        chosen[0] = m
        level = 0
        at[0] = start[0] - 1  # start[g] - 1 stands for "no unit of this annotator"
        size[0] = 1
        tied[0, 0] = 0.0
        total[0] = 0.0
        while level >= 0:
            x = at[level]
            if x >= start[level + 1]:
                level -= 1
                continue
            at[level] += 1
            k = size[level]
            alive = True
            if x < start[level]:
                for b in range(k):
                    s = tied[level, b]
                    tied[level + 1, b] = s
                    if s + hope[chosen[b] * n_annotators + level + 1] >= c_root:
                        alive = False
                        break
                if not alive:
                    continue
                size[level + 1] = k
                total[level + 1] = total[level]
            else:
                added = 0.0
                for b in range(k):
                    w = local[x * width + chosen[b]]
                    added += w
                    s = tied[level, b] + w
                    tied[level + 1, b] = s
                    if s + hope[chosen[b] * n_annotators + level + 1] >= c_root:
                        alive = False
                        break
                if not alive or added + hope[x * n_annotators + level + 1] >= c_root:
                    continue
                tied[level + 1, k] = added
                chosen[k] = x
                size[level + 1] = k + 1
                total[level + 1] = total[level] + added
            if level + 1 < last:
                level += 1
                at[level] = start[level] - 1
                continue
            k = size[last]
            if k < 2 or (k >= 4 and _splits_in_pairs(tied, last, local, width, chosen, k, c_root)):
                continue
            if n_tuples == max_tuples:
                return pointer[: n_tuples + 1], members[:n_members], saving[:n_tuples], root
            if n_tuples == capacity:
                capacity *= 2
                pointer = grown_longs(pointer, capacity + 1)
                saving = grown_floats(saving, capacity)
            if n_members + k > member_capacity:
                member_capacity *= 2
                members = grown_ints(members, member_capacity)
            saving[n_tuples] = (k - 1) * c_root - total[last]
            for b in range(k):
                members[n_members + b] = unit[chosen[b]]
            n_members += k
            n_tuples += 1
            pointer[n_tuples] = n_members
    return pointer[: n_tuples + 1], members[:n_members], saving[:n_tuples], n_units


@njit(cache=True, nogil=True, error_model="numpy")
def _pairs(indptr: Longs, neighbour: Ints, weight: Floats, c: Floats) -> tuple[Longs, Ints, Floats]:
    """All there is with two annotators: (pointer, members, saving) of the useful pairs."""
    n_pairs = weight.shape[0]
    pointer = np.empty(n_pairs + 1, np.int64)
    members = np.empty(2 * n_pairs, np.int32)
    saving = np.empty(n_pairs)
    pointer[0] = 0
    for u in range(indptr.shape[0] - 1):
        for at in range(indptr[u], indptr[u + 1]):
            members[2 * at] = u
            members[2 * at + 1] = neighbour[at]
            saving[at] = c[u] - weight[at]
            pointer[at + 1] = 2 * at + 2
    return pointer, members, saving


@njit(cache=True, nogil=True, error_model="numpy")
def _splits_in_pairs(
    tied: Floats, level: int, local: Floats, width: int, chosen: Longs, k: int, c: float
) -> bool:
    """Whether w({x, y}, others) >= c for two members x, y."""
    for a in range(k):
        for b in range(a):
            w = local[chosen[a] * width + chosen[b]]
            if tied[level, a] + tied[level, b] - 2.0 * w >= c:
                return True
    return False
