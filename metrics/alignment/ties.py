"""Choice among alignments of equal disorder: the one in which units are merged if it costs nothing.

Two unitary alignments A, B of different annotators cost the same apart and together if Σ w(a, b) =
c over their pairs (see `pair_graph`). Such pairs are merged, in the order of the sweep, until there
are none left.
"""

from __future__ import annotations

import math

import numpy as np

from ..arrays import Floats, Ints32
from ..compiling import njit
from .pair_graph import MATRIX, RATIO, relative_cost

_TIE = 1e-11
"""Share of c; sums this close to c are ties, apart from rounding."""


@njit(cache=True, nogil=True, error_model="numpy")
def merge_tied_alignments(
    units: Ints32,
    disorders: Floats,
    starts: Floats,
    ends: Floats,
    codes: Ints32,
    position_kind: int,
    position_weight: float,
    category: Floats,
    matrix: Floats,
) -> int:
    """Merge tied unitary alignments; the remaining rows come first, and their number is returned.

    units      int32 (m, n), rows in the order of their first units in the sweep; -1 for none
    disorders  float64 (m,), relative to Δ∅
    starts, ends, codes  of the units that `units` index
    """
    n_rows, n = units.shape
    c = 0.5 * n * (n - 1)
    reach, widest = math.inf, 0.0
    if position_kind == RATIO:
        reach = 0.5 * math.sqrt((c + 1.0) / position_weight) * (1.0 + 1e-9)
        for u in range(starts.shape[0]):
            widest = max(widest, ends[u] - starts[u])
    first = np.empty(n_rows)  # earliest midpoint of the row
    n_units = np.zeros(n_rows, np.int64)
    for i in range(n_rows):
        first[i] = math.inf
        for a in range(n):
            if units[i, a] >= 0:
                u = units[i, a]
                n_units[i] += 1
                first[i] = min(first[i], 0.5 * (starts[u] + ends[u]))
    for i in range(n_rows):
        if n_units[i] == 0 or n_units[i] == n:
            continue
        j = i
        while j + 1 < n_rows:
            j += 1
            if n_units[j] == 0 or n_units[i] + n_units[j] > n:
                continue
            farthest, apart = -math.inf, True
            for a in range(n):
                u = units[i, a]
                if u >= 0:
                    apart = apart and units[j, a] < 0
                    length = ends[u] - starts[u]
                    farthest = max(farthest, starts[u] + 0.5 * length + reach * (length + widest))
            if first[j] > farthest:
                break
            if not apart:
                continue
            across = 0.0
            for a in range(n):
                for b in range(n):
                    if units[i, a] >= 0 and units[j, b] >= 0:
                        u, v = units[i, a], units[j, b]
                        if position_kind == MATRIX:
                            across += matrix[u, v]
                        else:
                            across += relative_cost(
                                position_kind,
                                position_weight,
                                category[codes[u], codes[v]],
                                starts[u],
                                ends[u],
                                starts[v],
                                ends[v],
                            )
            if abs(across - c) > _TIE * c:
                continue
            for a in range(n):
                units[i, a] = max(units[i, a], units[j, a])
            disorders[i] += disorders[j]
            n_units[i] += n_units[j]
            n_units[j] = 0
            j = i
    n_kept = 0
    for i in range(n_rows):
        if n_units[i] > 0:
            for a in range(n):
                units[n_kept, a] = units[i, a]
            disorders[n_kept] = disorders[i]
            n_kept += 1
    return n_kept
