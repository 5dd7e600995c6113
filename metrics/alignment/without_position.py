"""Best alignments without position, where only the numbers of units matter.

Units of one annotator and one category are interchangeable, so a choice is the number of unitary
alignments of each kind, where a kind is a tuple of (annotator, category) classes and each class is
used as often as it has units. This is a small integer programme, solved by HiGHS; a sweep over the
units would visit every permutation of the same choice.
"""

from __future__ import annotations

import time

import numpy as np

from ..arrays import Floats, Ints, Ints32
from .kernel_input import RelativeCosts, SweepUnits, sweep_units_of_many
from .pair_graph import NO_POSITION, useful_pairs
from .tuple_enumeration import enumerate_tuples

_MOST_TUPLES = 1_000_000


def align_without_position(
    sweep: SweepUnits,
    n_annotators: int,
    costs: RelativeCosts,
    c: float,
    covering: bool,
    deadline: float,
) -> tuple[Ints32, Floats, float] | None:
    """Return (units, relative disorders, gap) of one continuum; as `align_unsolved`.

    Returns None if there are too many kinds of unitary alignments, or if the time limit was reached
    before any solution was found.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow to import, rarely needed
    from scipy.sparse import csc_array

    kinds = np.column_stack([sweep.owners, sweep.codes])
    classes, class_of, size = np.unique(kinds, axis=0, return_inverse=True, return_counts=True)
    class_of, n_classes = class_of.ravel(), len(classes)
    arrays = sweep_units_of_many(
        np.zeros(n_classes),
        np.ones(n_classes),
        classes[:, 1],
        classes[:, 0],
        np.array([0, n_classes]),
        NO_POSITION,
    )
    settings = (n_annotators, NO_POSITION, 0.0, costs.category, costs.matrix)
    constant = np.full(n_classes, c)
    pairs = useful_pairs(*arrays.kernel_arrays, *settings, constant)
    pointer, members, saving, reached = enumerate_tuples(
        *pairs, arrays.owners, n_annotators, constant, _MOST_TUPLES
    )
    if reached < n_classes:
        return None
    alone = np.arange(n_classes, dtype=np.int32)
    n_members = np.concatenate([np.diff(pointer), np.ones(n_classes, np.int64)])
    rows = np.concatenate([members, alone])
    columns = np.repeat(np.arange(len(n_members)), n_members)
    matrix = csc_array((np.ones(len(rows)), (rows, columns)), shape=(n_classes, len(n_members)))
    cost = np.concatenate([np.diff(pointer) * c - saving, constant])
    limit = {} if deadline == np.inf else {"time_limit": max(0.1, deadline - time.monotonic())}
    solution = milp(
        cost,
        constraints=LinearConstraint(matrix, size, np.inf if covering else size),
        integrality=np.ones(len(cost)),
        bounds=Bounds(0, np.inf),
        options={"mip_rel_gap": 0.0, **limit},
    )
    if solution.x is None:
        return None
    times = np.rint(solution.x).astype(np.int64)
    kind = np.repeat(np.arange(len(times)), times)
    units = _assign_units(kind, rows, np.cumsum([0, *n_members]), class_of, sweep, n_annotators)
    n_pairs = 0.5 * n_annotators * (n_annotators - 1)
    rest = n_pairs - c  # rate that a mean objective subtracts per alignment
    disorders = np.maximum(0.0, (cost[kind] + rest) / n_pairs)
    gap = 0.0
    if solution.status != 0:
        distance = float(solution.fun) - float(solution.mip_dual_bound or 0.0)
        gap = min(1.0, distance / (float(disorders.sum()) * n_pairs))
    return units, disorders, gap


def _assign_units(
    kind: Ints,
    rows: Ints32,
    pointer: Ints,
    class_of: Ints,
    sweep: SweepUnits,
    n_annotators: int,
) -> Ints32:
    """int32 (m, n): assign units to the classes of each unitary alignment, in their order.

    In a covering a class may be used more often than it has units; its units are then used again.
    """
    held = [np.flatnonzero(class_of == q) for q in range(int(class_of.max()) + 1)]
    served = np.zeros(len(held), dtype=np.int64)
    units = np.full((len(kind), n_annotators), -1, dtype=np.int32)
    for i, t in enumerate(kind):
        for q in rows[pointer[t] : pointer[t + 1]]:
            place = held[q][served[q] % len(held[q])]
            served[q] += 1
            units[i, sweep.owners[place]] = sweep.order[place]
    return units
