"""Which units can stand in one unitary alignment: the sparse graph of useful pairs.

Costs are relative: w(u, v) = d(u, v)/Δ∅ - 1 >= -1 between real units of different annotators. The
disorder of a unitary alignment T, times C(n, 2)/Δ∅, is C(n, 2) + Σ w over its pairs, so aligning T
rather than leaving its k units alone saves (k - 1)·c - Σ w, with c = C(n, 2) (`sum` and `soft`
objectives) or less (`mean`). A tuple with a part A such that w(A, T∖A) >= c is never better than
its two parts; hence a pair is useful only if w(u, v) + Σ_r min(0, min w(u, units of r)) < c over
the other annotators r, for u and for v.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

RATIO, HAMMING, NO_POSITION, MATRIX = 0, 1, 2, 3
"""How w depends on position: (shift/length sum)², |Δend|, not at all, or a given matrix."""

_N_LENGTH_CLASSES = 2048  # one for each binary exponent of a float64


@njit(cache=True, nogil=True)
def sweep_order(starts, ends, kind):
    """Order of the sweep and its keys: midpoints (ends for HAMMING), from the first start."""
    n_units = starts.shape[0]
    key = np.empty(n_units)
    origin = starts[0] if n_units else 0.0
    for u in range(n_units):
        if kind == HAMMING:
            key[u] = ends[u] - origin
        else:
            key[u] = 0.5 * ((starts[u] - origin) + (ends[u] - origin))
    order = np.argsort(key, kind="mergesort")
    return order, key[order]


@njit(cache=True, nogil=True, inline="always")
def relative_cost(u, v, starts, ends, codes, order, kind, position_weight, category, W):
    """w(u, v) of two real units given by their places in the sweep order."""
    if kind == MATRIX:
        return W[order[u], order[v]]
    if kind == RATIO:
        shift = abs(starts[u] - starts[v]) + abs(ends[u] - ends[v])
        ratio = shift / ((ends[u] - starts[u]) + (ends[v] - starts[v]))
        w = position_weight * ratio * ratio
    elif kind == HAMMING:
        w = position_weight * abs(ends[u] - ends[v])
    else:
        w = 0.0
    return w + category[codes[u], codes[v]] - 1.0


@njit(cache=True, nogil=True)
def useful_pairs(
    starts, ends, codes, owners, order, key, n_annotators, kind, position_weight, category, W, c
):
    """CSR rows (indptr, neighbour, w): for each unit in sweep order, its useful later units.

    starts, ends, codes, owners  in sweep order; a unit without category has the code -1
    category  float64 (K + 1, K + 1): beta · distance, unlabelled being the last row
    W         float64 (U, U) by the original order for MATRIX, else empty
    """
    n_units = starts.shape[0]
    limit = c + n_annotators - 2.0
    indptr = np.zeros(n_units + 1, np.int64)
    capacity = 16 * n_units + 64
    neighbour = np.empty(capacity, np.int32)
    weight = np.empty(capacity)
    lowest = np.zeros((n_units, n_annotators))  # min(0, min w(u, units of r))
    length = ends - starts
    # Units are binned by the binary exponent of their length, so that one long unit does not
    # widen the window of all the short ones.
    windowed = kind <= HAMMING and position_weight > 0.0
    class_of = np.zeros(n_units, np.int64)
    n_classes = 1
    if windowed and kind == RATIO:
        seen = np.full(_N_LENGTH_CLASSES, -1, np.int64)
        n_classes = 0
        for u in range(n_units):
            exponent = math.frexp(length[u])[1] + 1074
            if seen[exponent] < 0:
                seen[exponent] = n_classes
                n_classes += 1
            class_of[u] = seen[exponent]
    widest = np.zeros(n_classes)
    first = np.zeros(n_classes + 1, np.int64)
    for u in range(n_units):
        first[class_of[u] + 1] += 1
        widest[class_of[u]] = max(widest[class_of[u]], length[u])
    for q in range(n_classes):
        first[q + 1] += first[q]
    members = np.empty(n_units, np.int64)
    pointer = first[:-1].copy()
    for u in range(n_units):
        members[pointer[class_of[u]]] = u
        pointer[class_of[u]] += 1
    pointer[:] = first[:-1]
    reach = math.inf
    if windowed and kind == RATIO:
        reach = 0.5 * math.sqrt((limit + 1.0) / position_weight) * (1.0 + 1e-9)
    elif windowed:
        reach = (limit + 1.0) / position_weight * (1.0 + 1e-9)
    n_pairs = 0
    for u in range(n_units):
        pointer[class_of[u]] += 1  # u itself is passed
        for q in range(n_classes):
            window = reach
            if windowed and kind == RATIO:
                window = reach * (length[u] + widest[q])
            farthest = key[u] + window
            for at in range(pointer[q], first[q + 1]):
                v = members[at]
                if key[v] > farthest:
                    break
                if owners[v] == owners[u]:
                    continue
                w = relative_cost(
                    u, v, starts, ends, codes, order, kind, position_weight, category, W
                )
                if w >= limit:
                    continue
                if n_pairs == capacity:
                    capacity *= 2
                    neighbour = _grown_int32(neighbour, capacity)
                    weight = _grown_float64(weight, capacity)
                neighbour[n_pairs] = v
                weight[n_pairs] = w
                n_pairs += 1
                if w < lowest[u, owners[v]]:
                    lowest[u, owners[v]] = w
                if w < lowest[v, owners[u]]:
                    lowest[v, owners[u]] = w
        indptr[u + 1] = n_pairs
    return _filtered(indptr, neighbour, weight, owners, lowest, c)


@njit(cache=True, nogil=True)
def _filtered(indptr, neighbour, weight, owners, lowest, c):
    n_units = owners.shape[0]
    helped = np.zeros(n_units)
    for u in range(n_units):
        for r in range(lowest.shape[1]):
            helped[u] += lowest[u, r]
    kept = np.zeros(n_units + 1, np.int64)
    n_kept = 0
    for u in range(n_units):
        for at in range(indptr[u], indptr[u + 1]):
            v = neighbour[at]
            w = weight[at]
            if w + helped[u] - lowest[u, owners[v]] >= c:
                continue
            if w + helped[v] - lowest[v, owners[u]] >= c:
                continue
            neighbour[n_kept] = v
            weight[n_kept] = w
            n_kept += 1
        kept[u + 1] = n_kept
    return kept, neighbour[:n_kept], weight[:n_kept]


@njit(cache=True, nogil=True)
def _grown_int32(array, capacity):
    larger = np.empty(capacity, np.int32)
    larger[: array.shape[0]] = array
    return larger


@njit(cache=True, nogil=True)
def _grown_float64(array, capacity):
    larger = np.empty(capacity)
    larger[: array.shape[0]] = array
    return larger
