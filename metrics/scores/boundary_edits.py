"""Edits that turn one segmentation into another: exact, by dynamic programming.

Boundaries are positions in increasing order. An edit adds, deletes or moves a boundary. Moves that
cross are never cheaper than moves that do not, so a table of (first i, first j) is sufficient.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Ints
from ..compiling import njit


def cheapest_boundary_edits(
    system: Ints,
    reference: Ints,
    *,
    insertion: float,
    deletion: float,
    shift: float,
    max_shift: int,
) -> tuple[float, int, int]:
    """Find the cheapest edits from the system's boundaries to the reference's.

    system, reference  int64, increasing positions
    insertion  cost of a boundary that only the reference has
    deletion   cost of a boundary that only the system has
    shift      cost of moving a boundary by one position; at most `max_shift` positions

    Returns (cost, insertions and deletions, moves by at least one position).
    """
    cost, n_single, n_moved = _edit(
        np.ascontiguousarray(system, dtype=np.int64),
        np.ascontiguousarray(reference, dtype=np.int64),
        float(insertion),
        float(deletion),
        float(shift),
        int(max_shift),
    )
    return float(cost), int(n_single), int(n_moved)


@njit(cache=True)
def _edit(
    system: Ints,
    reference: Ints,
    insertion: float,
    deletion: float,
    shift: float,
    max_shift: int,
) -> tuple[float, int, int]:
    n_system, n_reference = system.shape[0], reference.shape[0]
    costs = np.empty((n_system + 1, n_reference + 1))
    for i in range(n_system + 1):
        costs[i, 0] = i * deletion
    for j in range(n_reference + 1):
        costs[0, j] = j * insertion
    for i in range(1, n_system + 1):
        for j in range(1, n_reference + 1):
            best = min(costs[i - 1, j] + deletion, costs[i, j - 1] + insertion)
            distance = abs(system[i - 1] - reference[j - 1])
            if distance <= max_shift:
                best = min(best, costs[i - 1, j - 1] + shift * distance)
            costs[i, j] = best
    # Walk back, preferring a move: at equal costs, one near miss instead of two errors.
    i, j, n_single, n_moved = n_system, n_reference, 0, 0
    while i > 0 and j > 0:
        distance = abs(system[i - 1] - reference[j - 1])
        if distance <= max_shift and costs[i, j] == costs[i - 1, j - 1] + shift * distance:
            if distance > 0:
                n_moved += 1
            i -= 1
            j -= 1
        elif costs[i, j] == costs[i - 1, j] + deletion:
            n_single += 1
            i -= 1
        else:
            n_single += 1
            j -= 1
    n_single += i + j
    return costs[n_system, n_reference], n_single, n_moved  # type: ignore[return-value] # scalar
