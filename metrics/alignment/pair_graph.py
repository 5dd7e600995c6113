"""Sparse graph of useful pairs: units that can be in the same unitary alignment.

Costs are relative: w(u, v) = d(u, v)/Δ∅ - 1 >= -1 between real units of different annotators. The
disorder of a unitary alignment T, times C(n, 2)/Δ∅, is C(n, 2) + Σ w over its pairs, so aligning T
instead of leaving its k units alone saves (k - 1)·c - Σ w, with c = C(n, 2) (`sum` and `soft`
objectives) or less (`mean`). A tuple with a part A such that w(A, T∖A) >= c is never better than
its two parts; hence a pair is useful only if w(u, v) + Σ_r min(0, min w(u, units of r)) < c over
the other annotators r, for u and for v.
"""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np

from ..arrays import Floats, Ints, Ints32
from ..compiling import njit
from .continuum import Index

Array = TypeVar("Array", Floats, Ints, Ints32)

RATIO, HAMMING, NO_POSITION, MATRIX = 0, 1, 2, 3
"""How w depends on position: (shift/length sum)², |Δend|, not at all, or a given matrix."""

_EXPONENT_OF_SMALLEST = 1074
_N_EXPONENTS = 2100
_ROUNDING = 1.0 + 1e-9
_MUCH_LONGER = 8.0
"""Multiple of the mean length above which units are divided into length classes."""


@njit(cache=True, nogil=True, error_model="numpy")
def relative_cost(
    position_kind: int,
    position_weight: float,
    distance: float,
    start_u: float,
    end_u: float,
    start_v: float,
    end_v: float,
) -> float:
    """Return w(u, v) of two real units whose categories have this `distance`; not for MATRIX.

    Takes numbers instead of arrays, because passing arrays costs more than the computation.
    """
    w = distance - 1.0
    if position_kind == RATIO:
        shift = abs(start_u - start_v) + abs(end_u - end_v)
        ratio = shift / ((end_u - start_u) + (end_v - start_v))
        w += position_weight * ratio * ratio
    elif position_kind == HAMMING:
        w += position_weight * abs(end_u - end_v)
    return w


@njit(cache=True, nogil=True, error_model="numpy")
def length_classes(lengths: Floats, position_kind: int) -> tuple[Ints, int]:
    """Return (class of each unit, number of classes): units binned by the exponent of their length.

    With classes, one long unit does not widen the window of all the short ones. There is one class
    if no unit is much longer than the mean, and for any position other than RATIO.
    """
    n_units = lengths.shape[0]
    class_of = np.zeros(n_units, np.int64)
    total, longest = 0.0, 0.0
    for u in range(n_units):
        total += lengths[u]
        longest = max(longest, lengths[u])
    if position_kind != RATIO or longest * n_units <= _MUCH_LONGER * total:
        return class_of, 1
    number = np.full(_N_EXPONENTS, -1, np.int64)
    n_classes = 0
    for u in range(n_units):
        exponent = math.frexp(lengths[u])[1] + _EXPONENT_OF_SMALLEST
        if number[exponent] < 0:
            number[exponent] = n_classes
            n_classes += 1
        class_of[u] = number[exponent]
    return class_of, n_classes


@njit(cache=True, nogil=True, error_model="numpy")
def useful_pairs(
    starts: Floats,
    ends: Floats,
    codes: Ints32,
    owners: Ints32,
    key: Floats,
    last_of_document: Ints,
    order: Ints,
    n_annotators: int,
    position_kind: int,
    position_weight: float,
    category: Floats,
    matrix: Floats,
    c: Floats,
) -> tuple[Ints, Ints32, Floats]:
    """Return CSR rows (indptr, neighbour, w): for each unit of the sweep, its useful later units.

    starts, ends, codes, owners  in sweep order; a unit without category has the code -1
    key       float64 (U,): midpoints (ends for HAMMING), not decreasing within a document
    last_of_document  int64 (U,): end of each unit's document in the sweep
    category  float64 (K + 1, K + 1): beta · distance, the last row for no category
    matrix    float64 (U, U) in the original order for MATRIX, else empty
    c         float64 (U,): the constant of each unit's document
    """
    n_units = starts.shape[0]
    lengths = np.empty(n_units)
    for u in range(n_units):
        lengths[u] = ends[u] - starts[u]
    class_of, n_classes = length_classes(lengths, position_kind)
    widest = np.zeros(n_classes)
    first = np.zeros(n_classes + 1, np.int64)
    for u in range(n_units):
        first[class_of[u] + 1] += 1
        widest[class_of[u]] = max(widest[class_of[u]], lengths[u])
    for q in range(n_classes):
        first[q + 1] += first[q]
    classmates = np.empty(n_units, np.int64)
    following = np.empty(n_classes, np.int64)
    for q in range(n_classes):
        following[q] = first[q]
    for u in range(n_units):
        classmates[following[class_of[u]]] = u
        following[class_of[u]] += 1
    for q in range(n_classes):
        following[q] = first[q]

    indptr = np.zeros(n_units + 1, np.int64)
    capacity = 8 * n_units + 64
    neighbour, weight = np.empty(capacity, np.int32), np.empty(capacity)
    reached: Any = np.int64(0)
    while True:  # growing the arrays inside the kernel would slow down filling them
        reached = _scan_pairs(
            reached,
            starts,
            ends,
            codes,
            owners,
            key,
            last_of_document,
            order,
            position_kind,
            position_weight,
            category,
            matrix,
            c,
            n_annotators,
            class_of,
            widest,
            first,
            classmates,
            following,
            indptr,
            neighbour,
            weight,
        )
        if reached == n_units:
            break
        capacity *= 2
        neighbour, weight = (
            copy_with_capacity(neighbour, capacity),
            copy_with_capacity(weight, capacity),
        )
    n_kept = _filter_pairs(indptr, neighbour, weight, owners, n_annotators, c)
    return indptr, neighbour[:n_kept], weight[:n_kept]


@njit(cache=True, nogil=True, error_model="numpy")
def _scan_pairs(
    begin: Index,
    starts: Floats,
    ends: Floats,
    codes: Ints32,
    owners: Ints32,
    key: Floats,
    last_of_document: Ints,
    order: Ints,
    kind: int,
    position_weight: float,
    category: Floats,
    matrix: Floats,
    c: Floats,
    n_annotators: int,
    class_of: Ints,
    widest: Floats,
    first: Ints,
    classmates: Ints,
    following: Ints,
    indptr: Ints,
    neighbour: Ints32,
    weight: Floats,
) -> int:
    """Fill the rows from unit `begin` on; return the first unit that did not fit, or U.

    following  int64 (classes,): in each class, the first unit not yet passed
    """
    n_pairs = indptr[begin]
    capacity = weight.shape[0]
    for u in range(begin, starts.shape[0]):
        # local copies: array elements would be read again after each write
        start, end, code, owner = starts[u], ends[u], codes[u], owners[u]
        own, last = class_of[u], last_of_document[u]
        following[own] += 1
        limit = c[u] + n_annotators - 2.0
        reach = math.inf
        if kind == RATIO:
            reach = 0.5 * math.sqrt((limit + 1.0) / position_weight) * _ROUNDING
        elif kind == HAMMING:
            reach = (limit + 1.0) / position_weight * _ROUNDING
        for q in range(widest.shape[0]):
            window = reach
            if kind == RATIO:
                window = reach * (end - start + widest[q])
            farthest = key[u] + window
            for at in range(following[q], first[q + 1]):
                v = classmates[at]
                if key[v] > farthest or v >= last:
                    break
                if n_pairs == capacity:
                    following[own] -= 1
                    return u
                if kind == MATRIX:
                    w = matrix[order[u], order[v]]
                else:
                    distance = category[code, codes[v]]
                    w = relative_cost(
                        kind, position_weight, distance, start, end, starts[v], ends[v]
                    )
                neighbour[n_pairs] = v  # no branch, because prediction would fail here
                weight[n_pairs] = w
                n_pairs += (owners[v] != owner) & (w < limit)
        indptr[u + 1] = n_pairs
    return starts.shape[0]


@njit(cache=True, nogil=True, error_model="numpy")
def _filter_pairs(
    indptr: Ints, neighbour: Ints32, weight: Floats, owners: Ints32, n_annotators: int, c: Floats
) -> int:
    """Drop useless pairs in place; return the number of pairs left."""
    n_units = owners.shape[0]
    lowest = np.zeros((n_units, n_annotators))  # min(0, min w(u, units of r))
    for u in range(n_units):
        for at in range(indptr[u], indptr[u + 1]):
            v, w = neighbour[at], weight[at]
            lowest[u, owners[v]] = min(lowest[u, owners[v]], w)
            lowest[v, owners[u]] = min(lowest[v, owners[u]], w)
    helped = np.zeros(n_units)
    for u in range(n_units):
        for r in range(n_annotators):
            helped[u] += lowest[u, r]
    n_kept = 0
    begin = indptr[0]
    for u in range(n_units):
        end = indptr[u + 1]
        for at in range(begin, end):
            v = neighbour[at]
            w = weight[at]
            neighbour[n_kept] = v
            weight[n_kept] = w
            n_kept += (w + helped[u] - lowest[u, owners[v]] < c[u]) & (
                w + helped[v] - lowest[v, owners[u]] < c[u]
            )
        begin = end
        indptr[u + 1] = n_kept
    return n_kept


@njit(cache=True, nogil=True, error_model="numpy")
def copy_with_capacity(array: Array, capacity: int) -> Array:
    """Return a copy with room for `capacity` elements."""
    larger = np.empty(capacity, array.dtype)
    for i in range(array.shape[0]):
        larger[i] = array[i]
    return larger
