"""Enumeration of the unitary alignments that can be part of a best alignment.

The search is depth-first over the annotators, from each unit to later units of the sweep. A tuple T
is dominated if w(A, T∖A) >= c for some part A (see `pair_graph`); a partial tuple is pruned as soon
as it has a member b with w(b, T∖b) + Σ min(0, min w(b, ·)) >= c, summed over the remaining
annotators.
"""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..compiling import njit
from .continuum import Index
from .pair_graph import copy_with_capacity


@njit(cache=True, nogil=True, error_model="numpy")
def enumerate_tuples(
    indptr: Ints,
    neighbour: Ints32,
    weight: Floats,
    owners: Ints32,
    n_annotators: int,
    c: Floats,
    max_tuples: int,
) -> tuple[Ints, Ints32, Floats, int]:
    """Return the undominated tuples of at least two units: (pointer, members, saving, reached).

    pointer   int64 (m + 1,), members int32 (pointer[-1],): tuple t is
              `members[pointer[t]:pointer[t + 1]]`; its first member is the first in the sweep, and
              tuples are sorted by first member
    saving    float64 (m,): (k - 1)·c - Σ w
    reached   U, or the unit at which there were more than `max_tuples`
    """
    n_units = owners.shape[0]
    if n_annotators == 2 and weight.shape[0] <= max_tuples:
        pointer, members, saving = _useful_pairs_of_two_annotators(indptr, neighbour, weight, c)
        return pointer, members, saving, n_units
    capacity = 4 * n_units + 64
    pointer = np.zeros(capacity + 1, np.int64)
    saving = np.empty(capacity)
    members = np.empty(n_annotators * capacity, np.int32)
    longest = 0
    for u in range(n_units):
        longest = max(longest, indptr[u + 1] - indptr[u])
    place = np.zeros(n_units, np.int32)
    n_tuples, root = 0, 0
    while True:  # growing the arrays inside the kernel would slow down filling them
        room = min(capacity, max_tuples)
        pairs = (indptr, neighbour, weight, owners)
        if n_annotators == 3:
            n_tuples, root = _search_triples(
                root, n_tuples, room, *pairs, c, pointer, members, saving
            )
        else:
            n_tuples, root = _search_tuples(
                root,
                n_tuples,
                room,
                *pairs,
                n_annotators,
                c,
                longest,
                place,
                pointer,
                members,
                saving,
            )
        if root == n_units or capacity >= max_tuples:
            break
        capacity *= 2
        pointer = copy_with_capacity(pointer, capacity + 1)
        saving = copy_with_capacity(saving, capacity)
        members = copy_with_capacity(members, n_annotators * capacity)
    return pointer[: n_tuples + 1], members[: pointer[n_tuples]], saving[:n_tuples], root


@njit(cache=True, nogil=True, error_model="numpy")
def _search_tuples(
    begin: Index,
    n_tuples: int,
    room: int,
    indptr: Ints,
    neighbour: Ints32,
    weight: Floats,
    owners: Ints32,
    n_annotators: int,
    c: Floats,
    longest: int,
    place: Ints32,
    pointer: Ints,
    members: Ints32,
    saving: Floats,
) -> tuple[int, int]:
    """Add the tuples of the roots from `begin` on; return (number of tuples, first root not done).

    The search stops at the first root whose tuples do not fit in the buffer.
    """
    n_units = owners.shape[0]
    n_members = pointer[n_tuples]
    last = n_annotators - 1
    # the later units of a root, grouped by annotator, are at 1 to m - 1 and the root is at m;
    # index 0 is for any other unit: it is written but never read
    unit = np.empty(longest + 2, np.int32)
    group = np.empty(longest + 2, np.int32)
    group[0] = last
    start = np.zeros(n_annotators + 1, np.int64)
    fill = np.zeros(n_annotators + 1, np.int64)
    local = np.empty((longest + 2) * (longest + 2))  # w between these units
    hope = np.empty((longest + 2) * n_annotators)  # Σ over groups >= g of min(0, min w(x, group))
    # the following arrays are indexed by the number of members of T
    at = np.zeros(n_annotators + 1, np.int64)  # next unit to try
    chosen = np.zeros(n_annotators, np.int64)
    tied = np.zeros((n_annotators + 1, n_annotators))  # w(b, T∖b) of each member b
    total = np.zeros(n_annotators + 1)  # Σ w over the pairs of T
    in_order = _rows_are_in_sweep_order(indptr, neighbour)
    for root in range(begin, n_units):
        before = n_tuples
        first, end = indptr[root], indptr[root + 1]
        if first == end:
            continue
        c_root = c[root]
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
        width = m + 1
        for x in range(width * width):
            local[x] = math.inf
        for x in range(width * n_annotators):
            hope[x] = 0.0
        for j in range(first, end):
            v, w = neighbour[j], weight[j]
            g = owners[v] - owners[root] - 1
            g += n_annotators if g < 0 else 0
            x = fill[g]
            fill[g] += 1
            unit[x] = v
            group[x] = g
            place[v] = x
            local[x * width + m] = w
            local[m * width + x] = w
            hope[m * n_annotators + g] = min(hope[m * n_annotators + g], w)
        unit[m] = root
        farthest = neighbour[end - 1] if in_order else n_units
        for x in range(1, m):
            g = group[x]
            for j in range(indptr[unit[x]], indptr[unit[x] + 1]):
                if neighbour[j] > farthest:
                    break
                y, w = place[neighbour[j]], weight[j]
                local[x * width + y] = w
                local[y * width + x] = w
                hope_x, hope_y = x * n_annotators + group[y], y * n_annotators + g
                hope[hope_x] = min(hope[hope_x], w)
                hope[hope_y] = min(hope[hope_y], w)
        for x in range(1, m):
            place[unit[x]] = 0
        for x in range(1, width):
            hope[x * n_annotators + last] = 0.0
            for g in range(last - 1, -1, -1):
                hope[x * n_annotators + g] += hope[x * n_annotators + g + 1]
        chosen[0] = m
        tied[1, 0] = 0.0
        total[1] = 0.0
        at[1] = 1
        k = 1  # number of members so far
        while k > 0:
            x = at[k]
            if x == m:
                k -= 1
                continue
            at[k] += 1
            g = group[x] + 1
            alive, undominated, added = True, True, 0.0
            for b in range(k):
                w = local[x * width + chosen[b]]
                added += w
                tie = tied[k, b] + w
                tied[k + 1, b] = tie
                if tie >= c_root:
                    undominated = False
                    if tie + hope[chosen[b] * n_annotators + g] >= c_root:
                        alive = False
                        break
            if not alive or added + hope[x * n_annotators + g] >= c_root:
                continue
            chosen[k] = x
            tied[k + 1, k] = added
            total[k + 1] = total[k] + added
            size = k + 1
            if start[g] < m:  # some units can still extend T
                k += 1
                at[k] = start[g]
            undominated = undominated and added < c_root
            if size >= 4 and undominated:  # check parts of two members as well
                for a in range(1, size):
                    for b in range(a):
                        w = local[chosen[a] * width + chosen[b]]
                        if tied[size, a] + tied[size, b] - 2.0 * w >= c_root:
                            undominated = False
            if not undominated:
                continue
            if n_tuples == room:
                return before, root
            saving[n_tuples] = (size - 1) * c_root - total[size]
            for b in range(size):
                members[n_members + b] = unit[chosen[b]]
            n_members += size
            n_tuples += 1
            pointer[n_tuples] = n_members
    return n_tuples, n_units


@njit(cache=True, nogil=True, error_model="numpy")
def _rows_are_in_sweep_order(indptr: Ints, neighbour: Ints32) -> bool:
    """Whether every row is in the order of the sweep, as with a single length class."""
    falls = 0  # all descents minus those between rows: two loops without a branch
    for at in range(1, neighbour.shape[0]):
        falls += neighbour[at] < neighbour[at - 1]
    for u in range(indptr.shape[0] - 1):
        at = indptr[u]
        if 0 < at < indptr[u + 1]:
            falls -= neighbour[at] < neighbour[at - 1]
    return falls == 0


@njit(cache=True, nogil=True, error_model="numpy")
def _useful_pairs_of_two_annotators(
    indptr: Ints, neighbour: Ints32, weight: Floats, c: Floats
) -> tuple[Ints, Ints32, Floats]:
    """Return all tuples of two annotators: (pointer, members, saving) of the useful pairs."""
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
def _search_triples(
    begin: Index,
    n_tuples: int,
    room: int,
    indptr: Ints,
    neighbour: Ints32,
    weight: Floats,
    owners: Ints32,
    c: Floats,
    pointer: Ints,
    members: Ints32,
    saving: Floats,
) -> tuple[int, int]:
    """`_search_tuples` for three annotators: pairs and triples of a root."""
    n_units = owners.shape[0]
    n_members = pointer[n_tuples]
    for root in range(begin, n_units):
        before, c_root = n_tuples, c[root]
        first, last = indptr[root], indptr[root + 1]
        for i in range(first, last):
            if n_tuples + i - first + 1 > room:
                return before, root
            a, w_a = neighbour[i], weight[i]
            members[n_members] = root
            members[n_members + 1] = a
            saving[n_tuples] = c_root - w_a
            n_members += 2
            n_tuples += w_a < c_root
            n_members -= 2 * (w_a >= c_root)
            pointer[n_tuples] = n_members
            for j in range(first, i):
                b, w_b = neighbour[j], weight[j]
                if owners[b] == owners[a] or w_a + w_b >= c_root:
                    continue
                one, other = min(a, b), max(a, b)
                for at in range(indptr[one], indptr[one + 1]):
                    if neighbour[at] == other:
                        w = weight[at]
                        if w + w_a < c_root and w + w_b < c_root:
                            members[n_members] = root
                            members[n_members + 1] = b
                            members[n_members + 2] = a
                            saving[n_tuples] = 2.0 * c_root - (w_a + w_b + w)
                            n_members += 3
                            n_tuples += 1
                            pointer[n_tuples] = n_members
                        break
    return n_tuples, n_units
