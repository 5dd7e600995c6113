"""One compiled call from the arrays of a continuum to its alignment, and the same for many continua.

The Python side (`best_alignment`, `batch`) only turns a dissimilarity into relative costs:
everything is divided by Δ∅, so that the empty unit costs 1.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from metrics.alignment.continuum import Continuum
from metrics.alignment.dissimilarity import Dissimilarity, mean_unit_length, pair_costs
from metrics.alignment.pair_graph import (
    HAMMING,
    MATRIX,
    NO_POSITION,
    RATIO,
    relative_cost,
    sweep_order,
    useful_pairs,
)
from metrics.alignment.solver import solve

MAX_TUPLES = 300_000
"""More candidates than this leave the compiled fast path."""
N_ROUNDS = 4
_TOLERANCE = 1e-13


class RelativeCosts:
    """A dissimilarity as the compiled kernels take it, for continua of one tagset."""

    __slots__ = ("category", "kind", "matrix", "position_weight")

    def __init__(
        self, dissimilarity: Dissimilarity, n_categories: int, mean_length: float = np.nan
    ) -> None:
        delta_empty, alpha = dissimilarity.delta_empty, dissimilarity.alpha
        self.kind, self.position_weight = RATIO, alpha
        if dissimilarity.position == "sporadic":
            self.position_weight = 4.0 * alpha / delta_empty
        elif dissimilarity.position == "hamming":
            k = dissimilarity.mean_length or mean_length
            self.kind, self.position_weight = HAMMING, 2.0 * alpha / (k * delta_empty)
        if dissimilarity.position == "none" or alpha == 0.0:
            self.kind, self.position_weight = NO_POSITION, 0.0
        self.category = dissimilarity.distances_with_unlabelled(n_categories)
        self.category *= dissimilarity.beta
        self.matrix: NDArray[np.float64] = np.empty((0, 0))


def relative_costs(continuum: Continuum, dissimilarity: Dissimilarity) -> RelativeCosts:
    """The relative costs of one continuum; a user's pair function becomes a full matrix."""
    mean_length = np.nan
    if dissimilarity.position == "hamming" and dissimilarity.mean_length is None:
        mean_length = mean_unit_length(continuum)
    costs = RelativeCosts(dissimilarity, len(continuum.tagset), mean_length)
    if dissimilarity.pair_function is not None:
        index = np.arange(continuum.n_units)
        matrix = pair_costs(continuum, index[:, None], index[None, :], dissimilarity)
        costs.kind = MATRIX
        costs.matrix = np.ascontiguousarray(matrix / dissimilarity.delta_empty - 1.0)
    return costs


@njit(cache=True, nogil=True)
def sorted_graph(starts, ends, codes, owners, n_annotators, kind, position_weight, category, W, c):
    """Sweep order, the arrays in that order, and the useful pairs."""
    order, key = sweep_order(starts, ends, kind)
    starts, ends, codes, owners = starts[order], ends[order], codes[order], owners[order]
    indptr, neighbour, weight = useful_pairs(
        starts, ends, codes, owners, order, key, n_annotators, kind, position_weight, category, W, c
    )
    return order, starts, ends, codes, owners, indptr, neighbour, weight


@njit(cache=True, nogil=True)
def align(
    starts,
    ends,
    codes,
    owners,
    n_annotators,
    kind,
    position_weight,
    category,
    W,
    rate,
    covering,
    max_tuples,
    n_rounds,
):
    """(units int32 (m, n), relative disorders (m,), number of units left unsolved).

    rate  λ of Dinkelbach's method, relative to Δ∅: minimises Σ (disorder - λ); 0 for the sum
    """
    c = 0.5 * n_annotators * (n_annotators - 1) * (1.0 - rate)
    order, starts, ends, codes, owners, indptr, neighbour, weight = sorted_graph(
        starts, ends, codes, owners, n_annotators, kind, position_weight, category, W, c
    )
    pointer, members, _, _, chosen, open_units = solve(
        owners, n_annotators, indptr, neighbour, weight, c, covering, max_tuples, n_rounds
    )
    units, disorders = chosen_alignment(
        order,
        pointer,
        members,
        np.flatnonzero(chosen),
        starts,
        ends,
        codes,
        owners,
        n_annotators,
        kind,
        position_weight,
        category,
        W,
    )
    return units, disorders, open_units.shape[0]


@njit(cache=True, nogil=True)
def chosen_alignment(
    order,
    pointer,
    members,
    chosen,
    starts,
    ends,
    codes,
    owners,
    n_annotators,
    kind,
    position_weight,
    category,
    W,
):
    """(units, relative disorders) of the chosen tuples and of the units that they leave alone."""
    n_units = order.shape[0]
    covered = np.zeros(n_units, np.bool_)
    for t in chosen:
        for j in range(pointer[t], pointer[t + 1]):
            covered[members[j]] = True
    n_rows = chosen.shape[0]
    for u in range(n_units):
        n_rows += not covered[u]
    units = np.full((n_rows, n_annotators), -1, np.int32)
    disorders = np.ones(n_rows)
    n_pairs = 0.5 * n_annotators * (n_annotators - 1)
    row, at = 0, 0
    for u in range(n_units):
        if not covered[u]:
            units[row, owners[u]] = order[u]
            row += 1
        while at < chosen.shape[0] and members[pointer[chosen[at]]] == u:
            first, last = pointer[chosen[at]], pointer[chosen[at] + 1]
            w = 0.0
            for i in range(first, last):
                units[row, owners[members[i]]] = order[members[i]]
                for j in range(first, i):
                    w += relative_cost(
                        members[i],
                        members[j],
                        starts,
                        ends,
                        codes,
                        order,
                        kind,
                        position_weight,
                        category,
                        W,
                    )
            disorders[row] = max(0.0, (n_pairs + w) / n_pairs)
            row += 1
            at += 1
    return units, disorders


@njit(cache=True, nogil=True)
def align_many(
    starts,
    ends,
    codes,
    owners,
    offsets,
    n_annotators,
    kind,
    position_weights,
    category,
    mean,
    covering,
    max_tuples,
    n_rounds,
):
    """(relative totals, unitary alignments, units left unsolved) of each continuum.

    position_weights  float64 (D,); mean: least mean disorder, by Dinkelbach's method
    """
    n_documents = offsets.shape[0] - 1
    totals = np.zeros(n_documents)
    n_unitary = np.zeros(n_documents, np.int64)
    n_open = np.zeros(n_documents, np.int64)
    no_matrix = np.empty((0, 0))
    for i in range(n_documents):
        first, last = offsets[i], offsets[i + 1]
        if first == last:
            continue
        rate = 1.0 if mean else 0.0
        while True:
            units, disorders, unsolved = align(
                starts[first:last],
                ends[first:last],
                codes[first:last],
                owners[first:last],
                n_annotators,
                kind,
                position_weights[i],
                category,
                no_matrix,
                rate,
                covering,
                max_tuples,
                n_rounds,
            )
            totals[i] = disorders.sum()
            n_unitary[i] = units.shape[0]
            n_open[i] = unsolved
            found = totals[i] / units.shape[0]
            if not mean or unsolved or found >= rate - 1e-13:
                break
            rate = found
    return totals, n_unitary, n_open
